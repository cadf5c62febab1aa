/** The open instances of the graph on screen. Not part of undo. */
import type { OpenInstances } from '../../fold/types'
import type { GroupBy } from '../../../workspace/types'
import { createSessionStore } from '../../session/session_store'

export const NOTHING_OPEN: OpenInstances = new Set()

export const useFold = createSessionStore(() => ({
  /** Name of the graph that the other fields belong to; another graph is in its initial state. */
  graph: null as string | null,
  /** The grouping criterion. */
  by: 'layer' as GroupBy,
  /** Opened and folded by the user; null: the initial state. */
  chosen: null as OpenInstances | null,
  /** Opened for the last selection, until the next one. */
  revealed: NOTHING_OPEN as OpenInstances,
  /** `seq` of that selection. */
  revealedAt: -1,
  /** The instance that the command for differing instances showed last. */
  differingAt: -1,
  /** Nodes to bring into view; each new object takes effect once. */
  shown: null as { names: readonly string[]; own: false } | null,
}))
export type FoldState = ReturnType<typeof useFold.getState>
