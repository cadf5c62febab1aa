/** The captures that workspaces come from, for a session: each text is read once. */
import type { CaptureFile, Workspace } from '../../workspace/types'
import type { ReportedPass } from '../report/pass_report'
import { readCapture } from './read'
import { replay, type Replay, type ReplayContext } from './replay'
import { captureReport, verdictsOnEdited } from './report'
import type { CaptureReport } from './report_types'
import type { Capture, RecordedRun } from './types'
import { isAsRecorded } from './workspace'

export class Captures {
  private last: { text: string; capture: Capture | null } | null = null

  /** The passes of the workspace's capture; null if it has none, or was edited. */
  replay(workspace: Workspace, context: ReplayContext): Replay | null {
    const file = workspace.capture
    const capture = file && isAsRecorded(workspace) ? this.read(file) : null
    return capture && replay(capture, file!.run, context)
  }

  /** Adds PyTorch's verdicts to the reports of the passes. @param replayed null if Python registered the patterns */
  reportOf(workspace: Workspace, passes: readonly ReportedPass[], replayed: Replay | null): CaptureReport | null {
    const file = workspace.capture
    const capture = file ? this.read(file) : null
    if (!capture) return null
    const verdicts = replayed ? replayed.verdicts : verdictsOnEdited(capture, file!.run, passes)
    for (const [i, { report }] of passes.entries()) {
      const verdict = verdicts[i]
      if (verdict) report.pytorch = verdict
    }
    return captureReport(capture, file!.run, verdicts, {
      edited: replayed === null,
      ...(replayed && { problems: replayed.problems }),
    })
  }

  /** The capture, with the applications of its run that are replayed. */
  recorded({ capture }: Workspace, { applications }: Replay): RecordedRun | null {
    const read = capture ? this.read(capture) : null
    return read && { capture: read, applications }
  }

  private read(file: CaptureFile): Capture | null {
    if (this.last?.text !== file.text) {
      const read = readCapture(file.text, file.name)
      this.last = { text: file.text, capture: read.ok ? read.value : null }
    }
    return this.last.capture
  }
}
