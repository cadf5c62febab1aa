import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { read } from '../readers/read'
import { outlineOf } from './outline'
import * as models from './testing/other_models'
import type { OutlineGroup } from './types'

/** The groups as `label × times per instance of the parent`, with their parts. */
function tree(text: string): { found: string[]; groups: readonly OutlineGroup[]; target: (name: string) => string } {
  const { graph } = read(text, 'graph')
  const { groups } = outlineOf(graph)
  const all = [...graph.nodes()].map((n) => n.name).sort()
  expect(
    groups
      .filter((g) => g.level === 0)
      .flatMap((g) => g.instances.flat())
      .sort(),
  ).toEqual(all)
  const show = (g: OutlineGroup): string => {
    const inner = groups.filter((p) => p.parent === g.id && p.label !== null).map(show)
    return `${g.label} ${g.perParent}${inner.length > 0 ? ` (${inner.join(', ')})` : ''}`
  }
  const targets = new Map([...graph.nodes()].map((n) => [n.name, n.target]))
  const found = groups.filter((g) => g.level === 0 && g.times > 1).map(show)
  return { found, groups, target: (name) => targets.get(name)! }
}

describe('outline of other models', () => {
  it('separates an encoder from a decoder that attends to it, with each layer from its norm to its last sum', () => {
    for (const [encoder, decoder] of [
      [4, 4],
      [6, 8],
      [3, 6],
    ] as const) {
      const { groups, target } = tree(models.speech(encoder, decoder))
      const layers = groups.filter((g) => g.level === 0 && g.times > 1)
      expect(layers.map((g) => g.times).sort()).toEqual([encoder, decoder].sort())
      for (const { first, differs } of layers) {
        expect(differs).toEqual([])
        const computed = first.map(target).filter((t) => t.includes('.'))
        expect([computed[0], computed.at(-1)]).toEqual(['torch.nn.functional.layer_norm', 'operator.add'])
      }
    }
  })

  it('finds periods of several layers, and the equal layers in them', () => {
    expect(tree(models.hybrid(12)).found).toEqual(['layer 3 (MLP 3 (MLP 1, MLP 1), layer 1 (attention 1, MLP 1))'])
    const { found, groups } = tree(models.alternating(12))
    expect(found).toEqual(['layer 6 (layer 1 (attention 1, MLP 1), layer 1 (attention 1, MLP 1))'])
    expect(groups.flatMap((g) => g.differs)).toEqual([])
  })

  it('finds layers of which the first computes a table that all use', () => {
    for (const [encoder, decoder] of [
      [3, 3],
      [6, 6],
      [7, 3],
    ] as const) {
      const { found, groups } = tree(models.biased(encoder, decoder))
      expect(found.sort()).toEqual(
        [`layer ${encoder} (attention 1, MLP 1)`, `layer ${decoder} (attention 2, MLP 1)`].sort(),
      )
      expect(groups.flatMap((g) => g.differs)).toEqual([])
    }
  })

  it.each([
    [2, false],
    [5, true],
  ])(
    'begins each of %i layers with its norm, although attention and MLP have only one (saved: %s)',
    (layers, saves) => {
      const { groups, target } = tree(models.parallel(layers, saves))
      expect(groups[0]).toMatchObject({ times: layers, label: 'layer', differs: [] })
      for (const instance of groups[0]!.instances) {
        const computed = instance.map(target).filter((t) => t.includes('.'))
        expect(computed[0]).toMatch(/norm$/)
        expect(computed.at(-1)).toBe('operator.add')
      }
    },
  )

  it('separates two towers of similar layers', () => {
    const { found, groups } = tree(models.towers(8, 6))
    expect(found).toEqual(['layer 8 (attention 1, MLP 1)', 'layer 6 (attention 1, MLP 1)'])
    expect(groups.flatMap((g) => g.differs)).toEqual([])
  })

  it('finds many small instances, in a row and side by side', () => {
    expect(tree(models.perceptron(12)).found).toEqual(['block 12'])
    expect(tree(models.lookups(26)).found).toEqual(['block 26'])
    expect(tree(models.perceptron(3)).found).toEqual([])
  })

  it('counts the first expert, which has nothing to add to, and steps with an index', () => {
    for (const checked of [false, true])
      expect(tree(models.mixture(6, 8, checked)).found).toEqual(['layer 6 (experts 1 (MLP 8), attention 1)'])
    expect(tree(models.scans(6, 5)).found[0]).toMatch(/^block 6 \(block \d\)$/)
  })

  it('leaves the convolution beside the first block to that block', () => {
    const { found, groups } = tree(models.residualBlocks(6))
    expect(found).toEqual(['convolution 6'])
    expect(groups[0]!.differs).toMatchObject([{ instance: 0, kind: 'extra' }])
    expect(groups[0]!.differs[0]!.what).toMatch(/^also has torch\.conv2d \(\w+\) and torch\.batch_norm \(\w+\)$/)
  })

  it.each([[[3, 3, 9, 3]], [[2, 2, 6, 2]], [[2, 4]]])('leaves what is between stages outside (%j)', (stages) => {
    const { found, groups } = tree(models.staged(stages))
    const blocks = stages.reduce((a, b) => a + b)
    expect(found).toEqual([`block ${blocks}`])
    expect(groups[0]!.instances.map((i) => i.length)).toEqual(new Array(blocks).fill(groups[0]!.nodes))
  })

  it('begins a layer of a backward graph with the gradient of its MLP, and finds the last one, which computes its input', () => {
    const { found, groups } = tree(readFileSync('src/fx/outline/testing/llama3_backward.graph.txt', 'utf8'))
    expect(found).toEqual(['layer 3'])
    expect(groups[0]!.instances.map(([first]) => first)).toEqual(['view_40', 'view_59', 'embedding'])
    expect(groups[0]!.instances.map((i) => i.includes('add_33'))).toEqual([true, false, false])
    expect(groups[0]!.differs.map(({ instance, what }) => [instance, what])).toEqual([
      [2, 'has no placeholder'],
      [2, 'has a value that leaves it: embedding is also used outside, by add_6'],
    ])
  })

  it('leaves a shared mask, what it is made of and its check outside', () => {
    const { found, groups } = tree(models.checkedMask(2))
    expect(found).toEqual(['layer 2 (attention 1, MLP 1)'])
    expect(groups[0]!.differs).toEqual([])
  })
})
