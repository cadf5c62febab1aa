/** Opens a capture as a workspace of its own, or adds it to the open one. */
import { formatProblem } from '../../engine/dumps'
import { readCapture } from '../../engine/capture/read'
import { runsOf, type CapturedRun } from '../../engine/capture/runs'
import type { Capture } from '../../engine/capture/records'
import { baseOf, capturedGraph, workspaceOfCapture } from '../../engine/capture/workspace'
import { rememberOrigin } from '../session/kept_ids'
import { openWorkspace, reopenLater, type Opening } from '../session/open_workspace'
import { toast, useView } from '../session/view_store'
import { newOrigin, useWorkspace } from '../session/workspace_store'

/** A capture with several graphs; one of them is opened. */
export interface CaptureChoice {
  capture: Capture
  text: string
  runs: readonly CapturedRun[]
}

/** Reads the capture in a text. @returns null if it is refused */
export function readChoice(text: string, name: string): CaptureChoice | null {
  const read = readCapture(text, name)
  if (!read.ok) {
    toast(formatProblem(read.error), { tone: 'bad' })
    return null
  }
  const runs = runsOf(read.value)
  if (runs.length > 0) return { capture: read.value, text, runs }
  toast(`${name} holds no pass with its graph.`, { tone: 'bad' })
  return null
}

/**
 * Opens one graph of a capture as a workspace, with the passes that were applied to it.
 * @param from where the capture comes from; absent if the user opened the file
 */
export function openRun(
  { capture, text }: Pick<CaptureChoice, 'capture' | 'text'>,
  run: number,
  from: Pick<Opening, 'origin' | 'foreign' | 'source'> = { origin: newOrigin(), foreign: null },
): void {
  const undo = reopenLater()
  rememberOrigin(from.origin)
  const workspace = workspaceOfCapture(capture, text, run)
  openWorkspace({ workspace, ...from, openFile: workspace.graph.name, view: { panel: 'whynot' } })
  tell(capture, `${capture.name} opened: PyTorch’s verdict is beside Fusescope’s.`, undo)
}

/** Adds one graph of a capture, with its recorded patterns, to the graphs of the open workspace, and shows it. */
export function addRun({ capture, text }: Pick<CaptureChoice, 'capture' | 'text'>, run: number): void {
  const { workspace, openFile, addGraphs } = useWorkspace.getState()
  addGraphs([
    capturedGraph(capture, text, run, { name: `${safeName(baseOf(capture))}.py.txt`, files: workspace.files }),
  ])
  useView.getState().select(null)
  tell(capture, `${capture.name} added: a graph with its recorded patterns.`, () =>
    useWorkspace.getState().restoreGraphs(workspace, openFile),
  )
}

const safeName = (name: string): string => name.replace(/[^\w.-]+/g, '_') || 'capture'

function tell(capture: Capture, text: string, undo: () => void): void {
  const [problem] = capture.problems
  const more = capture.problems.length > 1 ? ` (and ${capture.problems.length - 1} more)` : ''
  toast(problem ? `${formatProblem(problem)}${more}` : text, {
    ...(problem && { tone: 'bad' as const }),
    action: { label: 'Undo', run: undo },
  })
}
