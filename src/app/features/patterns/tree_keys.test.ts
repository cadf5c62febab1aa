import { describe, expect, it } from 'vitest'
import { treeMove } from '../../commands/tree_keys'
import { rowsOf } from './tree_rows'
import type { TreeNode } from '../../../engine/protocol'

describe('arrow keys in the tree', () => {
  const leaf = (label: string): TreeNode => ({
    kind: 'leaf',
    label,
    fired: 0,
    leaves: 1,
    pass: 'p',
    entry: 0,
    children: [],
  })
  const tree: TreeNode[] = [
    { kind: 'pass', label: 'p', fired: 0, leaves: 2, pass: 'p', children: [leaf('a'), leaf('b')] },
  ]
  it('unfolds, folds, and moves to the child and the parent', () => {
    const open = rowsOf(tree, new Map())
    expect(open.map((r) => r.id)).toEqual(['0', '0.0', '0.1'])
    expect(treeMove(open, '0', 'ArrowRight')).toEqual({ go: '0.0' })
    expect(treeMove(open, '0.1', 'ArrowLeft')).toEqual({ go: '0' })
    expect(treeMove(open, '0', 'ArrowLeft')).toEqual({ toggle: '0' })
    expect(treeMove(open, '0.1', 'ArrowDown')).toBeNull()
    const closed = rowsOf(tree, new Map([['\np', true]]))
    expect(treeMove(closed, '0', 'ArrowRight')).toEqual({ toggle: '0' })
  })
})
