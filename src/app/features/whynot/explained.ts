/**
 * The last report that was explained. While a newer one is still being worked out, what was known stays on screen, so
 * that nothing jumps or goes dark between a keystroke and its answer. And the text that each report was made from, so
 * that a fix is never put into another one.
 */
import type { Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import { isExplaining } from './why_not'
import { useRun } from '../../session/run_store'
import { useWorkspace } from '../../session/workspace_store'

export interface Explained {
  /** What to show near misses, causes and lints of; null when nothing of this workspace has been explained yet. */
  report: Report | null
  /** A newer report waits for its explanation. */
  working: boolean
}

let last: { report: Report; origin: string } | null = null

export function explainedOf(report: Report | null, origin: string): Report | null {
  if (!report) return null
  if (!isExplaining(report)) last = { report, origin }
  return last?.origin === origin ? last.report : null
}

export function useExplained(): Explained {
  const report = useRun((s) => s.report)
  const origin = useWorkspace((s) => s.origin)
  return { report: explainedOf(report, origin), working: report !== null && isExplaining(report) }
}

/** Versions that are remembered: a run is never so many keystrokes behind. */
const KEPT = 200
const texts = new Map<number, Workspace>()
const madeFrom = new WeakMap<Report, Workspace>()

function remember(version: number, workspace: Workspace): void {
  texts.set(version, workspace)
  for (const old of texts.keys()) {
    if (texts.size <= KEPT) break
    texts.delete(old)
  }
}

remember(useWorkspace.getState().version, useWorkspace.getState().workspace)
useWorkspace.subscribe((s) => remember(s.version, s.workspace))
useRun.subscribe(({ report, reportVersion }) => {
  const workspace = texts.get(reportVersion)
  if (report && workspace && !madeFrom.has(report)) madeFrom.set(report, workspace)
})

/** The workspace as it was at a version; null for one long gone. */
export const workspaceAt = (version: number): Workspace | null => texts.get(version) ?? null

/** The workspace that a report was made from; null when that is not known. */
export const workspaceOf = (report: Report): Workspace | null => madeFrom.get(report) ?? null
