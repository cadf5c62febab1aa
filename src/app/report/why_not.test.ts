import { describe, expect, it } from 'vitest'
import { message, node, worded } from '../../base/message'
import type { Cause, NearMiss } from '../../engine/protocol'
import { cause, miss } from '../../engine/queries/testing/cause_fixture'
import { entry, fused, graph, pass, report, WORKSPACE } from '../../engine/queries/testing/report_fixture'
import { isExplaining } from '../../engine/queries/report_index'
import { missesOn } from '../on_screen/canvas_view'
import { highlightOf, NOTHING } from './highlight'
import { alignedText, arrange, headline, timesText, whyNot } from '../../engine/queries/why_not'
import { placesOf } from '../../engine/queries/why_not_places'

const eps = cause({ argument: 'eps', expected: '1e-6', found: '1e-5', sentence: 'eps is 1e-5, not 1e-6' })
const scale = cause({ argument: 'scale', expected: 'True', found: 'False', sentence: 'scale is False, not True' })

const entries = [0, 1, 2].map((i) => entry(i, 'Fuse', { bindings: { size: `${i}` } }))
const withMisses = (...nearMisses: NearMiss[]) => report({ passes: [pass({ entries, nearMisses })] })

describe('why not', () => {
  it('lists a shared first cause once, with the message of the nearest pattern', () => {
    const r = withMisses(
      miss(0, 0, { causes: [eps, scale] }),
      miss(1, 1, { causes: [eps] }),
      miss(2, 2, { causes: [scale], score: 1 }),
    )
    const { near } = whyNot(r)
    expect(near.map((v) => v.misses.map((m) => m.miss.entry))).toEqual([[1, 0], [2]])
    expect(near[0]!.lead.miss.index).toBe(1)
  })
  it('explains no missing pass to files without a definition', () => {
    const causes = [
      cause({ reason: { kind: 'no-pass' } }),
      cause({ reason: { kind: 'no-pass', misplaced: 'torch.fx.x' } }),
    ]
    const general = (r: ReturnType<typeof report>) => whyNot(r).general.map(({ cause: c }) => c.reason)
    expect(general(report({ causes }))).toEqual([{ kind: 'no-pass', misplaced: 'torch.fx.x' }])
    const pipeline = { stages: [], defined: [], uuid: '', defines: ['def f(x, y) at a.py:3'] }
    expect(general(report({ causes, pipeline }))).toHaveLength(2)
  })
  it('separates further near misses and anchors that another pattern matched', () => {
    const r = withMisses(
      miss(0, 0, { causes: [eps] }),
      miss(1, 0, { causes: [scale], score: 2 }),
      miss(2, 1, { taken: true, causes: [cause({ kind: 'taken', sentence: 'A took it' })] }),
    )
    const why = whyNot(r)
    expect([why.near.length, why.further.length, why.taken.length]).toEqual([1, 1, 1])
    expect(why.further[0]!.lead.miss.index).toBe(1)
  })
  it('separates equal causes with other values, and groups equal causes of other layers', () => {
    const at = (found: string) => cause({ kind: 'escaping-intermediate', found, sentence: `used by ${found}` })
    const r = withMisses(
      miss(0, 0, { causes: [at('abs_3')] }),
      miss(1, 1, { causes: [at('abs_7')] }),
      miss(2, 2, { causes: [at('neg')] }),
    )
    expect(whyNot(r).near.map((v) => v.misses.length)).toEqual([2, 1])
  })
  it('separates causes of whole patterns from causes of the pass', () => {
    const about = (more: Partial<Cause>) => cause({ kind: 'root-absent', sentence: 'never tried', ...more })
    const why = whyNot(report({ passes: [pass({ entries, causes: [about({ entry: 1 }), about({})] })] }))
    expect([why.general.length, why.apart[0]!.entry!.index]).toEqual([1, 1])
  })
  it('shows PyTorch’s mismatch if no cause is known', () => {
    const r = withMisses(miss(0, 0, { sentence: '2 attempts failed in the initial stage: dim is 1' }))
    expect(headline(r, whyNot(r)).detail).toBe('The nearest near miss aligns 3 of 4 nodes at 1 place; one cause.')
  })
  it('begins with the headline', () => {
    const r = withMisses(miss(0, 0, { causes: [eps, scale] }))
    expect(headline(r, whyNot(r)).title).toBe('None of the 3 patterns fired.')
    expect(headline(r, whyNot(r)).detail).toContain('2 causes')
    const f = fused()
    expect(headline(f, whyNot(f)).title).toBe('1 of 3 patterns fired 1 time.')
    expect(headline(report(), whyNot(report())).title).toBe('No pattern to try.')
  })
  it('filters by pattern, cause and node, and orders by places', () => {
    const r = withMisses(miss(0, 0, { causes: [eps] }), miss(1, 1, { causes: [scale], anchors: ['a', 'b'], score: 2 }))
    const { near } = whyNot(r)
    expect(arrange(r, near, 'size=1', 'near').map((v) => v.lead.miss.entry)).toEqual([1])
    expect(arrange(r, near, 'EPS', 'near').map((v) => v.lead.miss.entry)).toEqual([0])
    expect(arrange(r, near, '', 'places').map((v) => v.lead.miss.entry)).toEqual([1, 0])
    expect(arrange(r, near, 'nothing', 'pattern')).toEqual([])
  })
  it('is incomplete while explanations are pending', () => {
    expect(isExplaining(report({ passes: [pass(), pass({ explained: false })] }))).toBe(true)
    expect(isExplaining(report({ passes: [pass()] }))).toBe(false)
  })
})

/** Two equal layers; in each, another user of relu keeps the pattern neg(relu(x)) from firing. */
const layers = graph(`
  x placeholder
  relu aten.relu x
  abs aten.abs relu
  neg aten.neg relu
  relu_1 aten.relu neg
  abs_1 aten.abs relu_1
  neg_1 aten.neg relu_1
  out output neg_1 abs abs_1`)
const escaping = miss(0, 0, {
  anchors: ['neg', 'neg_1'],
  aligned: ['relu', 'neg'],
  causes: [
    cause({
      kind: 'escaping-intermediate',
      graphNode: 'relu',
      found: 'abs',
      ...worded(message`${node('relu')} is used by ${node('abs')} too`),
    }),
  ],
})

describe('places', () => {
  const r = report({ graph: layers, passes: [pass({ entries, nearMisses: [escaping] })] })
  it('are located in equal layers by the same path', () => {
    expect(placesOf(r, escaping)).toEqual([
      { anchor: 'neg', nodes: ['neg', 'relu'], culprit: 'relu', other: 'abs' },
      { anchor: 'neg_1', nodes: ['neg_1', 'relu_1'], culprit: 'relu_1', other: 'abs_1' },
    ])
    expect(timesText(r, escaping)).toBe('2 near misses, same cause')
    expect(alignedText(escaping)).toBe('aligned 3 of 4')
  })
  it('are listed once for several anchors in one place', () => {
    const both = { ...escaping, anchors: ['neg', 'relu'] }
    expect(placesOf({ ...r }, both)).toHaveLength(1)
  })
  it('are outlined with their culprits, except where a newer report has a match', () => {
    const { groups, culprits } = missesOn(r, r, layers, 'before', NOTHING)
    expect(groups.map((g) => [g.id, g.nodes, g.kind])).toEqual([
      ['patterns!0@neg', ['neg', 'relu'], 'nearMiss'],
      ['patterns!0@neg_1', ['neg_1', 'relu_1'], 'nearMiss'],
    ])
    expect([...culprits]).toEqual([
      ['relu', 'relu is used by abs too'],
      ['relu_1', 'relu_1 is used by abs_1 too'],
    ])
    const match = {
      index: 0,
      entry: 0,
      node: 'neg',
      nodes: ['relu', 'neg'],
      outputs: [],
      inputs: {},
      map: [],
      added: [],
    }
    const fired = report({ graph: layers, passes: [pass({ entries, matches: [{ ...match, map: [] }] })] })
    expect(missesOn(r, fired, layers, 'before', NOTHING).groups).toHaveLength(1)
    expect(missesOn(r, r, layers, 'after', NOTHING).groups).toEqual([])
  })
  it('are highlighted alone when selected', () => {
    const h = highlightOf({ kind: 'nearMiss', pass: 'patterns', index: 0, place: 'neg_1' }, r, layers, WORKSPACE)
    expect([[...h.before], h.culprit, h.place]).toEqual([['neg_1', 'relu_1'], 'relu_1', 'neg_1'])
  })
})
