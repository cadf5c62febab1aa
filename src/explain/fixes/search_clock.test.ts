import { expect, test } from 'vitest'
import { FIX_BUDGET, SearchClock } from './search_clock'

const BUDGET = { ...FIX_BUDGET, ms: 1000, leastTrials: 0, numbersMs: 500, checkMs: 400 }

test('counts the time of the search alone, numeric checks apart', () => {
  let now = 0
  const clock = new SearchClock(BUDGET, () => now)
  const allowed: number[] = []
  function* check(ms: number): Generator<null, string> {
    allowed.push(ms)
    now += 300
    yield null
    return 'checked'
  }
  function* search(): Generator<string | null, string> {
    now += 900
    yield 'first'
    expect(clock.late()).toBe(false)
    for (let i = 0; i < 3; i++) expect(yield* clock.check(check)).toBe('checked')
    expect(clock.late()).toBe(false)
    now += 101
    expect(clock.late()).toBe(true)
    return 'done'
  }
  const steps = clock.time(search())
  const seen: unknown[] = []
  for (let step = steps.next(); ; step = steps.next()) {
    seen.push(step.value)
    if (step.done) break
    // Another request, between two steps.
    now += 60_000
  }
  expect(seen).toEqual(['first', null, null, null, 'done'])
  expect(allowed).toEqual([400, 200, 0])
})

test('has more time where a run takes longer, up to a limit', () => {
  let now = 0
  for (const [run, limit] of [
    [20, 1000],
    [300, 2000],
    [9000, 5000],
  ] as const) {
    const clock = new SearchClock(BUDGET, () => now)
    clock.firstRun(run)
    const steps = clock.time(
      (function* (): Generator<null, void> {
        now += limit
        expect(clock.late()).toBe(false)
        now++
        expect(clock.late()).toBe(true)
        yield null
      })(),
    )
    steps.next()
  }
})

test('has its first trials, however long each takes', () => {
  let now = 0
  const clock = new SearchClock({ ...BUDGET, leastTrials: 2 }, () => now)
  function* search(): Generator<null, boolean[]> {
    const late: boolean[] = []
    for (let run = 0; run < 3; run++) {
      now += 9000
      yield null
      late.push(clock.late())
    }
    yield* clock.check(function* () {
      yield null
    })
    return late
  }
  const steps = clock.time(search())
  let step = steps.next()
  while (!step.done) step = steps.next()
  expect(step.value).toEqual([false, true, true])
})

test('begins nothing after the time at which its process is ended', () => {
  let now = 0
  const clock = new SearchClock({ ...FIX_BUDGET, ms: 1e9, until: 100 }, () => now)
  now = 90
  expect(clock.late()).toBe(false)
  const given: number[] = []
  const check = clock.check(function* (ms) {
    given.push(ms)
    yield null
  })
  check.next()
  expect(given).toEqual([10])
  now = 101
  expect(clock.late()).toBe(true)
})
