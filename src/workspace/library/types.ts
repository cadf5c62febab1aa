/** Types of the library: the workspaces that this browser keeps, with their versions. */
import type { ForeignCode } from '../code_origin'
import type { Workspace } from '../types'

/** A workspace with the origin of its code. */
export interface Draft {
  workspace: Workspace
  foreign: ForeignCode | null
  /** Where a received workspace came from: sourceOf, or the address of its file; absent for one made here. */
  source?: string
}

/** Identifies one save: `TAB:COUNT`. A later save by the same tab has a higher count. */
export type Stamp = string

/** A row of the list of workspaces. */
export interface WorkspaceInfo {
  /** An example's id, `link:…` or `own:…`. */
  id: string
  name: string
  /** Date.now() of the last save. */
  at: number
  /** Date.now() of the deletion; absent: not deleted. */
  deletedAt?: number
  stamp: Stamp
}

/** Why a version was kept. */
export type VersionReason =
  /** The state when it was opened, before the first edit. */
  | { kind: 'opened' }
  /** Kept during a long period of edits. */
  | { kind: 'edited' }
  /** Before an action: `the graph was replaced`. */
  | { kind: 'before'; what: string }
  /** On request, with a name. */
  | { kind: 'named'; name: string }

/** A row of the list of versions. */
export interface VersionInfo {
  /** `ID\nTIME`, unique. */
  key: string
  id: string
  at: number
  why: VersionReason
  /** Number of characters of its texts. */
  size: number
}
