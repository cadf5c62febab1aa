/** A section of the run's state: an answer of the engine, how it came, and the text that it is of. */
import type { Report } from '../../engine/protocol'
import type { Workspace } from '../../workspace/types'

/**
 * An answer of the engine. `none`: there is none yet. `stored`: it came with the page, and nothing has run it here. `done`: a
 * run in this page, or the sender of a link, has made it. It is of the text of `version` (`isOf`, `isStale`).
 */
export interface Section<T> {
  state: 'none' | 'stored' | 'done'
  version: number
  value: T | null
}

export interface ResultSection extends Section<Report> {
  /** The workspace that the report was made from; fixes apply to this text only. */
  source: Workspace | null
  /** Number of the report's own columns; the others are from the previous report until the new counts arrive. */
  columnsKnown: number
}

/** True if a section has a value of a workspace version. */
export const isOf = ({ value, version }: Section<unknown>, workspaceVersion: number): boolean =>
  value !== null && version === workspaceVersion
