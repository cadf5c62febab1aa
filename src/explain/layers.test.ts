import { describe, expect, it } from 'vitest'
import { outlineOf, read } from '../fx'
import { decoder, type Change } from '../fx/outline/testing/model_text'
import type { AppliedMatch } from '../matcher/observer'
import { withLayers } from './layers'
import { NO_MESSAGE, type NearMissFold } from './near_misses'
import type { PassToExplain } from './pass'

/** A pass whose pattern matches at the last node of each layer but one, and the near miss there. */
function missing(layers: number, at: number, change: Change): { pass: PassToExplain; fold: NearMissFold } {
  const { graph } = read(decoder({ layers, changes: { [at]: change } }), 'graph')
  const ends = outlineOf(graph).groups[0]!.instances.map((names) => names.at(-1)!)
  const matches = ends.flatMap((node, k) => (k === at ? [] : [{ entry: 0, node } as AppliedMatch]))
  const fold: NearMissFold = {
    entry: 0,
    phase: 'initial',
    count: 1,
    anchors: [ends[at]!],
    mismatch: null,
    reason: '',
    aligned: [],
    taken: false,
    ...NO_MESSAGE,
  }
  return { pass: { graph, matches } as unknown as PassToExplain, fold }
}

describe('a near miss in one of many layers', () => {
  it('names how the layer differs from those that match', () => {
    const { pass, fold } = missing(12, 5, 'extra-cast')
    const [cause] = withLayers(pass, [fold])[0]!.causes!
    expect(cause!.kind).toBe('unlike-layers')
    expect(cause!.sentence).toMatch(
      /^11 of 12 layers match; layer 5 also has prims\.convert_element_type\.default \(n356\) between n355 and n357$/,
    )
    expect(cause!.graphNode).toBe('n356')
    expect(cause!.parts).toContainEqual({ node: 'n356' })
  })

  it('names it where the graph lacks the shapes that decide', () => {
    const { pass, fold } = missing(12, 5, 'extra-cast')
    const anchors = pass.matches.map((m) => m.node)
    const unshaped: NearMissFold = {
      ...{ ...fold, anchors, count: anchors.length },
      dropReason: { kind: 'unknown-shape', nodes: [] } as never,
    }
    const [, missed] = withLayers({ ...pass, matches: [] }, [unshaped, fold])
    expect(missed!.causes![0]!.sentence).toMatch(/^11 of 12 layers match if the shapes allow; layer 5 also has /)
  })

  it('says nothing where the layers are equal, where few match, or for nodes that another pattern took', () => {
    const { pass, fold } = missing(12, 5, 'extra-cast')
    expect(withLayers({ ...pass, matches: pass.matches.slice(0, 3) }, [fold])).toEqual([fold])
    expect(withLayers(pass, [{ ...fold, taken: true }])[0]!.causes).toBeUndefined()
    const equal = missing(12, 5, 'constant')
    const moved = { ...equal.fold, anchors: [outlineOf(equal.pass.graph).groups[0]!.instances[6]!.at(-1)!] }
    expect(withLayers(equal.pass, [moved])[0]!.causes).toBeUndefined()
  })
})
