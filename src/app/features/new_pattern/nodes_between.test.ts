import { expect, it } from 'vitest'
import { viewOfText } from '../../../engine/cases/graph_file'
import { nodesBetween } from './nodes_between'

const GRAPH = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=2] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%relu,), kwargs = {})
    %sin : [num_users=0] = call_function[target=torch.ops.aten.sin.default](args = (%relu,), kwargs = {})
    %abs_1 : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%neg,), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%abs_1, %relu), kwargs = {})
    return (add,)`

it('finds the calls on the paths between picked nodes', () => {
  const view = viewOfText(GRAPH)
  expect(nodesBetween(view, ['relu', 'add'])).toEqual(['neg', 'abs_1'])
  expect(nodesBetween(view, ['abs_1', 'add'])).toEqual([])
  expect(nodesBetween(view, ['relu'])).toEqual([])
})
