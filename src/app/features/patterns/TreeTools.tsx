/** Tools for large trees: a filter, and fold or unfold all. */
import type { TreeNode } from '../../../engine/protocol'
import { isFiltering, rowsOf, type TreeFilter, type TreeRow } from './tree_rows'
import { count } from '../../../base/english'
import { usePatterns } from './store'
import { Input, Select } from '../../ui/Field'
import { Button } from '../../ui/Button'
import styles from './TreeTools.module.css'
import { css } from '../../ui/css'

interface Props {
  tree: readonly TreeNode[]
  rows: readonly TreeRow[]
  total: number
  shown: number
}

const FIRED = [
  ['all', 'All'],
  ['fired', 'Fired'],
  ['silent', 'Did not fire'],
] as const

export function TreeTools({ tree, rows, total, shown }: Props) {
  const filter = usePatterns((s) => s.filter)
  const set = (more: Partial<TreeFilter>): void => usePatterns.setState({ filter: { ...filter, ...more } })
  const allOpen = rows.every((r) => r.open || r.node.children.length === 0)
  const foldAll = (): void => {
    const branches = rowsOf(tree, new Map()).filter((r) => r.node.children.length > 0 && r.depth > 0)
    usePatterns.setState({ folds: new Map(branches.map((r) => [r.key, allOpen])) })
  }
  return (
    <div className={styles.tools} role="search">
      <Input
        aria-label="Filter the patterns"
        placeholder="Filter"
        title="A value, a class, an operator of the pattern"
        data-testid="tree-filter"
        value={filter.text}
        onValue={(value) => set({ text: value })}
        onKeyDown={(e) => {
          if (e.key === 'Escape' && filter.text !== '') set({ text: '' })
          else return
          e.stopPropagation()
        }}
      />
      <Select
        aria-label="Fired or not"
        data-testid="tree-fired"
        value={filter.fired}
        onValue={(value) => set({ fired: value as TreeFilter['fired'] })}
        options={FIRED}
      />
      <Button onClick={foldAll}>{allOpen ? 'Fold' : 'Unfold'}</Button>
      <span className={css.num} role="status">
        {isFiltering(filter) ? `${shown} of ${total}` : count(total, 'pattern')}
      </span>
    </div>
  )
}
