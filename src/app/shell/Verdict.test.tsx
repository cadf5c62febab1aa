// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import type { PipelineStage } from '../../engine/pipeline/types'
import { INITIAL_RUN, useRun, withReport } from '../session/run_store'
import { useView } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'
import { setHeld } from '../on_screen/held'
import { closeAfterTest, renderOpened } from '../testing/render'
import { fused, graph, pass, report, WORKSPACE } from '../../engine/queries/testing/report_fixture'
import { Verdict } from './Verdict'
import { outcomeWith, resultOf } from '../testing/run_state'

afterEach(closeAfterTest)

const failure = (type: string, file: string) => ({
  type,
  message: 'no driver',
  frames: [{ file, line: 3, code: '' }],
  traceback: '',
})
const outcome = (file: string, failed: ReturnType<typeof failure> | null) => ({
  file,
  module: file.replace('.py', ''),
  registered: 1,
  failure: failed,
  stoppedBy: null,
  uncalled: [],
})

const verdict = (): HTMLElement => screen.getByTestId('verdict')
const state = (): string | undefined => verdict().dataset.state
const button = (name: string): void => act(() => screen.getByRole('button', { name }).click())

it('says what matched, the nearest miss, and leads to it', () => {
  renderOpened(<Verdict />, { report: fused() })
  expect(state()).toBe('matches')
  expect(screen.getByTestId('status').textContent).toBe('1 match · 4 nodes')
  expect(verdict().textContent).toContain('1 near miss: size is 1 in the graph, 2 in the pattern')
  button('Why')
  expect(useView.getState().panel).toBe('whynot')
})

it('says how much of Python has loaded on a slow line', () => {
  renderOpened(<Verdict />, { report: fused() })
  expect(screen.queryByTestId('python-loading')).toBeNull()
  act(() => useRun.setState({ engine: { ...INITIAL_RUN.engine, loading: { received: 3_100_000, total: 13_500_000 } } }))
  expect(screen.getByTestId('python-loading').textContent).toBe('Python loads: 3.10 MB of 13.5 MB')
  expect(screen.getByRole('progressbar')).toMatchObject({ value: 3_100_000, max: 13_500_000 })
  act(() => useRun.setState({ engine: INITIAL_RUN.engine }))
  expect(screen.queryByTestId('python-loading')).toBeNull()
})

it('gives the cause of a miss once it is explained, and none of an older text', () => {
  const { passes, ...rest } = fused()
  const missed = { ...passes[0]!, count: 0, matches: [], entries: [] }
  renderOpened(<Verdict />, { report: { ...rest, passes: [{ ...missed, explained: false }] } })
  expect(state()).toBe('misses')
  expect(verdict().textContent).toContain('Searching for causes…')
  act(() => useRun.setState(resultOf({ ...rest, passes: [missed] })))
  expect(verdict().textContent).toContain('Size is 1 in the graph')
  act(() => useWorkspace.setState((s) => ({ version: s.version + 1 })))
  expect(state()).toBe('stale')
  expect(verdict().textContent).not.toContain('Size is')
  act(() => useRun.setState(outcomeWith({ python: failure('KeyError', 'patterns.py') })))
  expect(state()).toBe('error')
  expect(verdict().textContent).toMatch(/Error.*before it 0 matches.*KeyError: no driver/)
})

it('asks for a graph, and for a pass', () => {
  renderOpened(<Verdict />, { report: report({ passes: [pass()] }) })
  expect(verdict().textContent).toContain('There is no graph to match.')
  act(() => useRun.setState(resultOf(report({ graph: graph('x placeholder') }))))
  expect(verdict().textContent).toContain('No pass yet')
  const pipeline = { stages: [], defined: [], uuid: '', defines: ['def f(x, y) at a.py:3'] }
  act(() => useRun.setState(resultOf(report({ graph: graph('x placeholder'), pipeline }))))
  expect(verdict().textContent).toMatch(/No pass was found; expected .*; found def f\(x, y\) at a\.py:3\./)
})

it('runs code that takes a graph and that nothing names a pass', () => {
  const stage = { name: 'fuse_cats', kind: 'call', pass: null, at: null, off: { why: 'proposed', guards: [] } }
  const pipeline = { stages: [stage as unknown as PipelineStage], defined: [], uuid: '' }
  renderOpened(<Verdict />, { report: report({ graph: graph('x placeholder'), pipeline }) })
  button('Run fuse_cats')
  expect(useWorkspace.getState().workspace.passes).toEqual(['fuse_cats'])
})

it('holds causes back during an exercise, and marks the result of a sender', () => {
  renderOpened(<Verdict />, { report: fused() })
  act(() => setHeld(true))
  expect(verdict().textContent).not.toContain('near miss')
  act(() => setHeld(false))
  act(() => useRun.setState({ consent: 'pending' }))
  expect(state()).toBe('off')
  expect(verdict().textContent).toContain('not run here')
})

it('names the first file that failed beside others that ran, and opens its line', () => {
  const workspace = { ...WORKSPACE, files: ['a.py', 'b.py'].map((name) => ({ name, text: '' })) }
  const files = [outcome('a.py', null), outcome('b.py', failure('OSError', 'b.py'))]
  renderOpened(<Verdict />, { workspace, report: report({ files }) })
  expect(verdict().textContent).toContain('OSError: no driver. The other files ran.')
  button('Open b.py, line 3')
  expect(useWorkspace.getState().openFile).toBe('b.py')
  button('Traceback')
  expect(useView.getState().panel).toBe('console')
})

it('keeps the matches where one of several files raised, and says so', () => {
  const files = [outcome('a.py', null), outcome('b.py', failure('OSError', 'b.py'))]
  renderOpened(<Verdict />, { report: { ...fused(), files } })
  expect(state()).toBe('matches')
  expect(verdict().textContent).toContain('1 file raised.')
  button('Traceback')
  expect(useView.getState().panel).toBe('console')
})

it('begins with a close cause of patterns where one of several files raised', () => {
  const files = [outcome('a.py', null), outcome('b.py', failure('OSError', 'b.py'))]
  const { passes, ...rest } = fused()
  const [miss] = passes[0]!.nearMisses
  const near = (i: number) => ({ ...miss!, entry: i, score: 4, of: 4 })
  const missed = { ...passes[0]!, count: 0, matches: [], entries: [], nearMisses: [near(0), near(1)] }
  renderOpened(<Verdict />, { report: { ...rest, passes: [missed], files } })
  expect(state()).toBe('misses')
  expect(verdict().textContent).toContain('2 patterns miss for one cause: size is 1 in the graph, 2 in the pattern')
  expect(verdict().textContent).toContain('1 file raised.')
})

it('shows the advice on an exception of any length', () => {
  const python = { ...failure('AttributeError', 'p.py'), message: 'x'.repeat(300), advice: 'Did you mean relu?' }
  renderOpened(<Verdict />, { report: report({}), run: outcomeWith({ python }) })
  expect(verdict().textContent).toMatch(/AttributeError: x+… Did you mean relu\?/)
  expect(verdict().textContent!.length).toBeLessThan(250)
})

it('counts no search that replaces nothing', () => {
  const { passes, ...rest } = fused()
  const stage = { kind: 'call', name: 'mine', at: 1, pass: null, off: null, searches: [0], did: { count: null } }
  const pipeline = { stages: [stage as unknown as PipelineStage], defined: [], uuid: '' }
  renderOpened(<Verdict />, { report: { ...rest, passes, pipeline } })
  expect([state(), screen.getByTestId('status').textContent]).toEqual(['misses', '0 matches · 4 nodes'])
})

it('calls a stored report stored where the engine does not run it, and tells why', async () => {
  const failed = 'This browser cannot run Python: it has no WebAssembly.'
  renderOpened(<Verdict />, { report: fused(), run: outcomeWith({ failure: failed }) })
  act(() => useRun.setState((s) => ({ result: { ...s.result, state: 'stored' } })))
  expect(await screen.findByText('stored')).toBeTruthy()
  expect(verdict().textContent).toContain(failed)
  act(() => useRun.setState((s) => withReport(s, fused(), s.result.version)))
  expect(screen.queryByText('stored')).toBeNull()
})

it('names the failure of the run before those of files', () => {
  const files = [outcome('b.py', failure('OSError', 'b.py'))]
  renderOpened(<Verdict />, {
    report: report({ files }),
    run: outcomeWith({ python: failure('KeyError', 'patterns.py') }),
  })
  expect(verdict().textContent).toContain('KeyError: no driver')
})
