/** View state of the Patterns panel. */
import { createSessionStore } from '../../session/session_store'
import type { TreeFilter } from './tree_rows'

export const usePatterns = createSessionStore(() => ({
  /** The tree, the table of patterns by graphs, or one pattern in words. */
  show: 'tree' as 'tree' | 'graphs' | 'explain',
  filter: { text: '', fired: 'all' } as TreeFilter,
  /** Branches folded or unfolded by hand, by TreeRow.key. */
  folds: new Map() as ReadonlyMap<string, boolean>,
}))
