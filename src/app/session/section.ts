/** A section of the run's state: an answer of the engine, its origin, and the version of its text. */
import type { Cause, Report } from '../../engine/protocol'
import type { ReportSummary, Workspace } from '../../workspace/types'

/**
 * An answer of the engine. `none`: there is none yet. `stored`: it came with the page, and has not run here. `sent`: it came with a
 * link. `done`: a run in this page produced it. It belongs to the text of `version` (`isOf`, `isStale`).
 */
export interface Section<T> {
  state: 'none' | 'stored' | 'sent' | 'done'
  version: number
  value: T | null
}

export interface SourcedSection<T> extends Section<T> {
  /** The workspace that the value was made from (null if unknown); fixes apply to this text only. */
  source: Workspace | null
}

export interface ResultSection extends SourcedSection<Report> {
  /** The summary of a link that `value` was made from; null once the link's code has run here. */
  sent: ReportSummary | null
  /** Number of the report's own columns; the others are from the previous report until the new counts arrive. */
  columnsKnown: number
  /** The search for fixes of the report's causes: in progress, finished, or `cut` by the time limit. */
  fixes: 'none' | 'running' | 'all' | 'cut'
}

/** The end of a run, also of one whose report is not on screen. */
export interface Outcome extends Pick<Report, 'python' | 'problems' | 'console' | 'stubs' | 'inferredOps'> {
  /** Why nothing was registered, if an earlier report stays on screen. */
  early: Cause[] | null
  /** Why there is no report, one sentence. */
  failure: string | null
}

export interface OutcomeSection extends SourcedSection<Outcome> {
  value: Outcome
}

/** The section for an answer that a run in this page produced. */
export const done = <T>(value: T, version: number) => ({ state: 'done', version, value }) as const

export const NONE: Section<never> = { state: 'none', version: -1, value: null }

/** True if a section's value belongs to a workspace version. */
export const isOf = ({ value, version }: Section<unknown>, workspaceVersion: number): boolean =>
  value !== null && version === workspaceVersion

/** True if a section's value belongs to another text than that of a workspace version. */
export const isStale = ({ value, version }: Section<unknown>, workspaceVersion: number): boolean =>
  value !== null && version !== workspaceVersion
