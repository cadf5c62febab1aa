/**
 * Requests the graphs between the passes from the engine, refreshes the shown one after each run, edits the list of
 * passes.
 */
import { actingStages } from '../../report/pipeline'
import { usePipeline } from './store'
import { askRun } from '../../session/ask/ask_run'
import { useRun } from '../../session/run_store'
import { isOf, NONE } from '../../session/section'
import { useView, toastUndo } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { messageOf } from '../../../base/error_message'
import { settled } from '../../session/runner'
import { currentSession, type OpenPart } from '../../session/session'

/** Shows the graph after stage `at` (0: the original graph); null returns to the graphs before and after. */
export async function showStage(at: number | null): Promise<void> {
  const signal = currentSession().only('stage')
  useView.setState({ stage: at })
  if (at === null) return usePipeline.setState({ shown: NONE, sentTitle: null, failure: null, picked: null })
  try {
    await settled()
    const shown = await askRun(signal, 'The graphs between the passes appear here', (engine) =>
      engine.stage(Math.min(at, lastStage()), signal),
    )
    if (signal.aborted) return
    const { value: stage } = shown
    usePipeline.setState({ shown, sentTitle: null, failure: null, picked: null })
    if (stage.at !== at) useView.setState({ stage: stage.at })
  } catch (e) {
    if (!signal.aborted) usePipeline.setState({ failure: messageOf(e) })
  }
}

export const lastStage = (): number => {
  const pipeline = useRun.getState().result.value?.pipeline
  return pipeline ? actingStages(pipeline).length : 0
}

/** Moves one stage forward or back; from the graph before or after, it starts at that end. */
export function stepStage(by: 1 | -1): void {
  const { stage } = useView.getState()
  const last = lastStage()
  const at = stage === null ? (by > 0 ? 0 : last) : Math.min(Math.max(0, stage + by), last)
  if (at !== stage) void showStage(at)
}

/** Sets the passes to apply, as one undoable change. @param what the toast's text: `first is off.` */
export function changePasses(passes: string[] | undefined, what: string): void {
  const { workspace, setPasses } = useWorkspace.getState()
  forgetToast()
  usePipeline.setState((s) => ({ undo: [...s.undo.slice(-49), { passes: workspace.passes, what }] }))
  setPasses(passes)
  toastUndo(what, undoPasses)
}

/** Undoes the last change of the list made in this panel. */
export function undoPasses(): void {
  const { undo } = usePipeline.getState()
  const last = undo.at(-1)
  if (!last) return
  forgetToast()
  usePipeline.setState({ undo: undo.slice(0, -1) })
  useWorkspace.getState().setPasses(last.passes)
}

/** The toast offers to undo the last change only. */
function forgetToast(): void {
  const { toasts, dismiss } = useView.getState()
  const what = usePipeline.getState().undo.at(-1)?.what
  for (const t of toasts) if (t.text === what) dismiss(t.id)
}

/** Sets the baseline that later changes are compared with. */
export function takeBaseline(): void {
  const report = useRun.getState().result.value
  if (report?.pipeline) usePipeline.setState({ baseline: { pipeline: report.pipeline, at: Date.now() } })
}

/** Shows the same stage of each new report, and compares with the session's first report. */
export const pipelinePart: OpenPart = () => ({
  onReport() {
    const { result } = useRun.getState()
    if (result.value?.python || !isOf(result, useWorkspace.getState().version)) return
    if (result.value?.pipeline && !usePipeline.getState().baseline) takeBaseline()
    const { stage } = useView.getState()
    if (stage !== null) void showStage(stage)
  },
})
