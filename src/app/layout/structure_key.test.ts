import { describe, expect, it } from 'vitest'
import { structureKey } from './structure_key'
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
