import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { read } from '../readers/read'
import { outlineOf } from './outline'
import { chain, decoder, encoderDecoder, experts, fused, type Change } from './testing/model_text'
import type { Outline, OutlineGroup } from './types'

const SEEDS = [0, 3, 7]
const outline = (text: string): Outline => outlineOf(read(text, 'graph').graph)
const top = (o: Outline): OutlineGroup[] => o.groups.filter((g) => g.level === 0 && g.times > 1)
const times = (o: Outline): number[] => top(o).map((g) => g.times)
const inside = (o: Outline, group: OutlineGroup): string[] =>
  o.groups.filter((g) => g.parent === group.id).map((g) => `${g.label ?? 'rest'} ${g.times}`)

describe('outline', () => {
  it.each(SEEDS)('finds layers and their parts whatever the order of nodes (%i)', (seed) => {
    for (const layers of [2, 3, 8, 24]) {
      const found = outline(decoder({ layers, seed }))
      expect(times(found)).toEqual([layers])
      expect(inside(found, found.groups[0]!)).toEqual([`attention ${layers}`, `MLP ${layers}`])
      expect(found.groups[0]!.differs).toEqual([])
    }
  })

  it('puts each node in exactly one instance at level 0, and each node of an instance in one of its parts', () => {
    const text = experts({ layers: 6, seed: 5 }, 4)
    const { groups } = outline(text)
    const names = (of: readonly OutlineGroup[]): string[] => of.flatMap((g) => g.instances.flat()).sort()
    const all = [...read(text, 'graph').graph.nodes()].map((n) => n.name).sort()
    expect(names(groups.filter((g) => g.level === 0))).toEqual(all)
    for (const group of groups) {
      const parts = groups.filter((g) => g.parent === group.id)
      if (parts.length > 0) expect(names(parts)).toEqual(names([group]))
    }
  })

  const DIFFERENCES: [Change, RegExp][] = [
    ['no-residual', /^has no residual add \(aten\.add\.Tensor\)$/],
    ['mul-for-add', /^has aten\.mul\.Tensor \(\w+\) where its siblings have aten\.add\.Tensor$/],
    ['extra-cast', /^also has prims\.convert_element_type\.default \(\w+\) between \w+ and \w+$/],
    ['constant', /^has 1e-05 as argument 1 of aten\.add\.Tensor \(\w+\), its siblings 1e-06$/],
    ['swapped', /^has the operands of aten\.add\.Tensor \(\w+\) in the other order$/],
    ['swapped-gate', /^has the operands of aten\.mul\.Tensor \(\w+\) in the other order$/],
    ['escaping', /^has a value that leaves it: \w+ is also an output of the graph$/],
  ]
  it.each(DIFFERENCES)('names the layer with %s', (change, what) => {
    for (const [at, seed] of [
      [0, 0],
      [5, 3],
      [11, 7],
    ] as const) {
      const found = outline(decoder({ layers: 12, changes: { [at]: change }, seed }))
      expect(times(found)).toEqual([12])
      const [first, ...others] = found.groups[0]!.differs
      expect(first).toMatchObject({ instance: at, what: expect.stringMatching(what) as string })
      expect(others.filter((d) => d.kind !== 'escaping')).toEqual([])
    }
  })

  it.each(SEEDS)('keeps what a layer returns with the layer (%i)', (seed) => {
    const found = outline(decoder({ layers: 6, caches: true, seed }))
    expect(top(found).map((g) => [g.times, g.nodes, g.differs.length])).toEqual([[6, 60, 0]])
  })

  it.each(SEEDS)('finds a first layer without the residual that a fused kernel adds (%i)', (seed) => {
    const found = outline(fused({ layers: 8, seed }))
    expect(times(found)).toEqual([8])
    expect(found.groups[0]!.differs.every((d) => d.instance === 0)).toBe(true)
    expect(found.groups[0]!.differs[0]!.what).toContain('fused_add_rms_norm')
  })

  it.each(SEEDS)('separates the stacks of an encoder and a decoder (%i)', (seed) => {
    expect(times(outline(encoderDecoder({ layers: 6, seed }, 6)))).toEqual([6, 6])
    expect(times(outline(encoderDecoder({ layers: 12, seed }, 4)))).toEqual([12, 4])
  })

  it.each(SEEDS)('finds experts inside layers, and dense layers before them (%i)', (seed) => {
    const found = outline(experts({ layers: 6, seed }, 8))
    expect(times(found)).toEqual([6])
    expect(found.groups.some((g) => g.times === 48 && g.perParent === 8)).toBe(true)
    expect(times(outline(experts({ layers: 12, seed }, 4, 3)))).toEqual([9, 3])
    expect(times(outline(experts({ layers: 6, seed }, 4, 1)))).toEqual([5])
  })

  it('begins a layer with its norm, in a Dynamo graph of two layers', () => {
    const found = outline(readFileSync('conformance/graphs/fmt_dynamo_llama2.graph.txt', 'utf8'))
    expect(found.groups[0]).toMatchObject({ times: 2, nodes: 76, label: 'layer' })
    expect(found.groups[0]!.first.slice(0, 2)).toEqual(['hidden_states', 'pow_1'])
    expect(inside(found, found.groups[0]!)).toEqual(['attention 2', 'MLP 2'])
  })

  it('finds layers without residuals, and nothing where nothing repeats', () => {
    expect(times(outline(chain({ layers: 10, seed: 2 })))).toEqual([10])
    const text = `graph():
    %a : [num_users=1] = placeholder[target=a]
    %b : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%a,), kwargs = {})
    return (b,)`
    expect(outline(text).groups).toMatchObject([{ times: 1, nodes: 3, first: ['a', 'b', 'output'], label: null }])
    expect(outline('graph():\n').groups).toEqual([])
  })
})
