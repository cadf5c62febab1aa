import { describe, expect, it } from 'vitest'
import { splitPair } from './diff'

describe('two lines that differ', () => {
  it('differ in whole words', () => {
    const { left, right } = splitPair('f(x, ue8m0=False, y)', 'f(x, ue8m0=True, y)')
    expect([left.changed, right.changed]).toEqual(['False', 'True'])
    expect(left.before + left.changed + left.after).toBe('f(x, ue8m0=False, y)')
    expect(splitPair('ab', 'ab c').right.changed).toBe(' c')
  })
})
