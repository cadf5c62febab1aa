/**
 * Layouts by structure: a graph with the same nodes' sizes and the same edges as an earlier one takes its layout, so that
 * an edit of Python alone never lays out again and a return to a graph draws it at once.
 */
import type { LayoutInput, LayoutRole } from './types'

/** Nodes of the layouts that are kept, all together; a layout takes about 1 kB a node. */
const MAX_NODES = 60_000

const ROLES: Record<LayoutRole, number> = { node: 1, compact: 2, source: 3 }

/** A 53-bit hash of all that the layout depends on (the mixing of cyrb53), with the number of nodes. */
export function structureKey({ nodes, aspect }: LayoutInput): string {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  const add = (n: number): void => {
    a = Math.imul(a ^ n, 2654435761)
    b = Math.imul(b ^ n, 1597334677)
    b ^= a >>> 15
  }
  add(Math.round(aspect * 1000))
  for (const { role, width, height, chipWidth, inputs } of nodes) {
    add(ROLES[role])
    add(Math.round(width * 64))
    add(Math.round(height * 64))
    add(Math.round(chipWidth * 64))
    add(~inputs.length)
    for (let j = 0; j < inputs.length; j++) add(inputs[j]!)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return `${nodes.length}:${(4294967296 * (2097151 & b) + (a >>> 0)).toString(36)}`
}

/** Keeps the values that were used last, up to a number of nodes; always the last one. */
export class StructureCache<T> {
  /** In the order of use. */
  private readonly entries = new Map<string, { value: T; nodes: number }>()
  private total = 0

  constructor(private readonly maxNodes = MAX_NODES) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  set(key: string, value: T, nodes: number): void {
    this.total += nodes - (this.entries.get(key)?.nodes ?? 0)
    this.entries.delete(key)
    this.entries.set(key, { value, nodes })
    for (const [oldest, entry] of this.entries) {
      if (this.total <= this.maxNodes || this.entries.size === 1) break
      this.entries.delete(oldest)
      this.total -= entry.nodes
    }
  }
}
