import { describe, expect, it } from 'vitest'
import { INITIAL_RUN, withColumn, withFixes, withReport, type RunState } from './run_store'
import { isStale } from './section'
import { fused, report } from '../../engine/queries/testing/report_fixture'
import type { Cause, Fix } from '../../engine/protocol'
import { outcomeWith, resultOf } from '../testing/run_state'

describe('the counts on several graphs', () => {
  const state = (more: Partial<RunState>): RunState => ({ ...INITIAL_RUN, ...more })
  const column = (graph: string, n: number) => ({ graph, fired: [[n]], problem: null })

  it('stay on screen until the next run has new ones', () => {
    const first = { ...fused(), columns: [column('g', 1), column('h', 0)] }
    const s = state({ ...withReport(state({}), first, 1) })
    expect(s.result.columnsKnown).toBe(2)
    const next = { ...s, ...withReport(s, fused(), 2) }
    expect([next.result.value?.columns, next.result.columnsKnown]).toEqual([first.columns, 0])
    const counted = { ...next, ...withColumn(next, column('g', 5), 2) }
    expect([counted.result.value?.columns, counted.result.columnsKnown]).toEqual([[column('g', 5), column('h', 0)], 1])
    expect(withColumn(next, column('g', 5), 1)).toEqual({})
  })
})

describe('the last good report', () => {
  const state = (more: Partial<RunState>): RunState => ({ ...INITIAL_RUN, ...more })
  const python = { type: 'SyntaxError', message: 'invalid syntax', frames: [], traceback: '' }
  it('stays visible and stale when Python fails, with the failure beside it', () => {
    const good = fused()
    const s = state(resultOf(good, { version: 1 }))
    const next = { ...s, ...withReport(s, report({ python }), 2) }
    expect(next.result.value).toBe(good)
    expect(next.outcome.value.python).toBe(python)
    expect(isStale(next.result, 2)).toBe(true)
  })
  it('stays when nothing could be registered, with the reason and its fixes beside it', () => {
    const good = fused()
    const cause = { kind: 'duplicate-pattern', sentence: 'registered twice' } as Cause
    const failed = { ...INITIAL_RUN, ...resultOf(good, { version: 1 }) }
    const s = { ...failed, ...withReport(failed, report({ python, causes: [cause] }), 2) }
    expect([s.result.value, s.outcome.value.early]).toEqual([good, [cause]])
    const found = { pass: null, miss: null, cause: 0, fixes: [{ title: 'Skip it' } as Fix], tried: [] }
    expect(withFixes(s, [found], 2).outcome?.value.early?.[0]?.fixes?.[0]?.title).toBe('Skip it')
    expect(withFixes(s, [found], 9)).toEqual({})
    expect(withReport(s, fused(), 3).outcome?.value.early).toBeNull()
  })
  it('is replaced by the next good one', () => {
    const s = state({ ...resultOf(fused(), { version: 1 }), ...outcomeWith({ python, failure: 'Stopped' }) })
    const next = { ...s, ...withReport(s, fused(), 2) }
    const { value } = next.outcome
    expect([value.python, value.failure, isStale(next.result, 2)]).toEqual([null, null, false])
  })
  it('a first report with a failure is shown, because there is no earlier one', () => {
    const failed = report({ python })
    expect(withReport(state({}), failed, 1).result?.value).toBe(failed)
  })
})
