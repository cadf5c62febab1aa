/** The WAI-ARIA tree pattern: one row is a stop of the Tab key, and keys move between rows and fold them. */
import { useRef, useState, type KeyboardEvent } from 'react'

/** A visible row. */
export interface TreeItem<Id> {
  readonly id: Id
  /** 0 at the top. */
  readonly depth: number
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

interface TreeActs<Row> {
  /** A click, Enter or Space. */
  choose(row: Row): void
  /** Opens or folds a row that has others inside. */
  toggle(row: Row): void
  /** Backspace. */
  back?(row: Row): void
}

/** @returns attributes of the tree and of each of its items */
export function useTree<Id extends string | number, Row extends TreeItem<Id>>(
  rows: readonly Row[],
  { choose, toggle, back }: TreeActs<Row>,
) {
  const ref = useRef<HTMLUListElement>(null)
  const [at, setAt] = useState<Id | null>(null)
  const current = rows.find((r) => r.id === at) ?? rows[0]
  const onKeyDown = (e: KeyboardEvent): void => {
    if (!current) return
    const move = treeMove(rows, current.id, e.key)
    if (e.key === 'Enter' || e.key === ' ') choose(current)
    else if (back && e.key === 'Backspace') back(current)
    else if (!move) return
    else if ('toggle' in move) toggle(current)
    else {
      setAt(move.go)
      ref.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(String(move.go))}"]`)?.focus()
    }
    e.preventDefault()
  }
  const item = (row: Row) => ({
    'data-row': row.id,
    role: 'treeitem',
    'aria-level': row.depth + 1,
    'aria-expanded': row.open ?? undefined,
    tabIndex: row === current ? 0 : -1,
    onClick() {
      setAt(row.id)
      choose(row)
    },
  })
  return { tree: { ref, role: 'tree', onKeyDown }, item }
}

export type TreeItemProps = ReturnType<ReturnType<typeof useTree>['item']>
