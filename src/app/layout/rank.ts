import { networkSimplex } from './simplex'
import { stackComponents } from './shelves'
import type { Link, Topology } from './topology'
import type { LayoutInput } from './types'

/** A use further away than this, of a value with many users, is drawn as a chip. */
const FAR = 6
const MANY = 4
/** A use over more ranks than this is drawn as a chip: its edge would be longer than two screens at zoom 1. */
const LONG = 20

/**
 * Gives each ranked node a rank such that every link goes down at least one, and marks links between far ends of a hub,
 * and long ones, as refs. Ranks start as longest paths from the top and are then tightened (Gansner et al. 1993), which pulls
 * transposes of weights and mask preparation down to the nodes that need them.
 * @returns rank by node index, from 0; -1 for sources.
 */
export function assignRanks(input: LayoutInput, topo: Topology): Int32Array {
  const nodeCount = input.nodes.length
  const rank = new Int32Array(nodeCount).fill(-1)
  const incoming = groupBy(nodeCount, topo.links, (l) => l.to)
  const outgoing = groupBy(nodeCount, topo.links, (l) => l.from)
  for (const v of topo.order) {
    let r = 0
    for (const l of incoming[v]!) r = Math.max(r, rank[l.from]! + 1)
    rank[v] = r
  }
  markRefs(topo, rank, incoming, outgoing)
  // As late as possible without longer edges: a good start for the simplex.
  for (let i = topo.order.length - 1; i >= 0; i--) {
    const v = topo.order[i]!
    const outs = outgoing[v]!
    if (outs.length === 0) continue
    const ins = incoming[v]!.filter((l) => !l.ref).length
    const weight = outs.filter((l) => !l.ref).length
    if (ins > weight) continue
    let latest = Infinity
    for (const l of outs) latest = Math.min(latest, rank[l.to]! - 1)
    if (latest > rank[v]!) rank[v] = latest
  }
  networkSimplex(topo.order, topo.links, rank)
  stackComponents(input, topo, rank)
  markRefs(topo, rank, incoming, outgoing)
  for (const l of topo.links) l.ref ||= rank[l.to]! - rank[l.from]! > LONG
  return rank
}

function markRefs(topo: Topology, rank: Int32Array, incoming: Link[][], outgoing: Link[][]): void {
  for (const l of topo.links) {
    const span = rank[l.to]! - rank[l.from]!
    l.ref = span > FAR && (outgoing[l.from]!.length >= MANY || incoming[l.to]!.length > MANY)
  }
}

export function groupBy<T>(n: number, items: readonly T[], key: (item: T) => number): T[][] {
  const groups: T[][] = Array.from({ length: n }, () => [])
  for (const item of items) groups[key(item)]!.push(item)
  return groups
}
