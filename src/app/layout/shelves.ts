import type { Topology } from './topology'
import { SPACING, type LayoutInput } from './types'

/** Approximate height of one rank, in world units. */
const RANK_HEIGHT = 86
const CHIP_WIDTH = 110

interface Part {
  nodes: number[]
  ranks: number
  low: number
  width: number
}

/**
 * Assigns ranks to unconnected parts of a graph: side by side while they fit a shelf of the target shape, then on the
 * next shelf below. Without it a graph of many small parts is one very wide row.
 */
export function stackComponents(input: LayoutInput, topo: Topology, rank: Int32Array): void {
  const parts = findParts(input, topo, rank)
  const area = parts.reduce((sum, p) => sum + p.width * p.ranks * RANK_HEIGHT, 0)
  const tallest = Math.max(1, ...parts.map((p) => p.ranks))
  const widest = Math.max(0, ...parts.map((p) => p.width))
  // A tall part gets folded, and small parts far out beside it would make its first column wide.
  const room = tallest * RANK_HEIGHT > 2000 ? widest * 1.3 : Math.max(Math.sqrt(area * input.aspect) * 1.15, 1400)
  let top = 0
  let x = 0
  let shelf = 0
  // Tall parts first, so that parts on one shelf have similar heights. Equal parts keep the graph's order.
  for (const p of [...parts].sort((a, b) => b.ranks - a.ranks)) {
    if (x > 0 && x + p.width > room) {
      top += shelf
      x = 0
      shelf = 0
    }
    for (const v of p.nodes) rank[v]! += top - p.low
    x += p.width
    shelf = Math.max(shelf, p.ranks)
  }
}

function findParts(input: LayoutInput, topo: Topology, rank: Int32Array): Part[] {
  const parent = Int32Array.from({ length: input.nodes.length }, (_, i) => i)
  const find = (i: number): number => {
    while (parent[i] !== i) i = parent[i] = parent[parent[i]!]!
    return i
  }
  for (const l of topo.links) {
    const a = find(l.from)
    const b = find(l.to)
    if (a !== b) parent[Math.max(a, b)] = Math.min(a, b)
  }
  const byRoot = new Map<number, number[]>()
  for (const v of topo.order) {
    const list = byRoot.get(find(v))
    if (list) list.push(v)
    else byRoot.set(find(v), [v])
  }
  return [...byRoot.values()].map((nodes) => {
    let low = Infinity
    let high = -Infinity
    const widths = new Map<number, number>()
    for (const v of nodes) {
      const r = rank[v]!
      low = Math.min(low, r)
      high = Math.max(high, r)
      const chips = topo.chips.has(v) ? CHIP_WIDTH : 0
      widths.set(r, (widths.get(r) ?? 0) + input.nodes[v]!.width + chips + SPACING.nodeGap)
    }
    return { nodes, low, ranks: high - low + 1, width: Math.max(...widths.values()) }
  })
}
