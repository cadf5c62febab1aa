/** The open instances of the graph on screen. Not part of undo. */
import type { OpenInstances } from '../../fold/types'
import type { GroupBy } from '../../../workspace/types'
import { createSessionStore } from '../../session/session_store'

export interface FoldState {
  /** Name of the graph that the rest belongs to; another graph is as it is at first. */
  graph: string | null
  /** What the graph is grouped by. */
  by: GroupBy
  /** Opened and folded by the user; null: what the graph shows at first. */
  chosen: OpenInstances | null
  /** Opened for the last selection, until the next one. */
  revealed: OpenInstances
  /** `seq` of that selection. */
  revealedAt: number
  /** The instance that the command for those that differ went to last. */
  differingAt: number
  /** Nodes to bring into view; each new object takes effect once. */
  shown: { names: readonly string[]; own: false } | null
}

export const NOTHING_OPEN: OpenInstances = new Set()

export const useFold = createSessionStore<FoldState>(() => ({
  graph: null,
  by: 'layer',
  chosen: null,
  revealed: NOTHING_OPEN,
  revealedAt: -1,
  differingAt: -1,
  shown: null,
}))
