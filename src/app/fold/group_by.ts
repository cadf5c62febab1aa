/** Groups a graph: initially by its layers, on request by modules, source lines, matches or patterns. */
import { memoizeByObject, memoizeLast } from '../../base/memoize'
import type { GraphView, Report } from '../../engine/protocol'
import type { GroupBy } from '../../workspace/types'
import { groupingByLine } from './by_line'
import { groupingByMatch } from './by_match'
import { groupingByModule } from './by_module'
import { instanceKey, structureOf } from './grouping'
import { firstOpen, foldsAtFirst } from './open'
import type { Grouping, OpenInstances } from './types'

const byMatch = memoizeLast((graph: GraphView, report: Report) => groupingByMatch(graph, report, true))
const byPattern = memoizeLast((graph: GraphView, report: Report) => groupingByMatch(graph, report, false))

/** Null if nothing can fold by this criterion. @param report determines the matches; null while there is none */
export function groupedBy(by: GroupBy, graph: GraphView, report: Report | null): Grouping | null {
  switch (by) {
    case 'layer':
      return structureOf(graph)
    case 'module':
      return groupingByModule(graph)
    case 'line':
      return groupingByLine(graph)
    case 'match':
      return report && byMatch(graph, report)
    case 'pattern':
      return report && byPattern(graph, report)
  }
}

const NO_MATCHES: ReadonlySet<number> = new Set()

/**
 * Instances that are open when the user chooses a grouping other than layers: the modules around repeated ones; in a large graph
 * one layer, in a small graph all.
 */
export const openOnRequest = memoizeByObject((grouping: Grouping): OpenInstances => {
  const { groups, instances, innermost } = grouping
  if (groups.some((g) => g.parent === null && !g.named)) {
    if (foldsAtFirst({ nodes: innermost }, grouping)) return firstOpen(grouping, NO_MATCHES)
    return new Set(instances.filter((i) => !i.group.named).map(instanceKey))
  }
  const around = new Set<number>()
  const inRun = new Uint8Array(instances.length)
  instances.forEach(({ group, parent }, i) => {
    inRun[i] = group.runs || (parent >= 0 && inRun[parent]) ? 1 : 0
    if (!group.runs || (parent >= 0 && inRun[parent])) return
    for (let outer = parent; outer >= 0; outer = instances[outer]!.parent) around.add(outer)
  })
  return new Set([...around].map((i) => instanceKey(instances[i]!)))
})
