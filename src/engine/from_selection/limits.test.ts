import { describe, expect, it } from 'vitest'
import { read } from '../../fx'
import { createTracer } from '../../trace'
import { schemasOf } from '../run/registering'
import { limitOf } from './limits'
import { selectionOf } from './selection'

const GRAPH = `graph():
    %x : [num_users=3] = placeholder[target=x]
    %w : [num_users=1] = placeholder[target=w]
    %y : [num_users=1] = placeholder[target=y]
    %mm : [num_users=2] = call_function[target=torch.ops.aten.mm.default](args = (%x, %w), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%mm,), kwargs = {})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%mm, %relu), kwargs = {})
    %neg : [num_users=2] = call_function[target=torch.ops.aten.neg.default](args = (%y,), kwargs = {})
    %abs_1 : [num_users=1] = call_function[target=torch.ops.aten.abs.default](args = (%neg,), kwargs = {})
    %mul : [num_users=1] = call_function[target=torch.ops.aten.mul.Tensor](args = (%y, %abs_1), kwargs = {})
    %rand_like : [num_users=2] = call_function[target=torch.ops.aten.rand_like.default](args = (%y,), kwargs = {})
    %exp : [num_users=1] = call_function[target=torch.ops.aten.exp.default](args = (%rand_like,), kwargs = {})
    %sub : [num_users=1] = call_function[target=torch.ops.aten.sub.Tensor](args = (%rand_like, %exp), kwargs = {})
    %copy_ : [num_users=0] = call_function[target=torch.ops.aten.copy_.default](args = (%x, %add), kwargs = {})
    %sin : [num_users=1] = call_function[target=torch.ops.aten.sin.default](args = (%x,), kwargs = {})
    return (neg, mul, sub, sin)`

const schemaOf = schemasOf(createTracer())

function limit(...names: string[]): string | null {
  const { graph } = read(GRAPH, 'graph.txt')
  const nodes = new Set(names.map((n) => graph.find(n)!))
  return limitOf(graph, selectionOf(graph, nodes, schemaOf), schemaOf)
}

describe('limits of a selection', () => {
  it('finds inputs in the order of the schemas, and outputs that escape', () => {
    const { graph } = read(GRAPH, 'graph.txt')
    const nodes = new Set(['mm', 'relu'].map((n) => graph.find(n)!))
    const { inputs, outputs } = selectionOf(graph, nodes, schemaOf)
    expect(inputs.map((i) => `${i.name} ${i.node.name}`)).toEqual(['x x', 'mat2 w'])
    expect(outputs.map((n) => n.name)).toEqual(['mm', 'relu'])
  })

  it('keeps nodes from which inputs are computed', () => {
    const { graph } = read(GRAPH, 'graph.txt')
    const nodes = new Set(['mm', 'add'].map((n) => graph.find(n)!))
    const { kept, outputs } = selectionOf(graph, nodes, schemaOf)
    expect(kept.map((n) => n.name)).toEqual(['mm'])
    expect(outputs.map((n) => n.name)).toEqual(['add'])
    expect(limit('mm', 'add')).toBeNull()
  })

  it('has none for connected calls in one region', () => {
    expect(limit('mm', 'relu', 'add')).toBeNull()
    expect(limit('copy_')).toBeNull()
  })

  it('names the reason', () => {
    expect(limit('x', 'mm')).toMatch(/^%x is an input of the graph/)
    expect(limit('neg', 'mul')).toMatch(
      /^%abs_1, an input of the selection, depends on the selected %neg: a replacement would be its own input/,
    )
    expect(limit('rand_like', 'sub')).toMatch(/would run %rand_like twice, which is random or has side effects/)
    expect(limit('mm', 'relu', 'neg')).toMatch(/^%mm and %neg share no value/)
    expect(limit('add', 'copy_')).toMatch(/^%copy_ writes to memory \(aten.copy_.default\), and %add is before it/)
    expect(limit('mm', 'relu', 'sin')).toMatch(/%relu is before it and %sin after it/)
  })
})
