// @vitest-environment happy-dom
import { act, renderHook, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { Exercise } from '../../engine/lessons/catalog'
import { entryKey } from '../../engine/queries/report_index'
import { fused } from '../../engine/queries/testing/report_fixture'
import type { RunReport } from '../../gpu/types'
import '../features'
import { EnvironmentSection } from '../features/environment/EnvironmentSection'
import { useEnvironment } from '../features/environment/environment'
import { useExercise } from '../features/lessons/attempt'
import { carriedRun } from '../features/run/carried_run'
import { RunPanel } from '../features/run/RunPanel'
import { subjectKey, useGpu, type LeafVerdict } from '../features/run/store'
import { VariantTable } from '../features/run/VariantTable'
import { StepsPanel } from '../features/steps/StepsPanel'
import { PinSection } from '../features/whynot/PinSection'
import { usePin } from '../on_screen/pin_store'
import { useSteps } from '../on_screen/steps/store'
import { indexTimeline } from '../on_screen/steps/timeline'
import { closeAfterTest, renderOpened } from '../testing/render'
import { outcomeWith, RUNNING } from '../testing/run_state'
import { problemsOf, useRun, withFailure, withGraph, withReport } from './run_store'
import { done, type Section } from './section'
import { useWorkspace } from './workspace_store'

afterEach(closeAfterTest)

const version = (): number => useWorkspace.getState().version
const edit = (): void => act(() => useWorkspace.setState((s) => ({ version: s.version + 1 })))
const rerun = (report = fused()): void => act(() => useRun.setState((s) => withReport(s, report, version())))
const older = (): boolean => screen.queryByTestId('older-text') !== null

/** The panel before an edit, after it, once the edit has its report, and once the answer is renewed. */
function transitions<T>(value: T, show: (section: Section<T>) => void): boolean[] {
  const renew = (): void => act(() => show(done(value, version())))
  const seen: boolean[] = []
  for (const step of [renew, edit, () => rerun(), renew]) {
    step()
    seen.push(older())
  }
  return seen
}
const MARKED = [false, true, true, false]

const of = { pass: 'patterns', entry: 0, node: 'neg' }
const verdict: LeafVerdict = { kind: 'equal', headline: null, parts: [], sentence: '', causes: [], share: 0 }

describe('an answer of an older text is marked, until it is renewed', () => {
  it('steps', () => {
    renderOpened(<StepsPanel />, { report: fused() })
    const timeline = indexTimeline({ ...of, steps: [], cut: false })
    expect(transitions(timeline, (section) => useSteps.setState({ of, timeline: section }))).toEqual(MARKED)
  })

  it('the pinned pair', () => {
    renderOpened(<PinSection />, { report: fused() })
    usePin.setState({ pin: { ...of, title: 'fuse', bindings: '' } })
    expect(
      transitions({ ...of, fires: true, miss: null }, (answer) => usePin.setState({ answer, asking: false })),
    ).toEqual(MARKED)
  })

  it('GPU runs; verdicts of variants only of the run on screen, because others have other registrations', () => {
    const { rerender } = renderOpened(<RunPanel />, { report: fused() })
    const subject = { kind: 'match', pass: 'patterns', match: 0 } as const
    const sweep = { of: subjectKey(subject), title: 'Fuse', device: null, points: [] }
    expect(transitions(sweep, (section) => useGpu.setState({ of: subject, sweep: section }))).toEqual(MARKED)
    rerender(<VariantTable report={fused()} pass="patterns" />)
    const verdicts = { [entryKey('patterns', 0)]: verdict, [entryKey('patterns', 1)]: verdict }
    expect(transitions(verdicts, (section) => useGpu.setState({ verdicts: section }))).toEqual([
      false,
      true,
      false,
      false,
    ])
    edit()
    rerun()
    expect(screen.queryByTestId('run-verdicts')).toBeNull()
  })
})

it('a link carries no GPU run of an older text', () => {
  renderOpened(<></>, { report: fused() })
  const side = { time: null, launches: 0 }
  const run = { title: 'Fuse', verdict: { ...verdict, named: [] }, outputs: [], problems: [], device: null }
  useGpu.setState({ report: done({ ...run, unfused: side, fused: side } as object as RunReport, version()) })
  expect(carriedRun()?.title).toBe('Fuse')
  edit()
  expect(carriedRun()).toBeUndefined()
})

it('an environment change shows its effect with the next run, and stays over later ones', () => {
  renderOpened(<EnvironmentSection report={fused()} />, { report: fused() })
  const shown = (): boolean => screen.queryByTestId('environment-change') !== null
  act(() => useEnvironment.setState({ before: done({ entries: [], answers: [] }, version()) }))
  expect(shown()).toBe(false)
  edit()
  expect(shown()).toBe(false)
  rerun()
  expect(shown()).toBe(true)
})

it('an exercise works until the newest text has its explained report', () => {
  renderOpened(<></>, { report: fused() })
  const exercise = { goal: [], hints: [], solution: [], wrong: [] } as object as Exercise
  const { result } = renderHook(() => useExercise(exercise, null))
  expect(result.current.working).toBe(false)
  edit()
  expect(result.current.working).toBe(true)
  act(() => useRun.setState({ running: RUNNING }))
  rerun()
  expect(result.current.working).toBe(true)
  act(() => useRun.setState({ running: null }))
  expect(result.current.working).toBe(false)
})

describe('the outcome of the newest run', () => {
  const problem = (message: string) => ({ file: 'graph.txt', line: 1, column: 1, message })

  it('has the problems of the graph until the run of its text ends', () => {
    renderOpened(<></>, { report: { ...fused(), problems: [problem('of the run')] } })
    const messages = (): string[] => problemsOf(useRun.getState()).map((p) => p.message)
    expect(messages()).toEqual(['of the run'])
    edit()
    useRun.setState((s) => withGraph(s, { nodes: [], problems: [problem('of the graph')] }, version()))
    expect(messages()).toEqual(['of the graph'])
    rerun()
    expect(messages()).toEqual([])
  })

  it('is a failure without the problems and the exception of the run before', () => {
    renderOpened(<></>, { report: fused(), run: { ...outcomeWith({ python: {} as never }), running: RUNNING } })
    useRun.setState((s) => ({ result: { ...s.result, fixes: 'running' } }))
    useRun.setState((s) => withFailure(s, 'Stopped', version()))
    const { outcome, running, result } = useRun.getState()
    expect([outcome.value.failure, outcome.value.python, running, result.fixes]).toEqual([
      'Stopped',
      null,
      null,
      'none',
    ])
    rerun()
    expect(useRun.getState().outcome.value.failure).toBeNull()
  })
})
