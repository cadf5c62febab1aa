import { describe, expect, it } from 'vitest'
import type { Attempt, Mismatch } from '../../../engine/protocol'
import { attemptSentence, foldAttempts } from './attempts'

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
