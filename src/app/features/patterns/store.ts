/** View state of the Patterns panel. */
import { createSessionStore } from '../../session/session_store'
import type { TreeFilter } from './tree_rows'

export interface PatternsState {
  /** The tree, the table of patterns by graphs, or one pattern in words. */
  show: 'tree' | 'graphs' | 'explain'
  filter: TreeFilter
  /** Branches folded or unfolded by hand, by TreeRow.key. */
  folds: ReadonlyMap<string, boolean>
}

export const usePatterns = createSessionStore<PatternsState>(() => ({
  show: 'tree',
  filter: { text: '', fired: 'all' },
  folds: new Map(),
}))
