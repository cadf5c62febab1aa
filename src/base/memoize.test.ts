import { describe, expect, it, vi } from 'vitest'
import { memoizeByObject, memoizeLast, once, memoizeByText } from './memoize'

describe('memoizeLast', () => {
  it('calls the function again only for other arguments', () => {
    const fn = vi.fn((a: number, b: object | null) => ({ a, b }))
    const memoized = memoizeLast(fn)
    const key = {}
    const first = memoized(1, key)
    expect(memoized(1, key)).toBe(first)
    expect(memoized(1, {})).not.toBe(first)
    expect(memoized(1, null)).toEqual({ a: 1, b: null })
    expect(fn).toHaveBeenCalledTimes(3)
  })
})

describe('memoizeByObject', () => {
  it('calls the function once per object, even if the result is undefined', () => {
    const fn = vi.fn((): undefined => undefined)
    const memoized = memoizeByObject(fn)
    const [a, b] = [{}, {}]
    for (const key of [a, b, a, b]) memoized(key)
    expect(fn).toHaveBeenCalledTimes(2)
  })
})

it('makes a value once, also one that is undefined', () => {
  let made = 0
  const value = once(() => void made++)
  value()
  value()
  expect(made).toBe(1)
})

describe('memoizeByText', () => {
  it('remembers a bounded number of results, and no promise that rejects', async () => {
    const calls: string[] = []
    const of = memoizeByText((text) => calls.push(text), 2)
    for (const text of ['a', 'a', 'b', 'c', 'a']) of(text)
    expect(calls).toEqual(['a', 'b', 'c', 'a'])
    const failing = memoizeByText(async (text) => {
      if (calls.push(text) < 6) throw new Error(text)
      return text
    }, 2)
    await expect(failing('x')).rejects.toThrow('x')
    expect(await failing('x')).toBe('x')
  })
})
