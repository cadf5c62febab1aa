import { describe, expect, it } from 'vitest'
import { explanations, statusText, variantsSentence } from './report_text'
import { entry, fused, pass, report } from './testing/report_fixture'
import { plainText } from '../../base/message'
import type { TreeNode } from '../protocol'

describe('sentences', () => {
  const leaf = (fired: number): TreeNode => ({
    kind: 'leaf',
    label: 'l',
    fired,
    leaves: 1,
    pass: 'p',
    entry: 0,
    children: [],
  })
  const cls = (leaves: TreeNode[]): TreeNode => ({
    kind: 'class',
    label: 'c',
    fired: leaves.reduce((n, l) => n + l.fired, 0),
    leaves: leaves.length,
    pass: 'p',
    children: leaves,
  })
  it('summarizes the variants', () => {
    expect(variantsSentence(cls([leaf(32), ...Array.from({ length: 15 }, () => leaf(0))]))).toBe(
      '16 variants: 1 fired 32 times, 15 did not fire',
    )
    expect(variantsSentence(cls([leaf(0), leaf(0)]))).toBe('2 variants: none fired')
    expect(variantsSentence(leaf(1))).toBe('1 pattern: 1 fired 1 time')
  })
  it('counts the matches of all passes', () => {
    expect(statusText(fused())).toBe('1 match')
    expect(statusText(report({ passes: [pass({ count: 30 }), pass({ count: 2 })] }))).toBe('32 matches')
  })
  it('explains an empty result', () => {
    expect(explanations(report({ passes: [pass({ entries: [entry(0, 'a')] })] })).map(plainText)).toEqual([
      'patterns has no near misses in this graph (1 pattern).',
    ])
    expect(
      plainText(explanations(report({ passes: [pass({ applyError: 'AssertionError: extra_check' })] }))[0]!),
    ).toContain('AssertionError')
  })
})
