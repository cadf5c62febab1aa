/** The repeated parts of a graph that hold each node: "layer 17", "mlp 17". */
import { memoizeByObject, memoizeLast } from '../../../../base/memoize'
import type { GraphView, Report } from '../../../../engine/protocol'
import { derivedGrouping } from '../../../fold/derived'
import { structureOf } from '../../../fold/grouping'
import type { Grouping } from '../../../fold/types'

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
  for (const { group, at, nodes } of grouping?.instances ?? [])
    for (const n of nodes) {
      const known = parts.get(n)
      const part = `${group.label} ${at}`
      if (known) known.push(part)
      else parts.set(n, [part])
    }
  return parts
}
