/** The selection on the graphs before and after a stage. */
import { memoizeLast } from '../../../base/memoize'
import type { StageView } from '../../../engine/pipeline/types'
import type { Report } from '../../../engine/protocol'
import { positions } from '../../../engine/queries/report_index'
import { useView, type SelectedFrom } from '../../session/view_store'
import type { Highlight } from '../../report/highlight'
import { rewriteMap, type RewriteMap } from '../../report/rewrite_map'
import { usePipeline } from './store'
import { graphOn, matchesOfStage, selectedAt, selectionOf, type StageSide } from './stage_view'

/** The nodes drawn as selected, by side. */
export type StageLit = Readonly<Record<StageSide, ReadonlySet<string>>>

/** The selected node of a graph between the passes, which a Selection may be unable to express. */
export interface StagePick {
  side: StageSide
  name: string
}

/**
 * Selecting a node that the stage replaced highlights its replacement, and the reverse.
 * @param chosen the node that was selected on one of the two graphs; null: the selection decides
 */
export const stageLit = memoizeLast(
  (stage: StageView, report: Report | null, h: Highlight, chosen: StagePick | null): StageLit => {
    const direct = chosen
      ? { before: only(chosen, 'before'), after: only(chosen, 'after') }
      : { before: inGraph(stage, h.before), after: ofSelection(stage, report, h) }
    return { before: withOther(stage, report, direct, 'before'), after: withOther(stage, report, direct, 'after') }
  },
)

const only = ({ side, name }: StagePick, of: StageSide): ReadonlySet<string> => new Set(side === of ? [name] : [])

function inGraph({ before }: StageView, names: ReadonlySet<string>): ReadonlySet<string> {
  const at = before && positions(before)
  return new Set([...names].filter((n) => at?.has(n)))
}

/** The nodes that a selected match of this stage added are highlighted although a later stage may remove them. */
function ofSelection(stage: StageView, report: Report | null, h: Highlight): ReadonlySet<string> {
  const own = h.match && report && matchesOfStage(report, stage).includes(h.match.match) ? h.match.match.added : []
  const at = positions(stage.graph)
  return new Set([...selectedAt(stage, h), ...own.filter((n) => at.has(n))])
}

/** The map between the graphs before and after a stage; null if the graph before it is not known. */
export const rewriteOfStage = memoizeLast(
  (stage: StageView, report: Report): RewriteMap | null =>
    stage.before && rewriteMap(stage.before, stage.graph, matchesOfStage(report, stage)),
)

function withOther(stage: StageView, report: Report | null, direct: StageLit, side: StageSide): ReadonlySet<string> {
  if (!stage.before) return direct[side]
  const other = side === 'before' ? 'after' : 'before'
  const graph = positions(graphOn(stage, side)!)
  const map = report && rewriteOfStage(stage, report)?.[other]
  const lit = new Set(direct[side])
  for (const name of direct[other])
    for (const n of map?.get(name) ?? (graph.has(name) && !isNew(stage, name) ? [name] : [])) lit.add(n)
  return lit
}

/** True for a name that the stage gave to a different node. */
const isNew = ({ added }: StageView, name: string): boolean => added.includes(name)

/** Selects a node of one of the two graphs; null: none. */
export function selectAt(stage: StageView, side: StageSide, name: string | null, from: SelectedFrom = side): void {
  useView.getState().select(name === null ? null : selectionAt(stage, side, name), from)
  usePipeline.setState({ picked: name === null ? null : { side, name, seq: useView.getState().seq } })
}

/** A node that the stage removes is identified by its name in the graph before the passes, if it exists there. */
function selectionAt(stage: StageView, side: StageSide, name: string) {
  if (side === 'after' || !stage.removed.includes(name)) return selectionOf(stage, name)
  return stage.at === 1 ? ({ kind: 'node', side: 'before', name } as const) : null
}
