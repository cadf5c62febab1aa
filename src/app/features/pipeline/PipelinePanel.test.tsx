// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Pipeline, PipelineStage } from '../../../engine/pipeline/types'
import { useRun } from '../../session/run_store'
import { useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { fused } from '../../../engine/queries/testing/report_fixture'
import { closeAfterTest, openInTest, renderOpened } from '../../testing/render'
import '../index'
import { WhyNotPanel } from '../whynot/WhyNotPanel'
import { PipelinePanel } from './PipelinePanel'
import { takeBaseline } from '../../on_screen/stage/stage_requests'
import { usePipeline } from '../../on_screen/stage/store'
import { resultOf } from '../../testing/run_state'

afterEach(closeAfterTest)

const stage = (name: string, at: number | null, more: Partial<PipelineStage> = {}): PipelineStage => ({
  kind: 'pass',
  name,
  at,
  pass: at === null ? null : 0,
  off: at === null ? { why: 'not-listed', guards: [] } : null,
  entries: 1,
  nodes: at === null ? null : 3,
  added: 0,
  removed: 0,
  uuid: null,
  ...more,
})

const pipeline = (uuid = 'a'.repeat(64)): Pipeline => ({
  stages: [stage('first', 1), stage('second', null), stage('end', 2, { kind: 'dead-code', pass: null })],
  defined: ['first', 'second'],
  uuid,
})

const opened = { report: { ...fused(), pipeline: pipeline() } }
const applied = (name: string): HTMLElement => screen.getByRole('switch', { name: `Apply ${name}` })

describe('PipelinePanel', () => {
  it('explains an empty panel', () => {
    renderOpened(<PipelinePanel />, { run: { consent: 'pending' } })
    expect(screen.getByText(/code of this link/)).toBeTruthy()
    act(() => useRun.setState({ consent: 'own', ...resultOf(fused()) }))
    expect(screen.queryByTestId('pipeline')).toBeNull()
  })

  it('switches a pass on in the workspace, and undoes the change', () => {
    renderOpened(<PipelinePanel />, opened)
    expect(['first', 'second'].map((n) => applied(n).getAttribute('aria-checked'))).toEqual(['true', 'false'])
    fireEvent.click(applied('first'))
    expect(useWorkspace.getState().workspace.passes).toEqual([])
    expect(useView.getState().toasts.map((t) => t.text)).toEqual(['first is off.'])
    fireEvent.keyDown(screen.getByTestId('pipeline'), { key: 'z', ctrlKey: true })
    expect(useWorkspace.getState().workspace.passes).toBeUndefined()
    expect(useView.getState().toasts).toEqual([])
  })

  it('has no switches for recorded passes, and says why', () => {
    const capture = { file: 'run.fusescope', torch: '2.14.1', compile: null, replaced: 1, agrees: true, notes: [] }
    renderOpened(<PipelinePanel />, { report: { ...opened.report, capture: { ...capture, edited: false } } })
    expect(screen.queryAllByRole('switch')).toEqual([])
    expect(screen.getByTestId('recorded-passes').textContent).toMatch(
      /^The passes are applied as run.fusescope recorded/,
    )
    fireEvent.keyDown(screen.getByTestId('stage-first').querySelector('button')!, { key: 'ArrowDown', shiftKey: true })
    expect(useWorkspace.getState().workspace.passes).toBeUndefined()
    act(() => useRun.setState(resultOf({ ...opened.report, capture: { ...capture, edited: true } })))
    expect(screen.getAllByRole('switch')).toHaveLength(2)
  })

  it('drops undo and baseline when the session ends', () => {
    renderOpened(<PipelinePanel />, opened)
    act(takeBaseline)
    fireEvent.click(applied('second'))
    expect([usePipeline.getState().undo.length, screen.queryByTestId('compile-cache') !== null]).toEqual([1, true])
    act(() => openInTest(opened))
    expect([usePipeline.getState().undo.length, screen.queryByTestId('compile-cache')]).toEqual([0, null])
  })

  it('names the changes of the pipeline that invalidate the compile cache', () => {
    renderOpened(<PipelinePanel />, opened)
    act(takeBaseline)
    const report = useRun.getState().result.value
    const stages = [stage('second', 1), stage('end', 2, { kind: 'dead-code', pass: null })]
    act(() => useRun.setState(resultOf({ ...report!, pipeline: { ...pipeline('b'.repeat(64)), stages } })))
    expect(screen.getByTestId('compile-cache').textContent).toMatch(/no longer applied.*first/)
  })
})

it('shows under Why not what code on the graph broke', () => {
  const did = {
    count: null,
    notes: [],
    error: null,
    ms: 1,
    broken: ['relu_1 uses neg, which was removed from the graph'],
  }
  const stages = [stage('fuse', 1, { kind: 'call', pass: null, did })]
  const report = { ...fused(), passes: [], pipeline: { stages, defined: ['fuse'], uuid: 'a'.repeat(64) } }
  renderOpened(<WhyNotPanel />, { report })
  expect(screen.getByTestId('violations').textContent).toContain('relu_1 uses neg, which was removed from the graph.')
  expect(screen.getByText(/Only code on the graph ran/)).toBeTruthy()
})

it('offers proposed code and remembers that it runs, and lists its edits', () => {
  const source = { file: 'p.py', line: 3, fn: 'fuse', code: 'node.target = new' }
  const edits = [{ call: 'target' as const, node: 'relu', in: 'after' as const, text: 'a → b', source }]
  const did = { count: null, notes: [], error: null, ms: 1, edits }
  const stages = [
    stage('fuse', null, { kind: 'call', off: { why: 'proposed', guards: [] }, place: { file: 'p.py', line: 1 } }),
    stage('ran', 1, { kind: 'call', pass: null, did }),
  ]
  const report = { ...fused(), passes: [], pipeline: { stages, defined: ['ran'], uuid: 'a'.repeat(64) } }
  renderOpened(<PipelinePanel />, { report })
  expect(screen.getByTestId('stage-fuse').textContent).toMatch(/p\.py:1.*Proposed: it works on a graph/)
  expect(screen.getByTestId('stage-ran').textContent).toMatch(/1 edit · .*relu target: a → b p\.py:3/)
  fireEvent.click(applied('fuse'))
  expect(useWorkspace.getState().workspace.passes).toEqual(['fuse', 'ran'])
  fireEvent.click(screen.getByRole('button', { name: /relu target/ }))
  expect(useView.getState().selection).toEqual({ kind: 'node', side: 'before', name: 'relu' })
  expect(screen.getByRole('button', { name: /relu target/ }).getAttribute('aria-pressed')).toBe('true')
})
