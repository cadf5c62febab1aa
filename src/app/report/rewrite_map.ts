/** Maps nodes of one graph to the nodes that replaced them in the other: the map of the rewrites between two graphs. */
import { memoizeByObject } from '../../base/memoize'
import type { GraphView, Report } from '../../engine/protocol'
import { editsOf, indexOf, positions, type EditRef } from '../../engine/queries/report_index'

/** By the name of a replaced node: its replacements in the other graph, in graph order. */
export interface RewriteMap {
  before: ReadonlyMap<string, readonly string[]>
  after: ReadonlyMap<string, readonly string[]>
}

interface Replacement {
  nodes: readonly string[]
  added: readonly string[]
}

/** @param replaced in the order of application: a node that a later match replaced is followed to the last replacement */
export function rewriteMap(before: GraphView, after: GraphView, replaced: readonly Replacement[]): RewriteMap {
  return {
    before: followed(after, replaced.map(({ nodes, added }) => ({ from: nodes, to: added })).reverse()),
    after: followed(
      before,
      replaced.map(({ nodes, added }) => ({ from: added, to: nodes })),
    ),
  }
}

/** @param steps the steps nearest the end first @param end the graph that contains the resulting nodes */
function followed(
  end: GraphView,
  steps: readonly { from: readonly string[]; to: readonly string[] }[],
): Map<string, readonly string[]> {
  const at = positions(end)
  const found = new Map<string, readonly string[]>()
  for (const { from, to } of steps) {
    const names = [...new Set(to.flatMap((n) => found.get(n) ?? (at.has(n) ? [n] : [])))]
    names.sort((a, b) => at.get(a)! - at.get(b)!)
    if (names.length > 0) for (const n of from) found.set(n, names)
  }
  return found
}

/** The nodes that code on the graph put in place of a node. */
const replacedBy = ({ edit }: EditRef): Replacement[] =>
  edit.call === 'replace_all_uses_with' ? [{ nodes: [edit.node], added: [edit.text] }] : []

/** The map between the graphs before and after the passes. */
export const rewriteOf = memoizeByObject((report: Report): RewriteMap =>
  report.after
    ? rewriteMap(report.graph, report.after, [
        ...indexOf(report).matches.map(({ match }) => match),
        ...editsOf(report).flatMap(replacedBy),
      ])
    : { before: new Map(), after: new Map() },
)
