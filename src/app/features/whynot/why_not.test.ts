import { describe, expect, it } from 'vitest'
import { message, node, plainText, worded, type Message } from '../../../base/message'
import type { Attempt, Cause, Mismatch, NearMiss } from '../../../engine/protocol'
import { attemptSentence, foldAttempts } from '../node/attempts'
import { missesOn } from '../graph/canvas_view'
import { splitPair } from '../patterns/diff'
import { entry, fused, graph, pass, report, WORKSPACE } from '../../testing/report_fixture'
import { highlightOf, NOTHING } from '../selection/highlight'
import { alignedText, arrange, headline, timesText, whyNot } from './why_not'
import { isExplaining } from '../../session/report_index'
import { diffLines } from './why_not_diff'
import { stillFits } from './why_not_edits'
import type { LocatedDebugLine } from '../../../engine/report/debug_output'
import { readOutput } from '../paste_output/why_not_output'
import { entryOfPin, patternsFor, pinOf } from './why_not_pin'
import { placesOf } from './why_not_places'

const cause = (more: Partial<Cause>): Cause => ({
  kind: 'constant',
  patternNode: null,
  source: null,
  graphNode: null,
  argument: null,
  expected: null,
  found: null,
  stage: null,
  reason: { kind: 'no-pass' },
  ...worded([more.sentence ?? '']),
  ...more,
})
const eps = cause({ argument: 'eps', expected: '1e-6', found: '1e-5', sentence: 'eps is 1e-5, not 1e-6' })
const scale = cause({ argument: 'scale', expected: 'True', found: 'False', sentence: 'scale is False, not True' })

const miss = (index: number, entryIndex: number, more: Partial<NearMiss> = {}): NearMiss => ({
  index,
  entry: entryIndex,
  phase: 'initial',
  count: 1,
  anchors: ['relu'],
  mismatch: null,
  reason: '',
  aligned: [],
  taken: false,
  ...worded([more.sentence ?? '']),
  why: [more.sentence ?? ''],
  score: 3,
  of: 4,
  ...more,
})
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
    expect(headline(r, whyNot(r)).detail).toBe('The nearest aligns 3 of 4 nodes at 1 place; one cause.')
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

describe('a fix', () => {
  const edits = [
    { file: '/home/user/patterns.py', from: { line: 2, column: 3 }, to: { line: 2, column: 4 }, text: 'y' },
  ]
  const of = (text: string) => ({ ...WORKSPACE, files: [{ name: 'patterns.py', text }] })
  it('applies only to the text that it was made for', () => {
    const then = of('a\nb x\n')
    expect(stillFits(edits, then, of('a\nb x\n'))).toBe(true)
    expect(stillFits(edits, then, of('a\n\nb x\n'))).toBe(false)
    expect(stillFits(edits, null, then)).toBe(false)
    expect(stillFits(edits, of('a\nb'), of('a\nb'))).toBe(false)
    expect(stillFits([], then, then)).toBe(false)
  })
  it('is shown as lines, without diff headers', () => {
    const text = '--- a/f.py\n+++ b/f.py\n@@ -1,2 +1,2 @@\n     a\n-  b\n+  c\n@@ -9 +9 @@\n   d\n'
    expect(diffLines(text).map((l) => ('text' in l ? `${l.kind} ${l.text}` : l.kind))).toEqual([
      'file f.py',
      'same   a',
      'remove b',
      'add c',
      'gap',
      'same d',
    ])
  })
  it('marks the changed part of a line, and shortens the equal parts of a long one', () => {
    const call = (x: string) =>
      `%call_1 : [num_users=1] = call_function[target=torch.ops.aten.mm.default](args = (%a, ${x}), kwargs = {p: 1})`
    const lines = diffLines(`@@ -1 +1,2 @@\n-${call('%b')}\n+%view : view\n+${call('%view')}\n`)
    const parts = lines.map((l) => ('parts' in l ? l.parts : null))
    expect(parts.map((p) => p?.changed ?? null)).toEqual(['b', null, 'view'])
    expect(parts[2]!.before).toBe('%call_1 : [num_users=1] = ca … fault](args = (%a, %')
    expect(parts[2]!.after.endsWith(' …')).toBe(false)
  })
})

describe('a pin', () => {
  const of = (...list: ReturnType<typeof entry>[]) => report({ passes: [pass({ entries: list })] })
  const [a, b] = [entry(0, 'Fuse', { bindings: { size: '1' } }), entry(1, 'Fuse', { bindings: { size: '2' } })]
  const pin = pinOf(pass(), b, 'relu')
  it('finds its pattern again after registrations move', () => {
    expect(entryOfPin(of(a, b), pin)?.entry.index).toBe(1)
    expect(entryOfPin(of({ ...b, index: 0 }), pin)?.entry.index).toBe(0)
    expect(entryOfPin(of(a), pin)).toBeNull()
    expect(entryOfPin(of(a, { ...b, bindings: { size: '3' } }), pin)?.entry.index).toBe(1)
  })
  it('lists patterns with a near miss at the node first', () => {
    const r = report({ passes: [pass({ entries: [a, b], nearMisses: [miss(0, 1)] })] })
    expect(patternsFor(r, 'relu').map((p) => [p.entry.index, p.near])).toEqual([
      [1, true],
      [0, false],
    ])
  })
})

describe('PyTorch’s output', () => {
  const line = (at: number, means: Message, more: Partial<LocatedDebugLine> = {}): LocatedDebugLine => ({
    line: at,
    text: plainText(means),
    kind: 'initial-failed',
    node: 'a',
    reasonKind: null,
    reason: null,
    reasonNodes: [],
    partText: null,
    patternText: null,
    truncated: false,
    nodeIndex: 0,
    about: [],
    pass: null,
    entry: null,
    means,
    misleads: null,
    cause: null,
    ...more,
  })
  it('groups equal lines of several layers, and separates nodes that the graph lacks', () => {
    const read = readOutput([
      line(1, message`${node('mul_1')} has 2 users`),
      line(2, message`${node('mul_7')} has 2 users`),
      line(3, message`${node('mul_9')} has 2 users`, { nodeIndex: null }),
      line(4, ['it matches'], { kind: 'initial-matched' }),
      line(5, ['a warning'], { kind: 'other', node: null, nodeIndex: null }),
    ])
    expect(read.failed.map((g) => g.lines.map((l) => l.line))).toEqual([[1, 2], [3]])
    expect([read.matched.length, read.other.length, read.elsewhere]).toEqual([1, 1, 1])
  })
})

describe('attempts at a node', () => {
  const attempt = (entry: number, more: Partial<Attempt>): Attempt => ({
    entry,
    phase: 'initial',
    node: 'getitem',
    ok: false,
    reason: 'function_mismatch: …',
    nodes: null,
    ...more,
  })
  const mismatch: Mismatch = {
    kind: 'function_mismatch',
    graphNode: 'split',
    patternNode: 0,
    argument: null,
    expected: 'silu',
    found: 'split',
  }
  it('are grouped by their suffix', () => {
    const groups = foldAttempts([attempt(0, { mismatch }), attempt(1, { mismatch }), attempt(1, { ok: true })])
    expect(groups.map((g) => [g.outcome, g.attempts.length])).toEqual([
      ['failed', 2],
      ['ok', 1],
    ])
    expect(groups[0]!.sentence).toBe('The graph has split where the pattern has silu (split)')
  })
  it('show PyTorch’s text if there is nothing more specific', () => {
    expect(attemptSentence(attempt(0, {}))).toBe('function_mismatch: …')
  })
})

describe('two lines that differ', () => {
  it('differ in whole words', () => {
    const { left, right } = splitPair('f(x, ue8m0=False, y)', 'f(x, ue8m0=True, y)')
    expect([left.changed, right.changed]).toEqual(['False', 'True'])
    expect(left.before + left.changed + left.after).toBe('f(x, ue8m0=False, y)')
    expect(splitPair('ab', 'ab c').right.changed).toBe(' c')
  })
})
