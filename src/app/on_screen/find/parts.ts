/** The repeated parts of a graph that hold each node: "layer 17", "MLP 17"; "stack 1" where two stacks have layers. */
import { memoizeByObject, memoizeLast } from '../../../base/memoize'
import type { GraphView, Report } from '../../../engine/protocol'
import { derivedGrouping } from '../../fold/derived'
import { structureOf } from '../../fold/grouping'
import { stacksOf } from '../../fold/stacks'
import type { Grouping } from '../../fold/types'

/** By index of the node, the outermost part first; nodes outside all parts are absent. */
export type Parts = ReadonlyMap<number, readonly string[]>

/** A graph and the report that it may be the graph after the passes of. */
interface PartsContext {
  graph: GraphView
  report: Report | null
  /** The graph is what passes of the report made of its graph so far. */
  made?: boolean
}

/** What passes make of a graph has the parts of that graph. */
export const partsOf = ({ graph, report, made }: PartsContext): Parts =>
  report && (made || report.after === graph) ? partsMade(graph)(report) : partsBefore(graph)

const partsBefore = memoizeByObject((graph: GraphView): Parts => partsIn(structureOf(graph)))

const partsMade = memoizeByObject((graph: GraphView) =>
  memoizeLast((report: Report): Parts => {
    const grouping = structureOf(report.graph)
    const replaced = report.passes.flatMap((p) => p.matches)
    return partsIn(grouping && derivedGrouping(grouping, report.graph, graph, replaced))
  }),
)

function partsIn(grouping: Grouping | null): Parts {
  const parts = new Map<number, string[]>()
  const stacks = grouping && stacksOf(grouping)
  for (const { group, at, nodes } of grouping?.instances ?? []) {
    const stack = stacks!.get(group.index)
    const own = [...(stack === undefined ? [] : [`stack ${stack}`]), `${group.label} ${at}`]
    for (const n of nodes) {
      const known = parts.get(n)
      if (known) known.push(...own)
      else parts.set(n, [...own])
    }
  }
  return parts
}
