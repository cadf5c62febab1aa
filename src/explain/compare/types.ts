/** The comparison of two graphs. */
import type { Node } from '../../fx'
import type { Correspondence } from './correspondence'

/**
 * `inserted`, `removed`, `replaced`: nodes without a counterpart, connected to each other; `target`, `overload`,
 * `constant`, `argument`, `wiring`: of a node that both graphs have; `dtype`, `shape`, `stride`, `device`: of its value;
 * `metadata`: of node.meta.
 */
export type ChangeKind =
  | 'inserted'
  | 'removed'
  | 'replaced'
  | 'target'
  | 'overload'
  | 'constant'
  | 'argument'
  | 'wiring'
  | 'dtype'
  | 'shape'
  | 'stride'
  | 'device'
  | 'metadata'

/** A part of a node that differs; `args` are all arguments together, unless one is named. */
export type EditedPart = 'args' | 'target' | 'val' | 'meta'

export interface PairEdit {
  old: Node
  now: Node
  part: EditedPart
  /** Position or keyword of the one argument that differs. */
  argument?: number | string
}

export interface Change {
  kind: ChangeKind
  /** Nodes that only the old graph has. */
  removed: readonly Node[]
  /** Nodes that only the new graph has. */
  inserted: readonly Node[]
  /** Differences of nodes that both graphs have; the first is where the change is. */
  edits: readonly PairEdit[]
  /** Details without node names: equal changes in repeated layers have equal texts. */
  detail: string
}

export interface GraphComparison extends Correspondence {
  changes: Change[]
}
