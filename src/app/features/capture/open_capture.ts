/** Opens a capture as a workspace of its own. */
import { formatProblem } from '../../../engine/dumps'
import { readCapture } from '../../../engine/capture/read'
import { runsOf, type CapturedRun } from '../../../engine/capture/replay'
import type { Capture } from '../../../engine/capture/types'
import { workspaceOfCapture } from '../../../engine/capture/workspace'
import { rememberOrigin } from '../../session/kept_ids'
import { openWorkspace, reopenLater } from '../../session/open_workspace'
import { useView } from '../../session/view_store'
import { newOrigin } from '../../session/workspace_store'

/** A capture with several graphs, of which one is opened. */
export interface CaptureChoice {
  capture: Capture
  text: string
  runs: readonly CapturedRun[]
}

/** Opens the capture in a text. Returns the choice to offer if it has several graphs; null if it is open or refused. */
export function openCapture(text: string, name: string): CaptureChoice | null {
  const { toast } = useView.getState()
  const read = readCapture(text, name)
  if (!read.ok) {
    toast(formatProblem(read.error), { tone: 'bad' })
    return null
  }
  const capture = read.value
  const runs = runsOf(capture)
  if (runs.length === 0) {
    toast(`${name} holds no pass with its graph.`, { tone: 'bad' })
    return null
  }
  if (runs.length > 1) return { capture, text, runs }
  openRun({ capture, text }, runs[0]!.run)
  return null
}

/** Opens one graph of a capture with the passes that went over it. */
export function openRun({ capture, text }: Pick<CaptureChoice, 'capture' | 'text'>, run: number): void {
  const undo = reopenLater()
  const own = newOrigin()
  rememberOrigin(own)
  const workspace = workspaceOfCapture(capture, text, run)
  openWorkspace({ workspace, origin: own, openFile: workspace.graph.name, view: { panel: 'whynot' } })
  const [problem] = capture.problems
  const more = capture.problems.length > 1 ? ` (and ${capture.problems.length - 1} more)` : ''
  useView
    .getState()
    .toast(
      problem ? `${formatProblem(problem)}${more}` : `${capture.name} opened: PyTorch’s verdict is beside Fusescope’s.`,
      {
        ...(problem && { tone: 'bad' as const }),
        action: { label: 'Undo', run: undo },
      },
    )
}
