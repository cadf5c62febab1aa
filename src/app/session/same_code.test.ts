import { beforeEach, expect, it } from 'vitest'
import { fused } from '../../engine/queries/testing/report_fixture'
import type { Report } from '../../engine/protocol'
import { INITIAL_RUN, useRun, withExplained, withReport } from './run_store'
import { outcomeWith } from '../testing/run_state'
import { answerAtNewLines } from './same_code'
import { isStale } from './section'
import { EMPTY_WORKSPACE, useWorkspace } from './workspace_store'

const NAME = 'patterns.py'
const PATH = `/w/${NAME}`
/** As long as the fixture's places say. */
const TEXT = 'register(x)\n'.repeat(99)

const placed = (): Report => {
  const made = fused()
  return { ...made, asked: [{ question: 'q', answer: 'a', source: { file: PATH, line: 2 } }] as Report['asked'] }
}
const line = (): number | undefined => useRun.getState().result.value?.asked?.[0]?.source?.line
const edit = (text: string): boolean => {
  useWorkspace.getState().setText(NAME, text)
  return answerAtNewLines()
}
const stale = (): boolean => isStale(useRun.getState().result, useWorkspace.getState().version)

beforeEach(() => {
  useWorkspace.getState().load({ ...EMPTY_WORKSPACE, files: [{ name: NAME, text: TEXT }] }, 'own:same')
  const { workspace, version } = useWorkspace.getState()
  useRun.setState(INITIAL_RUN)
  useRun.setState((s) => withReport(s, placed(), version, workspace))
})

it('a comment moves the report at once, again and back', () => {
  expect([edit(`# a\n${TEXT}`), line(), stale()]).toEqual([true, 3, false])
  expect([edit(`# a\n\n\n${TEXT}`), line(), stale()]).toEqual([true, 5, false])
  expect([edit(TEXT), line(), stale()]).toEqual([true, 2, false])
})

it('the report of the run that follows moves again', () => {
  edit(`# a\n${TEXT}`)
  const { workspace, version } = useWorkspace.getState()
  useRun.setState((s) => withReport(s, placed(), version, workspace))
  expect(line()).toBe(2)
  expect([edit(`\n# a\n${TEXT}`), line()]).toEqual([true, 3])
})

it('other code waits for its run, and so does a comment beside it; undone, the report is there again', () => {
  expect([edit(`y = 1\n${TEXT}`), line(), stale()]).toEqual([false, 2, true])
  expect([edit(`# a\ny = 1\n${TEXT}`), line(), stale()]).toEqual([false, 2, true])
  expect([edit(TEXT), line(), stale()]).toEqual([true, 2, false])
})

it('the explained report moves too, and keeps the workspace of its fixes', () => {
  const {
    result: { source, version: reportVersion },
  } = useRun.getState()
  useRun.setState((s) => withExplained(s, [], reportVersion))
  edit(`# a\n${TEXT}`)
  const {
    result: { value: shown },
    explained,
  } = useRun.getState()
  expect(explained.source).toBe(source)
  expect(explained.value).toBe(shown)
})

it('nothing moves where the last run failed, before a run of this page, or after a later result', () => {
  useRun.setState(outcomeWith({ python: { frames: [] } as never }))
  expect(edit(`#\n${TEXT}`)).toBe(false)
  useRun.setState((s) => ({ ...outcomeWith({ python: null }), result: { ...s.result, state: 'stored' } }))
  expect(edit(`##\n${TEXT}`)).toBe(false)
  useRun.setState((s) => ({ result: { ...s.result, state: 'done' } }))
  expect(edit(`###\n${TEXT}`)).toBe(true)
  useRun.setState((s) => withExplained(s, [], s.result.version))
  expect(edit(`#\n#\n${TEXT}`)).toBe(false)
})
