/** The graphs on screen: before and after the passes, around a stage, or in a comparison. */
import { memoizeByObject, memoizeLast } from '../../base/memoize'
import type { CompareReport } from '../../engine/compare/types'
import type { StageView } from '../../engine/pipeline/types'
import type { GraphView, Report } from '../../engine/protocol'
import { graphOfSide, useRun } from '../session/run_store'
import { useView } from '../session/view_store'
import { pairsOf } from '../report/compared_pairs'
import { useCompare } from './compare/store'
import { usePipeline } from './stage/store'
import { rewriteOfStage, selectAt } from './stage/stage_selection'
import { rewriteOf } from '../report/rewrite_map'
import type { Pair } from './counterpart'

export type Side = 'before' | 'after'

const BEFORE: readonly Side[] = ['before']
const AFTER: readonly Side[] = ['after']
const BOTH: readonly Side[] = ['before', 'after']

/** The stage on screen; null while another view is. */
const stageNow = (): StageView | null => (useView.getState().stage === null ? null : usePipeline.getState().shown.value)

/** The sides that have a canvas. */
export function useSidesOnScreen(): readonly Side[] {
  const compared = useCompare((s) => s.compared.value !== null)
  const mode = useView((s) => s.mode)
  const chosen = useView((s) => s.stage !== null)
  const stage = usePipeline((s) => s.shown.value)
  const beside = usePipeline((s) => s.beside)
  if (compared) return BOTH
  if (chosen && stage) return beside && stage.before ? BOTH : AFTER
  return mode === 'split' ? BOTH : mode === 'after' ? AFTER : BEFORE
}

export interface GraphOnScreen {
  graph: GraphView | null
  /** `stage` and `plain` are produced by the report's passes from its graph. */
  view: 'plain' | 'stage' | 'compare'
}

const onScreen = memoizeByObject((graph: GraphView) =>
  memoizeLast((view: GraphOnScreen['view']): GraphOnScreen => ({ graph, view })),
)
const NO_GRAPH: GraphOnScreen = { graph: null, view: 'plain' }

/** A side's graph as shown on screen; the same object while nothing changes. */
export function useGraphOnScreen(side: Side): GraphOnScreen {
  const compared = useCompare((s) => s.compared.value)
  const chosen = useView((s) => s.stage !== null)
  const stage = usePipeline((s) => s.shown.value)
  const plain = useRun((s) => graphOfSide(s, side))
  if (compared) return onScreen(compared[side === 'before' ? 'old' : 'now'].graph)('compare')
  if (chosen && stage) {
    const graph = side === 'before' ? stage.before : stage.graph
    return graph ? onScreen(graph)('stage') : NO_GRAPH
  }
  return plain ? onScreen(plain)('plain') : NO_GRAPH
}

/** The two graphs side by side; null if there is only one. */
export function pairOnScreen(): Pair | null {
  const compared = useCompare.getState().compared.value
  if (compared) return ofComparison(compared)
  const report = useRun.getState().result.value
  const stage = stageNow()
  if (stage) return report && usePipeline.getState().beside ? ofStage(report, stage) : null
  return report && useView.getState().mode === 'split' ? ofReport(report) : null
}

const ofComparison = memoizeLast((report: CompareReport): Pair => ({
  ...{ before: report.old.graph, after: report.now.graph },
  ...{ map: pairsOf(report), named: false },
}))
const ofStage = memoizeLast((report: Report, stage: StageView): Pair | null => {
  const { before, graph: after } = stage
  const map = rewriteOfStage(stage, report)
  return before && map && { before, after, map, named: true }
})
const ofReport = memoizeLast(
  (report: Report): Pair | null =>
    report.after && { before: report.graph, after: report.after, map: rewriteOf(report), named: true },
)

/** Selects a node on its side's canvas, whichever graph the canvas shows. */
export function selectOnScreen(side: Side, name: string): void {
  const stage = stageNow()
  if (useCompare.getState().compared.value) useCompare.setState({ picked: { list: 'node', side, name } })
  else if (stage) selectAt(stage, side, name, 'panel')
  else useView.getState().select({ kind: 'node', side, name })
}
