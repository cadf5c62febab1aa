/**
 * The last report that was explained. It stays on screen while a newer one is being explained, so that nothing jumps or
 * goes dark between a keystroke and its answer. And the workspace of a report, so that a fix is put into no other text.
 */
import type { Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import { isExplaining } from '../../session/report_index'
import { useRun } from '../../session/run_store'

export interface Explained {
  /** Has the near misses, causes and lints to show; null if no report of this workspace is explained yet. */
  report: Report | null
  /** A newer report is being explained. */
  working: boolean
}

export function useExplained(): Explained {
  const report = useRun((s) => s.explained?.report ?? null)
  const working = useRun((s) => s.report !== null && isExplaining(s.report))
  return { report, working }
}

/** The workspace that a report on screen was made from; null for another report. */
export function workspaceOf(report: Report): Workspace | null {
  const { report: newest, source, explained } = useRun.getState()
  if (explained?.report === report) return explained.source
  return newest === report ? source : null
}
