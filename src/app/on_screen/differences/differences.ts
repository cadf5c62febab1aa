/** The differences between a graph and the graph after the passes, in the order of the first graph. */
import type { GraphView, MatchReport } from '../../../engine/protocol'
import { nearest } from '../../fold/filters'
import { positions } from '../../../engine/queries/report_index'

/** A replaced match, or connected nodes that code outside matches added or removed. */
export interface Difference {
  match: { pass: string; index: number } | null
  /** Nodes of the graph before; empty if nodes were only added. */
  old: readonly string[]
  /** Nodes of the graph after; empty if nodes were only removed. */
  now: readonly string[]
  /** Where to look in the graph that lacks the nodes: at their nearest input or user that both graphs have. */
  beside: string | null
}

export interface MatchOfPass {
  pass: { name: string }
  match: Pick<MatchReport, 'index' | 'nodes' | 'added'>
}

export function differencesBetween(
  before: GraphView,
  after: GraphView,
  matches: readonly MatchOfPass[],
): readonly Difference[] {
  const [old, now] = [positions(before), positions(after)]
  const found: Difference[] = []
  const [explained, added] = [new Set<string>(), new Set<string>()]
  for (const { pass, match } of matches) {
    const names = { old: match.nodes.filter((n) => old.has(n)), now: match.added.filter((n) => now.has(n)) }
    if (names.old.length + names.now.length === 0) continue
    for (const n of names.old) explained.add(n)
    for (const n of names.now) added.add(n)
    const beside = names.old.length === 0 || names.now.length === 0 ? besideOf(before, after, names) : null
    found.push({ match: { pass: pass.name, index: match.index }, ...names, beside })
  }
  for (const part of parts(before, (n) => !now.has(n) && !explained.has(n)))
    if (!joined(found, before, part, 'old'))
      found.push({ match: null, old: part, now: [], beside: besideOf(before, after, { old: part, now: [] }) })
  for (const part of parts(after, (n) => !old.has(n) && !added.has(n)))
    if (!joined(found, after, part, 'now'))
      found.push({ match: null, old: [], now: part, beside: besideOf(before, after, { old: [], now: part }) })
  const at = (d: Difference): number => old.get(d.old[0] ?? d.beside ?? '') ?? before.nodes.length
  return found.sort((a, b) => at(a) - at(b))
}

/**
 * Adds nodes to the one match that they are connected to, and returns whether there is one: nodes that only a replaced node used
 * are dead code and belong to its rewrite.
 */
function joined(found: Difference[], graph: GraphView, part: readonly string[], side: 'old' | 'now'): boolean {
  const at = positions(graph)
  const around = new Set<string>()
  for (const name of part) {
    const { inputs, users } = graph.nodes[at.get(name)!]!
    for (const i of [...inputs, ...users]) around.add(graph.nodes[i]!.name)
  }
  const touching = found.filter((d) => d.match !== null && d[side].some((n) => around.has(n)))
  if (touching.length !== 1) return false
  const [match] = touching
  found[found.indexOf(match!)] = { ...match!, [side]: [...match![side], ...part] }
  return true
}

/** The connected components of some nodes of a graph, each in graph order. */
function parts({ nodes }: GraphView, wanted: (name: string) => boolean): string[][] {
  const open = new Set(nodes.flatMap((n, i) => (wanted(n.name) ? [i] : [])))
  const found: string[][] = []
  for (const start of open) {
    open.delete(start)
    const part = [start]
    for (const i of part) for (const j of [...nodes[i]!.inputs, ...nodes[i]!.users]) if (open.delete(j)) part.push(j)
    found.push(part.sort((a, b) => a - b).map((i) => nodes[i]!.name))
  }
  return found
}

function besideOf(before: GraphView, after: GraphView, names: { old: string[]; now: string[] }): string | null {
  const [graph, own, other] =
    names.old.length > 0 ? [before, names.old, positions(after)] : [after, names.now, positions(before)]
  const at = positions(graph)
  return nearest(
    graph,
    own.flatMap((n) => at.get(n) ?? []),
    (name) => other.has(name),
  )
}
