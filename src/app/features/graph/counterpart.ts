/** Which node of one side stands where a node of the other side is: itself, or its replacement by the rewrite. */
import { memoizeByObject } from '../../../base/memoize'
import type { Report } from '../../../engine/protocol'
import { indexOf, positions } from '../../session/report_index'

/** Counterparts by name, for nodes that are replaced; any other node has itself. */
interface Counterparts {
  before: ReadonlyMap<string, string>
  after: ReadonlyMap<string, string>
}

/**
 * A match is replaced as a whole: its nodes are spread over the added ones in order, so that the first stands for the first
 * and the last for the last, and the added ones over its nodes.
 */
const counterparts = memoizeByObject((report: Report): Counterparts => {
  const before = new Map<string, string>()
  const after = new Map<string, string>()
  for (const { match } of indexOf(report).matches) {
    const old = inGraphOrder(report.graph, match.nodes)
    const added = report.after ? inGraphOrder(report.after, match.added) : []
    old.forEach((name, i) => added.length > 0 && before.set(name, spread(added, i, old.length)))
    added.forEach((name, i) => old.length > 0 && after.set(name, spread(old, i, added.length)))
  }
  return { before, after }
})

const spread = (names: readonly string[], i: number, of: number): string =>
  names[of === 1 ? names.length - 1 : Math.round((i * (names.length - 1)) / (of - 1))]!

function inGraphOrder(graph: Report['graph'], names: readonly string[]): string[] {
  const at = positions(graph)
  return names.filter((n) => at.has(n)).sort((a, b) => at.get(a)! - at.get(b)!)
}

/** @param side of `name` @returns the node of the other side; null if that side has none */
export function counterpartOf(report: Report, side: 'before' | 'after', name: string): string | null {
  const other = side === 'before' ? report.after : report.graph
  const found = counterparts(report)[side].get(name) ?? name
  return other && positions(other).has(found) ? found : null
}
