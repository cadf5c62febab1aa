// @vitest-environment happy-dom
import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { snapshotSchema } from '../../../workspace'
import { layeredView } from '../../fold/testing/layered_view'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { closeAfterTest } from '../../testing/render'
import { WORKSPACE } from '../../../engine/queries/testing/report_fixture'
import { groupByNow } from '../../on_screen/fold/folded'
import { unfoldedNow } from '../../on_screen/fold/folding'
import { OutlinePanel } from './OutlinePanel'
import { useFold } from '../../on_screen/fold/store'
import { graphOf, resultOf } from '../../testing/run_state'

beforeEach(() => {
  useFold.setState(useFold.getInitialState())
  const view = layeredView(4)
  view.nodes.forEach(
    (n) => n.op === 'call_function' && (n.source = { file: 'm.py', line: 'ab'.includes(n.name[0]!) ? 7 : 8 }),
  )
  useWorkspace.getState().load(WORKSPACE, 'own:outline')
  useRun.setState({ ...graphOf(view), ...resultOf(null) })
})

afterEach(closeAfterTest)

const rows = (): (string | null)[] => screen.getAllByRole('treeitem').map((r) => r.textContent)

it('groups by the chosen criterion, offers those that the graph has, and folds and opens by keyboard', () => {
  render(<OutlinePanel />)
  expect(rows()).toEqual(['Layer × 4', 'layer 0', 'layer 1', 'layer 2', 'layer 3'])
  const options = [...screen.getByLabelText<HTMLSelectElement>('Group by').options].map((o) => [
    o.textContent,
    o.disabled,
  ])
  expect(options[1]).toEqual(['Modules (the dump names no modules)', true])
  expect(options[2]).toEqual(['Source lines', false])

  fireEvent.change(screen.getByLabelText('Group by'), { target: { value: 'line' } })
  expect(groupByNow()).toBe('line')
  const tree = screen.getByRole('tree')
  fireEvent.keyDown(tree, { key: 'ArrowDown' })
  fireEvent.keyDown(tree, { key: 'ArrowRight' })
  expect(rows().slice(0, 4)).toEqual(['Layer × 4', 'layer 0', 'm.py:7', 'm.py:8'])
  fireEvent.keyDown(tree, { key: 'Backspace' })
  expect(unfoldedNow()).toEqual(['0/1', '0/2', '0/3'])
  fireEvent.keyDown(tree, { key: 'Enter' })
  expect(unfoldedNow()).toContain('0/0')
})

it('carries the criterion in a link, and takes it from one', () => {
  const view = { selection: null, mode: 'before', panel: 'outline', openFile: '', groupBy: 'line', unfolded: ['0/2'] }
  const sent = { v: 1, workspace: WORKSPACE, view, summary: null }
  expect(snapshotSchema.parse(sent).view).toMatchObject(view)
  expect(snapshotSchema.parse({ ...sent, view: { ...view, groupBy: 'color' } }).view.groupBy).toBeUndefined()
  useView.setState({ groupBy: 'line', unfolded: ['0/2'] })
  expect([groupByNow(), unfoldedNow()]).toEqual(['line', ['0/2']])
})
