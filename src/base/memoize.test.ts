import { describe, expect, it, vi } from 'vitest'
import { memoizeByObject, memoizeLast, once } from './memoize'

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
