import { beforeEach, describe, expect, it } from 'vitest'
import { snapshotSchema } from '../../../workspace'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { graph, WORKSPACE } from '../../../engine/queries/testing/report_fixture'
import { hide, isolate, selectedNames, showPath, showUses, showWhole, toggleViews, widen } from './actions'
import { filtersOf, lookNow, sharedLook } from './store'
import { graphOf, resultOf } from '../../testing/run_state'

const g = graph(`
    x placeholder
    relu aten.relu.default x
    neg aten.neg.default relu
    out output neg`)

beforeEach(() => {
  useWorkspace.getState().load(WORKSPACE, 'own:look')
  useRun.setState({ ...graphOf(g), ...resultOf(null) })
  useView.setState({ selection: null, mode: 'before', toasts: [] })
  showWhole()
})

describe('the part of the graph that is drawn', () => {
  it('is the selection with steps in both directions', () => {
    useView.getState().select({ kind: 'node', side: 'before', name: 'relu' })
    isolate(selectedNames())
    widen('down', 1)
    widen('up', -1)
    widen('up', -1)
    expect(lookNow()).toEqual({ only: { nodes: ['relu'], up: 0, down: 2 } })
    expect(filtersOf(lookNow())).toHaveLength(1)
    showWhole()
    expect([lookNow(), sharedLook()]).toEqual([{}, null])
  })
  it('is the paths between two nodes, or the uses of one', () => {
    showPath('neg', 'x')
    expect(lookNow().only?.nodes).toEqual(['x', 'relu', 'neg'])
    showPath('neg', 'absent')
    expect(useView.getState().toasts.at(-1)?.text).toBe('No path leads from neg to absent, nor back.')
    showUses('x')
    expect(lookNow().only).toEqual({ nodes: ['x', 'relu'], up: 0, down: 0 })
  })
  it('leaves nodes and views out, belongs to one graph, and is carried by a link', () => {
    hide(['relu'])
    hide(['neg', 'relu'])
    toggleViews()
    expect(lookNow()).toEqual({ hidden: ['relu', 'neg'], noViews: true })
    const view = { selection: null, mode: 'before', panel: 'matches', openFile: '', look: sharedLook(), find: 'op:mm' }
    const sent = { v: 1, workspace: WORKSPACE, view, summary: null }
    expect(snapshotSchema.parse(JSON.parse(JSON.stringify(sent))).view).toMatchObject(view)
    useWorkspace.setState((s) => ({ workspace: { ...s.workspace, graph: { name: 'other.txt', text: '' } } }))
    expect(lookNow()).toEqual({})
  })
})
