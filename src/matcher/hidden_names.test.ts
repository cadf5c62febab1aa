import { expect, it } from 'vitest'
import { takeHiddenNames } from './hidden_names'
import { graph, withShapes } from './testing/fixtures'

it('M50: an unused last output once had a getitem too', () => {
  const g = graph(`
    %x = placeholder[target=x]
    %split = call_function[target=torch.ops.aten.split.Tensor](args = (%x, 4, 1), kwargs = {})
    %getitem_2 = call_function[target=operator.getitem](args = (%split, 0), kwargs = {})
    return getitem_2`)
  takeHiddenNames(withShapes(g, [4, 12]), () => null)
  expect(g.createNode('call_function', 'operator.getitem').name).toBe('getitem_5')
})

it('M50: an operator that a replacement inserted has only the getitems that are used', () => {
  const g = graph(`
    %x = placeholder[target=x]
    %topk_default = call_function[target=torch.ops.aten.topk.default](args = (%x, 2), kwargs = {})
    %getitem_2 = call_function[target=operator.getitem](args = (%topk_default, 0), kwargs = {})
    return getitem_2`)
  takeHiddenNames(g, () => ({ returns: ['Tensor', 'Tensor'] }) as never)
  expect(g.createNode('call_function', 'operator.getitem').name).toBe('getitem_3')
})

it('M50: an operator whose numbers skip no output has only the getitems that are used', () => {
  const g = graph(`
    %x = placeholder[target=x]
    %split = call_function[target=torch.functional.split](args = (%x, [4, 4, 4, 4]), kwargs = {dim: 1})
    %getitem = call_function[target=operator.getitem](args = (%split, 0), kwargs = {})
    %getitem_1 = call_function[target=operator.getitem](args = (%split, 2), kwargs = {})
    return (getitem, getitem_1)`)
  takeHiddenNames(g, () => null)
  expect(g.createNode('call_function', 'operator.getitem').name).toBe('getitem_2')
})

it('M50: sizes that are inputs were first read from tensors', () => {
  const g = withShapes(
    graph(`
    %s = placeholder[target=s]
    %x = placeholder[target=x]
    %relu = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return relu`),
    ['s77', 8],
  )
  g.find('s')!.meta.val = { kind: 'scalar', value: { kind: 'sym', expr: 's77' } }
  takeHiddenNames(g, () => null)
  expect(g.createNode('call_function', 'aten.sym_size.int').name).toBe('sym_size_int_1')
})

it('M50: Dynamo names a node after its target before naming it after a variable', () => {
  const g = graph(`
    %l_x_ = placeholder[target=L_x_]
    %v1 = call_function[target=torch.ops.aten.mul.Tensor](args = (%l_x_, %l_x_), kwargs = {})
    %mul_tensor_1 = call_function[target=torch.ops.aten.mul.Tensor](args = (%v1, %v1), kwargs = {})
    %v2 = call_method[target=type](args = (%mul_tensor_1, torch.float32), kwargs = {})
    return v2`)
  takeHiddenNames(g, () => null)
  expect(g.createNode('call_function', 'aten.mul.Tensor').name).toBe('mul_tensor_2')
  expect(g.createNode('call_method', 'type').name).toBe('type_2')
})
