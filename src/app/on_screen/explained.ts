/**
 * The last explained report and its workspace. The report stays on screen while a newer one is being explained, so that
 * nothing flickers between a keystroke and its result; a fix applies to the report's own workspace only.
 */
import type { Report } from '../../engine/protocol'
import type { Workspace } from '../../workspace/types'
import { isExplaining } from '../../engine/queries/report_index'
import { useRun } from '../session/run_store'

export interface Explained {
  /** A report with near misses, causes and lints to show; null if no report of this workspace is explained yet. */
  report: Report | null
  /** True if a newer report is being explained; an error of the newer report also ends the wait. */
  working: boolean
}

export function useExplained(): Explained {
  const report = useRun((s) => s.explained.value)
  const working = useRun(
    (s) => s.outcome.value.python === null && s.result.value !== null && isExplaining(s.result.value),
  )
  return { report, working }
}

/** The workspace from which a report on screen was made; null for another report. */
export function workspaceOf(report: Report): Workspace | null {
  const { result, explained } = useRun.getState()
  return [explained, result].find((s) => s.value === report)?.source ?? null
}
