/** Compares a run of a capture with a graph that is in no capture: the recorded patterns are applied to it. */
import { compareGraphs } from '../../explain/compare/changes'
import type { Graph } from '../../fx'
import { compareRuns } from '../compare/compare_runs'
import type { CompareReport } from '../compare/types'
import { counterpartsIn, entriesOf, recordedSide, runOf, sideOf, titleOf, type CapturedSide } from './captured_side'
import { rerunOn } from './rerun'

/**
 * The recorded functions answer at a node's counterpart as they did in the recorded run; elsewhere extra_check is False.
 * @param role of the graph
 */
export function compareWithGraph(
  captured: CapturedSide,
  other: { name: string; graph: Graph },
  role: 'old' | 'new',
): CompareReport {
  const side = sideOf(captured, (id) => id)
  const titles = new Map(entriesOf(captured).map((e) => [e.id, titleOf(e)]))
  const toOther =
    role === 'new' ? compareGraphs(side.graph, other.graph).toNew : compareGraphs(other.graph, side.graph).toOld
  const rerun = (graph: Graph) =>
    runOf(
      side,
      rerunOn(side.capture, side.applications, graph, (node) => counterpartsIn(side.graph, toOther, node)),
    )
  const compared = { ...other, run: rerun(other.graph) }
  const [old, now] = role === 'old' ? [compared, recordedSide(side)] : [recordedSide(side), compared]
  return compareRuns(old, now, {
    rerun,
    titleOf: (_pass, entry) => titles.get(entry) ?? `pattern ${entry}`,
    causeAt: () => null,
  })
}
