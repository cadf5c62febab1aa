/**
 * The key of a layout. A graph with the same node sizes and edges as an earlier graph reuses its layout, so that an edit of Python
 * never causes a new layout and a return to a graph is immediate.
 */
import type { LayoutInput, LayoutRole } from './types'

const ROLES: Record<LayoutRole, number> = { node: 1, compact: 2, source: 3 }

/** A 53-bit hash of everything that the layout depends on (the mixing of cyrb53), with the number of nodes. */
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
