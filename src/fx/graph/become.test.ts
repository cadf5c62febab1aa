import { expect, test } from 'vitest'
import { printGraph } from '../printers/print_graph'
import { read as readText } from '../readers/read'
import { become } from './become'
import type { Graph } from './graph'

const read = (text: string): Graph => readText(text, 'g.txt').graph

test('a graph takes the nodes of another one and keeps its own objects', () => {
  const graph = read(`graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%relu,), kwargs = {})
    return neg`)
  const text = `graph():
    %x : [num_users=1] = placeholder[target=x]
    %exp : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.sigmoid.default](args = (%exp,), kwargs = {})
    return relu`
  const kept = graph.find('relu')
  become(graph, read(text))
  expect(printGraph(graph)).toBe(text)
  expect(graph.find('relu')).toBe(kept)
  expect(graph.size).toBe(4)
})
