/** The comparison of two graphs. */
import type { Node } from '../../fx'
import type { Correspondence } from './correspondence'

/**
 * `inserted`, `removed`, `replaced`: connected nodes without a counterpart; `target`, `overload`, `constant`, `argument`, `wiring`:
 * differences of a node that both graphs have; `dtype`, `shape`, `stride`, `device`: differences of its value; `metadata`:
 * differences of node.meta.
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

/** A differing part of a node; `args` stands for all arguments together, unless one is named. */
export type EditedPart = 'args' | 'target' | 'val' | 'meta'

export interface PairEdit {
  old: Node
  now: Node
  part: EditedPart
  /** Position or keyword of the single differing argument. */
  argument?: number | string
}

export interface Change {
  kind: ChangeKind
  /** Nodes that only the old graph has. */
  removed: readonly Node[]
  /** Nodes that only the new graph has. */
  inserted: readonly Node[]
  /** Differences of nodes that both graphs have; the first is the location of the change. */
  edits: readonly PairEdit[]
  /** Details without node names: equal changes in repeated layers have equal texts. */
  detail: string
}

export interface GraphComparison extends Correspondence {
  changes: Change[]
}
