/** The registration tree as rows on a screen, and what the arrow keys do there (WAI-ARIA tree pattern). */
import type { TreeNode } from '../../engine/protocol'

export interface TreeRow {
  node: TreeNode
  /** Child positions from the root: `0.1.3`. */
  id: string
  depth: number
  open: boolean
}

export function rowsOf(tree: readonly TreeNode[], closed: ReadonlySet<string>): TreeRow[] {
  const rows: TreeRow[] = []
  const walk = (nodes: readonly TreeNode[], prefix: string, depth: number): void =>
    nodes.forEach((node, i) => {
      const id = prefix ? `${prefix}.${i}` : `${i}`
      const open = node.children.length > 0 && !closed.has(id)
      rows.push({ node, id, depth, open })
      if (open) walk(node.children, id, depth + 1)
    })
  walk(tree, '', 0)
  return rows
}

export type TreeMove = { go: string } | { open: string } | { close: string } | null

export function treeKey(rows: readonly TreeRow[], at: string, key: string): TreeMove {
  const i = rows.findIndex((r) => r.id === at)
  const row = rows[i]
  const goto = (r: TreeRow | undefined): TreeMove => (r ? { go: r.id } : null)
  if (!row) return goto(rows[0])
  switch (key) {
    case 'ArrowDown':
      return goto(rows[i + 1])
    case 'ArrowUp':
      return goto(rows[i - 1])
    case 'Home':
      return goto(rows[0])
    case 'End':
      return goto(rows.at(-1))
    case 'ArrowRight':
      if (row.node.children.length === 0) return null
      return row.open ? goto(rows[i + 1]) : { open: row.id }
    case 'ArrowLeft':
      if (row.open) return { close: row.id }
      return row.depth > 0 ? { go: row.id.slice(0, row.id.lastIndexOf('.')) } : null
    default:
      return null
  }
}
