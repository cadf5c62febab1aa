import { describe, expect, it } from 'vitest'
import type { GraphView } from '../../engine/protocol'
import { blockDetail, blockTitle, instanceTitle } from './block_text'
import { derivedGrouping } from './derived'
import { drawnGraph, unfolded } from './drawn'
import { pathOf, structureOf } from './grouping'
import { allOpen, firstOpen, foldsAtFirst, openWith, revealing, without } from './open'
import { layeredView } from './testing/layered_view'
import { HIDDEN, THROUGH, type DrawnGraph, type OpenInstances } from './types'
import { visibilityOf } from './visibility'

const NONE: OpenInstances = new Set()
const view = layeredView(8)
const grouping = structureOf(view)!
const at = (name: string): number => view.nodes.findIndex((n) => n.name === name)

const title = (drawn: DrawnGraph, i: number): string => {
  const block = drawn.blocks.get(i)
  return block ? blockTitle(block) : drawn.nodes[i]!.name
}
const titles = (drawn: DrawnGraph): string[] => drawn.nodes.map((_, i) => title(drawn, i))
const edges = (drawn: DrawnGraph): string[] =>
  drawn.nodes.flatMap((n, i) => n.inputs.map((from) => `${title(drawn, from)} → ${title(drawn, i)}`))

describe('a folded graph', () => {
  it('has one block for all layers, and merges the edges into it', () => {
    const drawn = drawnGraph(view, grouping, NONE)
    expect(titles(drawn)).toEqual(['x', 'Layer × 8', 'end'])
    expect(edges(drawn)).toEqual(['x → Layer × 8', 'Layer × 8 → end'])
    expect(drawn.nodes[1]!.name).toBe('a0')
    expect(blockDetail(drawn.blocks.get(1)!)).toBe('layers 0 – 7 · 5 nodes each')
    expect(drawn.indexOf.get('w5')).toBe(1)
  })

  it('draws an open layer between two blocks, its parts folded or open', () => {
    const one = drawnGraph(view, grouping, new Set(['0/3']))
    expect(titles(one)).toEqual(['x', 'Layer × 3', 'Attention', 'MLP', 'Layer × 4', 'end'])
    expect(blockDetail(one.blocks.get(2)!)).toBe('3 nodes')
    expect(one.frames).toEqual([{ instance: 3, level: 0, nodes: [2, 3] }])
    const parts = drawnGraph(view, grouping, new Set(['0/3', '2/3']))
    expect(titles(parts)).toEqual(['x', 'Layer × 3', 'Attention', 'c3', 'd3', 'Layer × 4', 'end'])
    expect(edges(parts)).toContain('Layer × 3 → d3')
    expect(parts.frames.map((f) => f.level)).toEqual([0, 1])
    expect(instanceTitle(grouping.instances[3]!)).toBe('layer 3')
  })

  it('draws the graph itself if all is open or nothing repeats', () => {
    expect(
      drawnGraph(view, grouping, allOpen(grouping))
        .nodes.map((n) => n.name)
        .sort(),
    ).toEqual(view.nodes.map((n) => n.name).sort())
    expect(drawnGraph(view, null, NONE)).toBe(unfolded(view))
    expect(structureOf({ nodes: [], problems: [] })).toBeNull()
  })

  it('has every node of the graph in a drawn one', () => {
    for (const open of [NONE, new Set(['0/0', '1/0']), new Set(['0/7', '0/2', '2/2'])]) {
      const drawn = drawnGraph(view, grouping, open)
      expect([...drawn.indexOf.keys()].sort()).toEqual(view.nodes.map((n) => n.name).sort())
      drawn.nodes.forEach((n, i) => n.inputs.forEach((from) => expect(drawn.nodes[from]!.users).toContain(i)))
    }
  })

  it('counts the values of an edge, and leaves out many inputs', () => {
    const source: GraphView = { ...view, outline: view.outline!.map((g) => ({ ...g, instances: [...g.instances] })) }
    const own = source.outline![0]!
    // The weights are outside the layers, as inputs that several layers share are.
    own.instances = own.instances.map((nodes) => nodes.filter((n) => !view.nodes[n]!.name.startsWith('w')))
    const drawn = drawnGraph({ ...source, outline: [own] }, structureOf({ ...source, outline: [own] }), NONE)
    expect(titles(drawn)).toEqual(['Layer × 8', 'end'])
    expect(drawn.blocks.get(0)!.inputsLeftOut).toBe(9)
    const two = drawnGraph(view, grouping, new Set(['0/3', '1/3', '2/3']))
    const [from, to] = [two.indexOf.get('a0')!, two.indexOf.get('a3')!]
    expect(two.values.get(from * two.nodes.length + to)).toBeUndefined()
  })

  it('composes with filters: hidden nodes leave their edges, others pass their inputs on', () => {
    const hide = (name: string, how: number) => (graph: GraphView) =>
      Uint8Array.from(graph.nodes, (n) => (n.name.startsWith(name) ? how : 0))
    const through = drawnGraph(view, grouping, new Set(['0/3', '2/3', '1/3']), visibilityOf(view, [hide('b', THROUGH)]))
    expect(edges(through)).toContain('a3 → c3')
    expect(blockDetail(through.blocks.get(through.indexOf.get('a0')!)!)).toBe('layers 0 – 2 · 4 nodes each')
    const both = visibilityOf(view, [hide('b', THROUGH), hide('', HIDDEN)])
    expect(drawnGraph(view, grouping, NONE, both).nodes).toEqual([])
    expect(visibilityOf(view, [])).toBeNull()
  })
})

describe('open instances', () => {
  it('are one typical layer of a large graph at first', () => {
    expect(foldsAtFirst(view, grouping)).toBe(false)
    const large = layeredView(100)
    expect(foldsAtFirst(large, structureOf(large)!)).toBe(true)
    expect([...firstOpen(grouping, new Set())]).toEqual(['0/0'])
    expect([...firstOpen(grouping, new Set([at('c2'), at('c3')]))]).toEqual(['0/2', '2/2'])
    const [layer, ...parts] = view.outline!
    const odd = {
      ...view,
      outline: [{ ...layer!, differs: [{ instance: 0, what: 'has no add', nodes: [] }] }, ...parts],
    }
    expect([...firstOpen(structureOf(odd)!, new Set())]).toEqual(['0/1'])
    // Two periods of four layers: every layer has a match, and one is open.
    const periods = [layer!.instances.slice(0, 4).flat(), layer!.instances.slice(4).flat()]
    const nested = {
      ...view,
      outline: [
        { ...layer!, id: 9, label: 'block', instances: periods },
        { ...layer!, parent: 9, perParent: 4 },
        ...parts,
      ],
    }
    const all = new Set(view.nodes.keys())
    expect([...firstOpen(structureOf(nested)!, all)]).toEqual(['9/0', '0/0', '1/0', '2/0'])
  })

  it('include those around a node, and lose what is inside a folded one', () => {
    expect(pathOf(grouping, at('c5')).map((i) => instanceTitle(grouping.instances[i]!))).toEqual(['layer 5', 'MLP'])
    const open = new Set(revealing(grouping, [at('c5'), at('x')]))
    expect([...open].sort()).toEqual(['0/5', '1/5', '2/5'])
    expect([...without(grouping, open, 5)]).toEqual([])
    expect(revealing(grouping, ['a0', 'a1', 'a2', 'a3'].map(at))).toEqual([])
    expect([...openWith(grouping, open, [6, 7])].sort()).toHaveLength(9)
  })
})

it('the graph after a pass folds as the graph before it', () => {
  const added = { ...view.nodes[at('c3')]!, name: 'fused' }
  const nodes = view.nodes.flatMap((n) => (n.name === 'c3' ? [added] : n.name === 'e' ? [] : [n]))
  const after: GraphView = { nodes, problems: [] }
  for (const replaced of [[{ nodes: ['c3'], added: ['fused'] }], []]) {
    const derived = derivedGrouping(grouping, view, after, replaced)
    const drawn = drawnGraph(after, derived, new Set(['0/3', '2/3']))
    expect(titles(drawn)).toEqual(['x', 'Layer × 3', 'Attention', 'fused', 'd3', 'Layer × 4', 'end'])
  }
})

it('folds 50,000 nodes; work that grows with their square would take minutes', () => {
  const large = layeredView(10_000)
  const groups = structureOf(large)!
  expect(titles(drawnGraph(large, groups, firstOpen(groups, new Set())))).toHaveLength(5)
})
