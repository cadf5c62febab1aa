import { describe, expect, it } from 'vitest'
import type { Attempt, NearMiss, PassReport, Report } from '../../engine/protocol'
import { attemptSentence, foldAttempts } from './attempts'
import { splitPair } from './diff'
import { sentenceParts, whyNot } from './why_not'

const miss = (entry: number, index: number, more: Partial<NearMiss>): NearMiss => ({
  entry,
  index,
  phase: 'initial',
  count: 2,
  anchors: ['a'],
  mismatch: null,
  reason: '',
  aligned: [],
  taken: false,
  sentence: '',
  ...more,
})
const report = (nearMisses: NearMiss[]): Report =>
  ({ passes: [{ name: 'p', entries: [], nearMisses } as unknown as PassReport] }) as unknown as Report

describe('why not', () => {
  const far = '64 attempts failed in the initial stage: scale is False in the graph, True in the pattern'
  const near = '32 attempts matched in the initial stage and failed in the specific one: size is 128 in the graph'
  it('puts what matched and then failed first, and tells an equal cause once for all its variants', () => {
    const why = whyNot(
      report([
        miss(4, 0, { phase: 'specific', sentence: near }),
        miss(3, 1, { sentence: `${far} (call_95 and the like)` }),
        miss(1, 2, { sentence: `${far} (call_3 and the like)` }),
        miss(9, 3, { sentence: near, phase: 'specific', taken: true }),
      ]),
    )
    expect(why.close.map((g) => g.lead.miss.index)).toEqual([0])
    expect(why.further.map((g) => g.misses.map((m) => m.miss.entry))).toEqual([[1, 3]])
    expect(why.further[0]!.lead.miss.index).toBe(1)
    expect(why.taken).toHaveLength(1)
  })
  it('keeps causes of other numbers apart', () => {
    const why = whyNot(report([miss(0, 0, { sentence: far }), miss(1, 1, { sentence: far.replace('64', '63') })]))
    expect(why.further).toHaveLength(2)
  })
  it('parts a sentence into how often, why and where', () => {
    expect(sentenceParts(`${far} (call_95 and the like)`)).toEqual({
      lead: '64 attempts failed in the initial stage: ',
      why: 'scale is False in the graph, True in the pattern',
      where: ' (call_95 and the like)',
    })
    expect(sentenceParts('Nothing to part')).toEqual({ lead: '', why: 'Nothing to part', where: '' })
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
  const mismatch = {
    kind: 'function_mismatch',
    graphNode: 'split',
    patternNode: 0,
    argument: null,
    expected: 'silu',
    found: 'split',
  }
  it('are folded by their end', () => {
    const groups = foldAttempts([attempt(0, { mismatch }), attempt(1, { mismatch }), attempt(1, { ok: true })])
    expect(groups.map((g) => [g.outcome, g.attempts.length])).toEqual([
      ['failed', 2],
      ['ok', 1],
    ])
    expect(groups[0]!.sentence).toBe('The graph has split where the pattern has silu (split)')
  })
  it('speak PyTorch’s words where nothing better is known', () => {
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
