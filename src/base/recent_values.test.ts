import { describe, expect, it } from 'vitest'
import { RecentValues } from './recent_values'

describe('RecentValues', () => {
  it('keeps what was used last, within its nodes, and always the last', () => {
    const cache = new RecentValues<string>(10)
    cache.set('a', 'A', 4)
    cache.set('b', 'B', 4)
    expect(cache.get('a')).toBe('A')
    cache.set('c', 'C', 4)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C'])
    cache.set('large', 'L', 100)
    expect([cache.get('a'), cache.get('c'), cache.get('large')]).toEqual([undefined, undefined, 'L'])
  })

  it('counts a replaced entry once', () => {
    const cache = new RecentValues<string>(10)
    for (let i = 0; i < 9; i++) cache.set('a', 'A', 4)
    cache.set('b', 'B', 4)
    expect(cache.get('a')).toBe('A')
  })

  it('keeps at most a number of values', () => {
    const cache = new RecentValues<string>(Infinity, 2)
    for (const key of ['a', 'b', 'c']) cache.set(key, key, 1)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([undefined, 'b', 'c'])
  })
})
