// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Report, TreeNode } from '../../../engine/protocol'
import { useView } from '../../session/view_store'
import { entry, pass, report } from '../../../engine/queries/testing/report_fixture'
import { closeAfterTest, openInTest, renderOpened } from '../../testing/render'
import { PatternsPanel } from './PatternsPanel'
import { usePatterns } from './store'

afterEach(closeAfterTest)

/** One pass with a class of `n` variants, of which the first fired. */
function classOf(n: number): Report {
  const leaf = (i: number): TreeNode => ({
    kind: 'leaf',
    label: `size=${i}`,
    pass: 'patterns',
    entry: i,
    fired: i === 0 ? 2 : 0,
    leaves: 1,
    children: [],
  })
  const leaves = Array.from({ length: n }, (_, i) => leaf(i))
  const branch = (kind: 'pass' | 'class', label: string, children: TreeNode[]): TreeNode => ({
    kind,
    label,
    pass: 'patterns',
    fired: 2,
    leaves: n,
    children,
  })
  return report({
    passes: [
      pass({
        count: 2,
        entries: leaves.map((_, i) => entry(i, 'Fuse', { bindings: { size: `${i}` }, fired: i ? 0 : 2 })),
      }),
    ],
    tree: [branch('pass', 'patterns', [branch('class', 'Fuse', leaves)])],
  })
}

const rows = (): (string | null)[] => screen.getAllByRole('treeitem').map((r) => r.textContent)
const row = (name: RegExp): HTMLElement => screen.getByRole('treeitem', { name })

describe('PatternsPanel', () => {
  it('explains an empty panel before a report and without registrations', () => {
    const { rerender } = renderOpened(<PatternsPanel />)
    expect(screen.queryByRole('tree')).toBeNull()
    openInTest({ report: report() })
    rerender(<PatternsPanel />)
    expect(screen.getByText(/register_replacement/)).toBeTruthy()
  })

  it('selects a leaf, and shows it below the tree', () => {
    renderOpened(<PatternsPanel />, { report: classOf(3) })
    expect(rows()).toHaveLength(5)
    fireEvent.click(row(/size=1/))
    expect(useView.getState().selection).toEqual({ kind: 'entry', pass: 'patterns', index: 1 })
    expect(row(/size=1/).getAttribute('aria-selected')).toBe('true')
  })

  it('folds by keyboard, and keeps folds until the session ends', () => {
    const { rerender } = renderOpened(<PatternsPanel />, { report: classOf(3) })
    const tree = screen.getByRole('tree')
    fireEvent.keyDown(tree, { key: 'ArrowDown' })
    fireEvent.keyDown(tree, { key: 'ArrowLeft' })
    expect([rows().length, row(/^Fuse/).getAttribute('aria-expanded')]).toEqual([2, 'false'])
    rerender(<PatternsPanel key="opened again" />)
    expect(rows()).toHaveLength(2)
    openInTest({ report: classOf(3) })
    rerender(<PatternsPanel />)
    expect(rows()).toHaveLength(5)
  })

  it('filters a large tree and counts the remaining leaves', () => {
    renderOpened(<PatternsPanel />, { report: classOf(20) })
    fireEvent.change(screen.getByLabelText('Filter the patterns'), { target: { value: 'size=7' } })
    expect([screen.getAllByTestId('tree-leaf').length, screen.getByText('1 of 20')]).toBeTruthy()
    expect(screen.getAllByTestId('tree-leaf')).toHaveLength(1)
    fireEvent.change(screen.getByLabelText('Filter the patterns'), { target: { value: '' } })
    fireEvent.change(screen.getByLabelText('Fired or not'), { target: { value: 'fired' } })
    expect(usePatterns.getState().filter).toEqual({ text: '', fired: 'fired' })
    expect(screen.getAllByTestId('tree-leaf').map((r) => r.dataset.fired)).toEqual(['2'])
  })
})
