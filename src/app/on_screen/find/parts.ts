/** The repeated parts of a graph that contain each node: "layer 17", "MLP 17"; "stack 1" if two stacks have layers. */
import { memoizeByObject, memoizeLast } from '../../../base/memoize'
import type { GraphView, Report } from '../../../engine/protocol'
import { derivedGrouping } from '../../fold/derived'
import { structureOf } from '../../fold/grouping'
import { stacksOf } from '../../fold/stacks'
import type { Grouping } from '../../fold/types'

/** By index of the node, the outermost part first; nodes outside all parts are absent. */
export type Parts = ReadonlyMap<number, readonly string[]>

/** A graph, and the report whose passes may have produced it. */
interface PartsContext {
  graph: GraphView
  report: Report | null
  /** True if the graph is the result of the report's passes on the report's graph. */
  made?: boolean
}

/** The graph after the passes has the same parts as the graph before them. */
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
