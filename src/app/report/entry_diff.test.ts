import { describe, expect, it } from 'vitest'
import { diffEntries, splitPair } from './entry_diff'
import { entry } from '../../engine/queries/testing/report_fixture'

describe('two leaves compared', () => {
  it('shows only differing lines, in pairs', () => {
    const diff = diffEntries(
      entry(0, 'P', { text: 'a\nb 1\nc', bindings: { k: '128', same: 'x' } }),
      entry(1, 'P', { text: 'a\nb 2\nc\nd', bindings: { k: '64', same: 'x' } }),
    )
    expect(diff.bindings).toEqual([{ name: 'k', left: '128', right: '64' }])
    expect(diff.lines).toEqual([
      { left: 'b 1', right: 'b 2' },
      { left: null, right: 'd' },
    ])
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
