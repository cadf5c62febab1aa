/** A link whose graph is a capture, as fusescope_capture.py writes it: the workspace of one of its runs. */
import { workspaceOfCapture } from '../../engine/capture/workspace'
import type { Snapshot } from '../../workspace/types'
import { readChoice } from './open_capture'
import { askRun } from './question'

/** @returns null, with a sentence on screen, if the capture cannot be read, or if the user chose no run */
export async function capturedSnapshot(snapshot: Snapshot): Promise<{ snapshot: Snapshot; run: number } | null> {
  const { text, name } = snapshot.workspace.graph
  const choice = readChoice(text, name)
  const run = choice && (await askRun(choice))
  if (!choice || run === null) return null
  const workspace = workspaceOfCapture(choice.capture, text, run)
  const view = { ...snapshot.view, openFile: workspace.graph.name }
  return { snapshot: { ...snapshot, workspace, view }, run }
}
