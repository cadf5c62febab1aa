// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { MatchNumbers } from '../../../engine/numbers/match_numbers_text'
import type { Report } from '../../../engine/protocol'
import type { EngineClient } from '../../../engine/worker/client'
import { RUNNING } from '../../testing/run_state'
import { useRun, withExplained, withReport, type RunState } from '../../session/run_store'
import * as runner from '../../session/runner'
import { closeAfterTest, renderOpened } from '../../testing/render'
import { fused, report } from '../../../engine/queries/testing/report_fixture'
import { MatchesPanel } from './MatchesPanel'

const matchNumbers = vi.fn<() => Promise<MatchNumbers[]>>()

const HOLDS = {
  ...{ pass: 'patterns', at: 1, entry: 0, node: 'neg', times: 1, state: 'not-compared' },
  result: { numbers: 'not-run', detail: { output: null, input: null, maxAbs: null, maxRel: null, reason: 'a test' } },
} as unknown as MatchNumbers

beforeEach(() => {
  matchNumbers.mockReset().mockResolvedValue([HOLDS])
  vi.spyOn(runner, 'engine').mockResolvedValue({ matchNumbers } as unknown as EngineClient)
})
afterEach(closeAfterTest)

const button = () => screen.queryByRole('button', { name: 'Compare the numbers' })
const list = () => screen.queryByRole('list', { name: 'Numbers of the matches' })
const press = () => act(async () => void fireEvent.click(button()!))
const set = (change: (s: RunState) => Partial<RunState>) => act(async () => useRun.setState(change))

it('keeps the numbers while their report is explained, until another run is on screen', async () => {
  renderOpened(<MatchesPanel />, { report: fused() })
  await press()
  expect([list() !== null, button()]).toEqual([true, null])
  await set((s) => withExplained(s, [], s.result.version))
  expect(list()).not.toBeNull()
  await set((s) => withReport(s, fused(), s.result.version + 1))
  expect([list(), button() !== null]).toEqual([null, true])
})

it('compares after the run in progress, whose numbers they are', async () => {
  renderOpened(<MatchesPanel />, { report: fused(), run: { running: RUNNING } })
  await press()
  expect(matchNumbers).not.toHaveBeenCalled()
  expect(screen.getByRole('button', { name: 'Comparing…' }).getAttribute('aria-disabled')).toBe('true')
  await set((s) => ({ ...withReport(s, fused(), s.result.version + 1), running: null }))
  expect([matchNumbers.mock.calls.length, list() !== null]).toEqual([1, true])
})

it('says why numbers are not compared, and offers it again', async () => {
  renderOpened(<MatchesPanel />, { report: fused(), run: { consent: 'pending' } })
  await press()
  expect(screen.getByRole('alert').textContent).toBe(
    'The numbers could not be compared: Numbers are compared after the code of this link has run.',
  )
  expect([list(), button() !== null, matchNumbers.mock.calls.length]).toEqual([null, true, 0])
  await set(() => ({ consent: 'given' }))
  await press()
  expect([list() !== null, screen.queryByRole('alert')]).toEqual([true, null])
})

it('offers no comparison of a capture as it was recorded', () => {
  const capture = { file: 'c.json', torch: '2.14.1', compile: null, replaced: 1, agrees: true, notes: [] }
  renderOpened(<MatchesPanel />, { report: { ...fused(), capture: { ...capture, edited: false } } })
  expect(button()).toBeNull()
})

it('says that code on the graph made no edits', () => {
  const did = { count: 0, notes: [], error: null, ms: 1 }
  const stage = { kind: 'call', name: 'noop', at: 1, pass: null, off: null, did }
  renderOpened(<MatchesPanel />, { report: report({ pipeline: { stages: [stage] } as unknown as Report['pipeline'] }) })
  expect(screen.getByTestId('match-list').textContent).toBe('The code that takes the graph made no edits. Why not')
})
