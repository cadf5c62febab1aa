/** Steps through the differences of the two graphs on screen: before and after, around a stage, or of a comparison. */
import { memoizeLast } from '../../../base/memoize'
import type { CompareReport } from '../../../engine/compare/types'
import type { StageView } from '../../../engine/pipeline/types'
import type { Report } from '../../../engine/protocol'
import type { Selection } from '../../../workspace/types'
import { canvasOf } from '../../commands/surfaces'
import { indexOf } from '../../../engine/queries/report_index'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useCompare, type CompareStore } from '../compare/store'
import { actingStages } from '../../report/pipeline'
import { selectAt } from '../stage/stage_selection'
import { usePipeline } from '../stage/store'
import { differencesBetween, type Difference } from './differences'

/** Places in a list of differences. */
export interface Steps {
  /** Index of the shown difference; -1: none. */
  at: number
  of: number
  go(at: number): void
}

/** Inputs of the steps: the parts of the stores that decide what is on screen. */
export interface OnScreen {
  report: Report | null
  selection: Selection | null
  stage: StageView | null
  /** Name of the selected node of a stage. */
  picked: string | null
  compared: Pick<CompareStore, 'compared' | 'picked'>
}

export function onScreen(): OnScreen {
  const { shown, picked } = usePipeline.getState()
  const { selection, stage: at, seq } = useView.getState()
  const report = useRun.getState().result.value
  return {
    report,
    selection,
    stage: at !== null && shown.value?.before ? shown.value : null,
    picked: picked?.seq === seq ? picked.name : null,
    compared: useCompare.getState(),
  }
}

/** Null if no two graphs can be compared. */
export function stepsOf({ report, selection, stage, picked, compared }: OnScreen): Steps | null {
  if (compared.compared.value) return comparedSteps(compared.compared.value, compared.picked)
  if (!report) return null
  const all = stage ? ofStage(report, stage) : report.after ? ofReport(report) : []
  if (all.length === 0) return null
  const at = all.findIndex((d) => isShown(d, selection, picked))
  return { at, of: all.length, go: (i) => (stage ? showAtStage(stage, all[i]!) : show(all[i]!)) }
}

const ofReport = memoizeLast((report: Report) =>
  differencesBetween(report.graph, report.after!, indexOf(report).matches),
)

const ofStage = memoizeLast((report: Report, stage: StageView) => {
  const of = report.pipeline && actingStages(report.pipeline)[stage.at - 1]
  const pass = of?.pass == null ? undefined : report.passes[of.pass]
  return differencesBetween(stage.before!, stage.graph, pass?.matches.map((match) => ({ pass, match })) ?? [])
})

function isShown({ match, old, now }: Difference, selection: Selection | null, picked: string | null): boolean {
  if (selection?.kind === 'match') return match?.pass === selection.pass && match.index === selection.index
  const name = picked ?? (selection?.kind === 'node' ? selection.name : null)
  return name !== null && (now.includes(name) || old.includes(name))
}

/** Both canvases show a selected match themselves; any other node is missing on one of them. */
function show({ match, old, now, beside }: Difference): void {
  const { mode, setMode, select } = useView.getState()
  if (mode !== 'split') setMode('split')
  if (match) return select({ kind: 'match', ...match })
  const side = old.length > 0 ? 'before' : 'after'
  select({ kind: 'node', side, name: (old[0] ?? now[0])! })
  const other = canvasOf(side === 'before' ? 'after' : 'before')
  if (beside !== null) other?.focusNodes([beside])
}

function showAtStage(stage: StageView, { match, old, now, beside }: Difference): void {
  if (match) useView.getState().select({ kind: 'match', ...match })
  else if (now.length > 0) selectAt(stage, 'after', now[0]!, 'panel')
  else selectAt(stage, 'before', old[0]!, 'panel')
  const there = beside === null ? [] : [beside]
  // The canvases first open folded parts around the selection.
  requestAnimationFrame(() => {
    canvasOf('after')?.focusNodes(now.length > 0 ? [...now] : there)
    canvasOf('before')?.focusNodes(old.length > 0 ? [...old] : there)
  })
}

function comparedSteps(report: CompareReport, picked: CompareStore['picked']): Steps | null {
  const all = (['lost', 'won', 'changes'] as const).flatMap((list) =>
    report[list].flatMap(({ places }, index) => places.map((_, place) => ({ list, index, place }))),
  )
  if (all.length === 0) return null
  const same = (p: (typeof all)[number]): boolean =>
    picked?.list === p.list && p.index === picked.index && p.place === picked.place
  return { at: all.findIndex(same), of: all.length, go: (i) => useCompare.setState({ picked: all[i]! }) }
}

/** Goes to the next or the previous difference, with wraparound. */
export function stepDifference(by: 1 | -1): void {
  const steps = stepsOf(onScreen())
  if (!steps) return
  const from = steps.at < 0 && by < 0 ? 0 : steps.at
  steps.go((from + by + steps.of) % steps.of)
}
