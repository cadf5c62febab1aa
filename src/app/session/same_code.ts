/**
 * Answers an edit of comments and blank lines before its run: moves the report on screen to the new lines. The run follows all the
 * same, and its report replaces this one.
 */
import { reportMover } from '../../engine/queries/moved_report'
import type { Report } from '../../engine/protocol'
import type { Workspace } from '../../workspace/types'
import { isHeld, useRun } from './run_store'
import { perSession } from './session'
import { useWorkspace } from './workspace_store'

const moves = perSession(() => ({
  /** The original of a moved report: each edit moves the report of a run, because fixes keep the lines of its workspace. */
  origins: new WeakMap<Report, { report: Report; source: Workspace }>(),
  /** The source of the last moved report. Data added to it since cannot be moved again; a run's report has another source. */
  lastSource: undefined as Workspace | null | undefined,
}))

/** @returns true if the state now has the report of the newest workspace */
export function answerAtNewLines(): boolean {
  const { workspace, version } = useWorkspace.getState()
  const s = useRun.getState()
  const { result, explained, graphRead, outcome } = s
  const report = result.value
  const { python, early, failure } = outcome.value
  if (!report || result.state !== 'done' || python || early || failure || isHeld(s)) return false
  if (moves().lastSource === result.source && !moves().origins.has(report)) return false
  const moved = movedOf(report, result.source, workspace)
  if (!moved) return false
  const shown = explained.value
  const movedExplained = shown === report ? moved : shown && movedOf(shown, explained.source, workspace)
  if (shown && !movedExplained) return false
  moves().lastSource = result.source
  useRun.setState({
    result: { ...result, value: moved, version },
    explained: { ...explained, value: movedExplained, version },
    graphRead: graphRead.version === result.version ? { ...graphRead, version } : graphRead,
    outcome: { ...outcome, version, value: { ...outcome.value, problems: moved.problems, stubs: moved.stubs } },
  })
  return true
}

function movedOf(report: Report, source: Workspace | null, workspace: Workspace): Report | null {
  const { origins } = moves()
  const from = origins.get(report) ?? (source && { report, source })
  const moved = from && (reportMover(from.source, workspace)?.(from.report) ?? null)
  if (moved) origins.set(moved, from)
  return moved
}
