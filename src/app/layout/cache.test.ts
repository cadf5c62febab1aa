import { describe, expect, it } from 'vitest'
import { StructureCache, structureKey } from './cache'
import type { LayoutInput, LayoutNode } from './types'

const node = (inputs: number[], more: Partial<LayoutNode> = {}): LayoutNode => ({
  role: 'node',
  width: 208,
  height: 52,
  chipWidth: 70,
  inputs,
  ...more,
})
const input = (nodes: LayoutNode[], aspect = 1.6): LayoutInput => ({ nodes, aspect })

describe('the key of a structure', () => {
  const base = input([node([]), node([0]), node([0, 1])])

  it('is equal for equal structures', () => {
    expect(structureKey(structuredClone(base))).toBe(structureKey(base))
  })

  it('differs in each thing that the layout depends on', () => {
    const others = [
      input(base.nodes, 1.1),
      input([node([]), node([0]), node([1, 0])]),
      input([node([]), node([0, 0]), node([1])]),
      input([node([], { role: 'source' }), ...base.nodes.slice(1)]),
      input([node([], { width: 207 }), ...base.nodes.slice(1)]),
      input([node([], { height: 26 }), ...base.nodes.slice(1)]),
      input([node([], { chipWidth: 71 }), ...base.nodes.slice(1)]),
      input(base.nodes.slice(0, 2)),
    ]
    expect(new Set([base, ...others].map(structureKey)).size).toBe(others.length + 1)
  })

  it('differs between ten thousand small structures', () => {
    const keys = new Set<string>()
    for (let i = 0; i < 10_000; i++) keys.add(structureKey(input([node([]), node([0], { chipWidth: 52 + i / 64 })])))
    expect(keys.size).toBe(10_000)
  })
})

describe('the cache', () => {
  it('keeps what was used last, within its nodes, and always the last', () => {
    const cache = new StructureCache<string>(10)
    cache.set('a', 'A', 4)
    cache.set('b', 'B', 4)
    expect(cache.get('a')).toBe('A')
    cache.set('c', 'C', 4)
    expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', undefined, 'C'])
    cache.set('large', 'L', 100)
    expect([cache.get('a'), cache.get('c'), cache.get('large')]).toEqual([undefined, undefined, 'L'])
  })

  it('counts a replaced entry once', () => {
    const cache = new StructureCache<string>(10)
    for (let i = 0; i < 9; i++) cache.set('a', 'A', 4)
    cache.set('b', 'B', 4)
    expect(cache.get('a')).toBe('A')
  })
})
