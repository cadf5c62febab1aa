/**
 * Locates a near miss on the graph. A report names the nodes that align for the first anchor only; in a graph of equal
 * layers, the same path from another anchor leads to the nodes that align there.
 */
import { memoizeByObject } from '../../base/memoize'
import type { Cause, GraphView, NearMiss, NodeView, Report } from '../protocol'
import { positions } from './report_index'

export interface NearMissPlace {
  anchor: string
  /** The aligned nodes, including the anchor. */
  nodes: string[]
  /** The culprit of the first cause. */
  culprit: string | null
  /** The node outside the match that the cause names, such as a second user of a value. */
  other: string | null
}

const placesIn = memoizeByObject((report: Report) => memoizeByObject((miss: NearMiss) => build(report.graph, miss)))

/** The places of a near miss; anchors inside an earlier place (outputs of one call) are omitted. */
export const placesOf = (report: Report, miss: NearMiss): NearMissPlace[] => placesIn(report)(miss)

function build(graph: GraphView, miss: NearMiss): NearMissPlace[] {
  const at = positions(graph)
  const cause: Cause | undefined = miss.causes?.[0]
  const culprit = cause?.graphNode ?? miss.mismatch?.graphNode ?? null
  const other = cause && cause.found !== null && at.has(cause.found) && cause.found !== culprit ? cause.found : null
  const first = miss.anchors[0]
  if (first === undefined) return []
  const wanted = [...new Set([first, ...miss.aligned, ...[culprit, other].filter((n) => n !== null)])]
  const slots = new Map(wanted.map((name, slot) => [name, slot]))
  const slotOf = (name: string | null): number => (name === null ? NONE : slots.get(name)!)
  const aligned = miss.aligned.map(slotOf)
  const walk = walkFrom(graph, at, wanted)
  const places: NearMissPlace[] = []
  const covered = new Set<string>()
  for (const anchor of miss.anchors) {
    if (covered.has(anchor)) continue
    const found = anchor === first ? wanted : follow(graph, at.get(anchor) ?? NONE, wanted.length, walk)
    const there = (slot: number): string | null => found[slot] ?? null
    const nodes = [anchor]
    for (const slot of aligned) {
      const name = there(slot)
      if (name !== null && !nodes.includes(name)) nodes.push(name)
    }
    let known = 0
    for (const n of nodes) if (covered.has(n)) known++
    if (places.length > 0 && known > nodes.length / 2) continue
    for (const n of nodes) covered.add(n)
    places.push({ anchor, nodes, culprit: there(slotOf(culprit)), other: there(slotOf(other)) })
  }
  return places
}

const NONE = -1

/** A step from a node to a neighbor: its nth input, or the nth of its users that are like the neighbor. */
interface Move {
  /** Index into the wanted nodes. */
  from: number
  to: number
  input: number | null
  nth: number
  op: string
  target: string
}

const targetOf = (n: NodeView): string => (n.op === 'call_function' ? (n.inner ?? n.target) : '')

const isLike = (n: NodeView, op: string, target: string): boolean => n.op === op && targetOf(n) === target

/** Moves from the first of the wanted nodes to the others. */
function walkFrom(graph: GraphView, at: Map<string, number>, wanted: readonly string[]): Move[] {
  const left = new Map(wanted.map((name, slot) => [name, slot]))
  left.delete(wanted[0]!)
  const moves: Move[] = []
  const queue = [0]
  for (let i = 0; i < queue.length && left.size > 0; i++) {
    const from = queue[i]!
    const node = graph.nodes[at.get(wanted[from]!) ?? NONE]
    if (!node) continue
    const reach = (index: number, input: number | null, nth: (next: NodeView) => number): void => {
      const next = graph.nodes[index]
      const to = next && left.get(next.name)
      if (to === undefined) return
      left.delete(next!.name)
      moves.push({ from, to, input, nth: nth(next!), op: next!.op, target: targetOf(next!) })
      queue.push(to)
    }
    node.inputs.forEach((index, k) => reach(index, k, () => 0))
    node.users.forEach((index, k) =>
      reach(index, null, (next) => {
        const target = targetOf(next)
        return node.users.slice(0, k).filter((u) => isLike(graph.nodes[u]!, next.op, target)).length
      }),
    )
  }
  return moves
}

/** Names by slot of the nodes to which the walk leads from another anchor. */
function follow(graph: GraphView, anchor: number, size: number, walk: readonly Move[]): (string | undefined)[] {
  const found = new Int32Array(size).fill(NONE)
  found[0] = anchor
  for (const { from, to, input, nth, op, target } of walk) {
    const node = graph.nodes[found[from]!]
    if (!node) continue
    const index = input === null ? nthUser(graph, node, { nth, op, target }) : node.inputs[input]
    const next = index === undefined ? undefined : graph.nodes[index]
    if (next && isLike(next, op, target)) found[to] = index!
  }
  return Array.from(found, (i) => graph.nodes[i]?.name)
}

function nthUser(graph: GraphView, { users }: NodeView, { nth, op, target }: Pick<Move, 'nth' | 'op' | 'target'>) {
  let left = nth
  return users.find((u) => isLike(graph.nodes[u]!, op, target) && left-- === 0)
}
