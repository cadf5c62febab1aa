/** Keys of the WAI-ARIA tree pattern. */

/** A visible row. */
export interface TreeItem<Id> {
  readonly id: Id
  /** The row around it; null at the top. */
  readonly parent: Id | null
  /** Null: the row has no children. */
  readonly open: boolean | null
}

export type TreeMove<Id> = { go: Id } | { toggle: Id } | null

/** The effect of a tree key on a row. */
export function treeMove<Id>(rows: readonly TreeItem<Id>[], at: Id, key: string): TreeMove<Id> {
  const i = rows.findIndex((r) => r.id === at)
  const row = rows[i]
  const go = (r: TreeItem<Id> | undefined): TreeMove<Id> => (r ? { go: r.id } : null)
  if (!row) return go(rows[0])
  switch (key) {
    case 'ArrowDown':
      return go(rows[i + 1])
    case 'ArrowUp':
      return go(rows[i - 1])
    case 'Home':
      return go(rows[0])
    case 'End':
      return go(rows.at(-1))
    case 'ArrowRight':
      return row.open === null ? null : row.open ? go(rows[i + 1]) : { toggle: row.id }
    case 'ArrowLeft':
      return row.open ? { toggle: row.id } : row.parent === null ? null : { go: row.parent }
    default:
      return null
  }
}
