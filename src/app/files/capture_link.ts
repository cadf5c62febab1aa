/** A link whose graph is a capture written by fusescope_capture.py: opens the workspace of one of its runs. */
import { workspaceOfCapture } from '../../engine/capture/workspace'
import type { Snapshot } from '../../workspace/types'
import { readChoice, type CaptureChoice } from './open_capture'
import { isEmbed } from '../session/framed'
import { askRun } from './question'
import { recordedSummary } from './recorded_summary'

/**
 * The workspace, with PyTorch's recording as its summary.
 * @returns null, with a sentence on screen, if the capture cannot be read, or if the user chose no run
 */
export async function capturedSnapshot(snapshot: Snapshot): Promise<{ snapshot: Snapshot; run: number } | null> {
  const { text, name } = snapshot.workspace.graph
  const choice = readChoice(text, name)
  const run = choice && (isEmbed() ? bestOf(choice) : await askRun(choice))
  if (!choice || run === null) return null
  const workspace = workspaceOfCapture(choice.capture, text, run)
  const view = { ...snapshot.view, openFile: workspace.graph.name }
  const recorded = recordedSummary(choice.capture, run)
  const { length } = choice.runs
  if (isEmbed() && length > 1)
    recorded.notes.push(`One of ${length} graphs of the recording: the one with the most matches.`)
  return { snapshot: { ...snapshot, workspace, view, summary: snapshot.summary ?? recorded }, run }
}

/** A frame asks no questions. */
const bestOf = ({ runs }: CaptureChoice): number =>
  [...runs].sort((a, b) => b.replaced - a.replaced || b.missed - a.missed)[0]!.run
