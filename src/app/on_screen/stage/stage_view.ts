/** Canvas view of the graph after a stage: added nodes, removed nodes, selection. */
import type { PipelineStage, StageView } from '../../../engine/pipeline/types'
import type { GraphView, MatchReport, Report } from '../../../engine/protocol'
import type { Selection } from '../../../workspace/types'
import type { CanvasGroup, Framing, Mark } from '../../canvas/types'
import { groupsOf } from '../canvas_view'
import type { Highlight } from '../../report/highlight'
import { positions } from '../../../engine/queries/report_index'
import { actingStages } from '../../report/pipeline'
import { NO_VIOLATIONS, type ViolationNotes } from '../../report/violations'

/** `after`: the stage's output graph; `before`: its input graph. */
export type StageSide = 'before' | 'after'

export const graphOn = (stage: StageView, side: StageSide): GraphView | null =>
  side === 'after' ? stage.graph : stage.before

/** The matches of the stage's pass, in the order of application. */
export function matchesOfStage({ pipeline, passes }: Report, { at }: StageView): readonly MatchReport[] {
  const of = pipeline && actingStages(pipeline)[at - 1]
  return (of?.pass == null ? undefined : passes[of.pass])?.matches ?? []
}

/** The matches of the stage's pass: the nodes they added (`after`) or replaced (`before`). */
export function stageGroups(
  report: Report | null,
  of: PipelineStage | undefined,
  graph: GraphView,
  side: StageSide,
): CanvasGroup[] {
  const pass = of?.pass == null ? undefined : report?.passes[of.pass]
  return pass ? groupsOf(report, graph, side, pass) : []
}

/** @param violations violations by the stage's pass, by node of that side */
export function stageMarks(
  stage: StageView,
  side: StageSide,
  violations: ViolationNotes = NO_VIOLATIONS,
): Map<string, Mark> {
  const [names, mark] = side === 'after' ? [stage.added, 'added' as const] : [stage.removed, 'removed' as const]
  const marks = new Map<string, Mark>(names.map((n) => [n, mark]))
  for (const name of violations.keys()) marks.set(name, 'violation')
  return marks
}

/** The selected nodes of the graphs before and after that also exist in this graph. */
export function selectedAt(stage: StageView, h: Highlight): Set<string> {
  const found = new Set<string>()
  for (const [i, { name }] of stage.graph.nodes.entries()) {
    if (stage.from[i] === 0 && h.before.has(name)) found.add(name)
    if (stage.until[i] === null && h.after.has(name)) found.add(name)
  }
  return found
}

/**
 * The selection of a node of the graph after a stage; null if the node is in neither the original nor the final graph.
 */
export function selectionOf(stage: StageView, name: string): Selection | null {
  const i = positions(stage.graph).get(name)
  if (i === undefined) return null
  if (stage.from[i] === 0) return { kind: 'node', side: 'before', name }
  return stage.until[i] === null ? { kind: 'node', side: 'after', name } : null
}

/** Maximum number of nodes to bring into view together; of more nodes, only the first. */
const TOGETHER = 24

/** The nodes that a stage changed, to bring into view when none of them is visible. */
export function stageFraming(stage: StageView, side: StageSide): Framing | null {
  const names = side === 'after' ? stage.added : stage.removed
  if (names.length === 0) return null
  return { names: names.length > TOGETHER ? names.slice(0, 1) : names, own: false, unlessSeen: names }
}

/** The stages that add and remove a node, in one sentence. @param nameOf returns a stage's name by its number */
export function fateOf(stage: StageView, name: string, nameOf: (at: number) => string): string | null {
  const i = positions(stage.graph).get(name)
  if (i === undefined) return null
  const [from, until] = [stage.from[i]!, stage.until[i]!]
  const came = from === 0 ? 'was in the original graph' : `was added by ${nameOf(from)}`
  return `${came}; ${until === null ? 'it is in the final graph' : `${nameOf(until)} removes it`}.`
}
