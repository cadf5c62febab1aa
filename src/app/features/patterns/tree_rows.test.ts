import { describe, expect, it } from 'vitest'
import type { TreeNode } from '../../../engine/protocol'
import { registrationTree } from '../../../engine/report/tree'
import { entry, pass, report } from '../../../engine/queries/testing/report_fixture'
import { filtered, foldedAtFirst, rowsOf } from './tree_rows'

describe('a large tree', () => {
  const bindings = (i: number) => ({ eps: `1e-${i % 5}`, size: String(i) })
  const entries = Array.from({ length: 100 }, (_, i) =>
    entry(i, i < 50 ? 'Norm' : 'Act', { bindings: bindings(i), axes: ['eps', 'size'], fired: i === 7 ? 3 : 0 }),
  )
  const passes = [pass({ name: 'patterns', entries })]
  const r = report({ passes, tree: registrationTree(passes) })
  const leaves = (nodes: readonly TreeNode[]): number => nodes.reduce((n, t) => n + t.leaves, 0)

  it('initially folds branches without a match', () => {
    const rows = rowsOf(r.tree, new Map(), foldedAtFirst(r.tree))
    expect(rows.filter((row) => row.open).map((row) => row.node.label)).toEqual(['patterns', 'Norm', 'eps = 1e-2'])
    const opened = rowsOf(r.tree, new Map([['\npatterns\nAct', false]]), foldedAtFirst(r.tree))
    expect(opened.length).toBe(rows.length + 5)
  })
  it('is filtered by words of a value or a class, and by matches', () => {
    expect(leaves(filtered(r, { text: 'norm eps=1e-3', fired: 'all' }))).toBe(10)
    expect(leaves(filtered(r, { text: 'eps = 1e-2', fired: 'fired' }))).toBe(1)
    expect(leaves(filtered(r, { text: '', fired: 'silent' }))).toBe(99)
    expect(filtered(r, { text: 'nothing like it', fired: 'all' })).toEqual([])
  })
})
