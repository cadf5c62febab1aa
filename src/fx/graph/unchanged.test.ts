import { describe, expect, it } from 'vitest'
import { read } from '../readers/read'
import { clone } from './clone'
import type { Graph } from './graph'
import { isUnchangedCopy } from './unchanged'

const TEXT = `graph():
    %x : [num_users=2] = placeholder[target=x]
    %y : [num_users=1] = placeholder[target=y]
    %cat : [num_users=1] = call_function[target=torch.ops.aten.cat.default](args = ([%x, %y], 1), kwargs = {})
    %full : [num_users=1] = call_function[target=torch.ops.aten.full.default](args = ([4], 1), kwargs = {dtype: torch.float32})
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %full), kwargs = {alpha: 2})
    return (cat, add)`

const edited = (edit: (graph: Graph) => void): boolean => {
  const { graph } = read(TEXT, 'graph.txt')
  const copy = clone(graph).graph
  edit(copy)
  return isUnchangedCopy(copy, graph)
}

describe('isUnchangedCopy', () => {
  it('accepts a graph and its copy', () => {
    expect(edited(() => {})).toBe(true)
  })

  it.each<[string, (graph: Graph) => void]>([
    ['an erased node', (g) => g.eraseNode(g.createNode('call_function', 'aten.relu.default', [g.find('x')!]))],
    ['an edit that was undone', (g) => void (g.find('add')!.meta.textLine = g.find('add')!.meta.textLine)],
  ])('accepts a copy after %s', (_, edit) => {
    expect(edited(edit)).toBe(true)
  })

  it.each<[string, (graph: Graph) => void]>([
    ['a new node', (g) => void g.createNode('call_function', 'aten.relu.default', [g.find('x')!])],
    ['another argument', (g) => void (g.find('add')!.args = [g.find('y')!, g.find('full')!])],
    ['another item of a list', (g) => void (g.find('cat')!.args = [[g.find('y')!, g.find('y')!], 1n])],
    ['another keyword argument', (g) => void (g.find('add')!.kwargs = new Map([['alpha', 3n]]))],
    ['another target', (g) => void (g.find('add')!.target = 'aten.sub.Tensor')],
    ['another order', (g) => g.move(g.find('full')!, g.find('cat'))],
    ['another order of users', (g) => void (g.find('cat')!.args = g.find('cat')!.args)],
    ['a shape', (g) => void (g.find('x')!.meta.val = { kind: 'tensor' } as never)],
  ])('rejects a copy with %s', (_, edit) => {
    expect(edited(edit)).toBe(false)
  })
})
