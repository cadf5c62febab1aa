/**
 * Locates a near miss on the graph. A report names the nodes that align for the first anchor only; in a graph of equal
 * layers, the same path from another anchor leads to the nodes that align there.
 */
import type { Cause, GraphView, NearMiss, NodeView, Report } from '../../../engine/protocol'
import { positions } from '../../session/report_index'

export interface NearMissPlace {
  anchor: string
  /** The aligned nodes, including the anchor. */
  nodes: string[]
  /** The culprit of the first cause. */
  culprit: string | null
  /** The node outside the match that the cause names, such as a second user of a value. */
  other: string | null
}

const made = new WeakMap<Report, Map<NearMiss, NearMissPlace[]>>()

/** The places of a near miss; anchors inside an earlier place (outputs of one call) are omitted. */
export function placesOf(report: Report, miss: NearMiss): NearMissPlace[] {
  let known = made.get(report)
  if (!known) made.set(report, (known = new Map()))
  let places = known.get(miss)
  if (!places) known.set(miss, (places = build(report.graph, miss)))
  return places
}

function build(graph: GraphView, miss: NearMiss): NearMissPlace[] {
  const at = positions(graph)
  const cause: Cause | undefined = miss.causes?.[0]
  const culprit = cause?.graphNode ?? miss.mismatch?.graphNode ?? null
  const other = cause && cause.found !== null && at.has(cause.found) && cause.found !== culprit ? cause.found : null
  const first = miss.anchors[0]
  if (first === undefined) return []
  const wanted = [...new Set([first, ...miss.aligned, ...[culprit, other].filter((n) => n !== null)])]
  const walk = walkFrom(graph, at, first, wanted)
  const places: NearMissPlace[] = []
  const covered = new Set<string>()
  for (const anchor of miss.anchors) {
    if (covered.has(anchor)) continue
    const found = anchor === first ? new Map(wanted.map((n) => [n, n])) : follow(graph, at, anchor, first, walk)
    const there = (name: string | null): string | null => (name === null ? null : (found.get(name) ?? null))
    const nodes = [...new Set([anchor, ...miss.aligned.flatMap((n) => there(n) ?? [])])]
    if (places.length > 0 && nodes.filter((n) => covered.has(n)).length > nodes.length / 2) continue
    for (const n of nodes) covered.add(n)
    places.push({ anchor, nodes, culprit: there(culprit), other: there(other) })
  }
  return places
}

/** A step from a node to a neighbor: its nth input, or the nth of its users with the same target. */
interface Move {
  from: string
  to: string
  input: number | null
  nth: number
  look: string
}

const lookOf = (n: NodeView): string => `${n.op} ${n.op === 'call_function' ? (n.inner ?? n.target) : ''}`

function walkFrom(graph: GraphView, at: Map<string, number>, start: string, wanted: readonly string[]): Move[] {
  const left = new Set(wanted)
  left.delete(start)
  const moves: Move[] = []
  const queue = [start]
  for (let i = 0; i < queue.length && left.size > 0; i++) {
    const from = queue[i]!
    const node = graph.nodes[at.get(from) ?? -1]
    if (!node) continue
    const reach = (index: number, input: number | null, nth: number): void => {
      const next = graph.nodes[index]
      if (!next || !left.delete(next.name)) return
      moves.push({ from, to: next.name, input, nth, look: lookOf(next) })
      queue.push(next.name)
    }
    node.inputs.forEach((index, k) => reach(index, k, 0))
    usersByLook(graph, node).forEach((users) => users.forEach((index, nth) => reach(index, null, nth)))
  }
  return moves
}

const looks = new WeakMap<NodeView, Map<string, number[]>>()

function usersByLook(graph: GraphView, node: NodeView): Map<string, number[]> {
  const known = looks.get(node)
  if (known) return known
  const users = new Map<string, number[]>()
  looks.set(node, users)
  for (const index of node.users) {
    const user = graph.nodes[index]
    if (!user) continue
    const look = lookOf(user)
    const list = users.get(look)
    if (list) list.push(index)
    else users.set(look, [index])
  }
  return users
}

function follow(
  graph: GraphView,
  at: Map<string, number>,
  anchor: string,
  first: string,
  walk: readonly Move[],
): Map<string, string> {
  const found = new Map([[first, anchor]])
  for (const { from, to, input, nth, look } of walk) {
    const node = graph.nodes[at.get(found.get(from) ?? '') ?? -1]
    if (!node) continue
    const index = input === null ? usersByLook(graph, node).get(look)?.[nth] : node.inputs[input]
    const next = index === undefined ? undefined : graph.nodes[index]
    if (next && lookOf(next) === look) found.set(to, next.name)
  }
  return found
}
