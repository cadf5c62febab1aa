/** The registration tree as visible rows. */
import type { EntryReport, Report, TreeNode } from '../../../engine/protocol'
import { passNamed } from '../../../engine/queries/report_index'
import { leavesOf } from '../../../engine/queries/report_text'
import type { TreeItem } from '../../commands/tree_keys'

/** The id is the child positions from the root: `0.1.3`. */
export interface TreeRow extends TreeItem<string> {
  node: TreeNode
  /** Labels from the root; they identify the node in the next report, even at another position. */
  key: string
}

/** Branches that the user folded or unfolded, by TreeRow.key; foldedAtFirst decides the others. */
export type Folds = ReadonlyMap<string, boolean>

/** In a tree of more leaves than this, branches without a match start folded. */
const LARGE = 40

/** @param folded initial state of a branch that the user has not changed */
export function rowsOf(
  tree: readonly TreeNode[],
  folds: Folds,
  folded: (node: TreeNode, depth: number) => boolean = () => false,
): TreeRow[] {
  const rows: TreeRow[] = []
  const walk = (nodes: readonly TreeNode[], prefix: string, path: string, depth: number): void =>
    nodes.forEach((node, i) => {
      const id = prefix ? `${prefix}.${i}` : `${i}`
      const key = `${path}\n${node.label}`
      const open = node.children.length > 0 ? !(folds.get(key) ?? folded(node, depth)) : null
      rows.push({ node, id, parent: prefix || null, key, depth, open })
      if (open) walk(node.children, id, key, depth + 1)
    })
  walk(tree, '', '', 0)
  return rows
}

/** True if a branch of a large tree starts folded: it has variants, and none of them fired. */
export function foldedAtFirst(tree: readonly TreeNode[]): (node: TreeNode, depth: number) => boolean {
  const large = tree.reduce((n, t) => n + t.leaves, 0) > LARGE
  return (node, depth) => large && depth > 0 && node.fired === 0
}

/** The filter of the tree. */
export interface TreeFilter {
  /** Words that must occur in a leaf's path, bindings or operators. */
  text: string
  fired: 'all' | 'fired' | 'silent'
}

export const isFiltering = ({ text, fired }: TreeFilter): boolean => text.trim() !== '' || fired !== 'all'

/** The tree of the leaves that pass the filter, with the branches above them; counts include only these leaves. */
export function filtered(report: Report, filter: TreeFilter): TreeNode[] {
  if (!isFiltering(filter)) return report.tree
  // `a = b` is one word, whatever its spacing.
  const plain = (text: string): string => text.toLowerCase().replace(/ *= */g, '=')
  const words = plain(filter.text).split(/\s+/).filter(Boolean)
  const passes = (node: TreeNode, path: string): boolean => {
    if (filter.fired !== 'all' && node.fired > 0 !== (filter.fired === 'fired')) return false
    const entry = passNamed(report, node.pass)?.entries.find((e) => e.index === node.entry)
    const text = plain(`${path}\n${entry ? entryText(entry) : ''}`)
    return words.every((w) => text.includes(w))
  }
  const keep = (nodes: readonly TreeNode[], path: string): TreeNode[] =>
    nodes.flatMap((node) => {
      const here = `${path}\n${node.label}`
      if (node.kind === 'leaf') return passes(node, here) ? [node] : []
      const children = keep(node.children, here)
      if (children.length === 0) return []
      const leaves = children.flatMap(leavesOf)
      return [{ ...node, children, leaves: leaves.length, fired: leaves.reduce((n, l) => n + l.fired, 0) }]
    })
  return keep(report.tree, '')
}

const entryText = (e: EntryReport): string =>
  [
    e.title,
    ...Object.entries(e.bindings).map(([k, v]) => `${k} = ${v}`),
    ...e.pattern.nodes.map((n) => `${n.target} ${n.inner ?? ''}`),
  ].join('\n')
