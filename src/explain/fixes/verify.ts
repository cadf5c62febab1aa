/** Decides whether to offer a firing change, by comparing the graph's values before and after it. */
import { printGraph, type Graph } from '../../fx'
import type { Fix, FixesFound, NumbersResult } from './types'
import type { SearchClock } from './search_clock'
import type { FixRun, TrialRunner } from './trials'

/** A change that fires, before its values are compared. */
export type FiringChange = Omit<Fix, 'verified' | 'numbers' | 'numbersDetail'>

export interface Verified {
  fix: Fix
  /** False for a change that is only listed as tried. */
  offered: boolean
}

/** The runs to compare, and the changed entry: its pass and its key in both runs. */
export interface Tried {
  base: FixRun
  run: FixRun
  /** Key of the pass. */
  pass: string
  key: string | null
}

export function* verify(
  trials: TrialRunner,
  tried: Tried,
  change: FiringChange,
  clock: SearchClock,
): Generator<null, Verified> {
  const { run, base } = tried
  const result = yield* clock.check((ms) => trials.numbers(run, base, ms))
  const { numbers, detail } = result
  if (numbers === 'equal' || numbers === 'close') {
    const apart = yield* partsSides(trials, tried, clock)
    const reason = 'the pattern and its replacement no longer compute the same; they agree on this graph by chance.'
    return apart
      ? of(change, { numbers, detail: { ...detail, reason: `${reason} ${needs(change)}` } }, false)
      : of(change, result, true)
  }
  if (numbers === 'different')
    return of(change, { numbers, detail: { ...detail, reason: `${detail.reason} ${needs(change)}` } }, false)
  const refused = yield* changesPatternAlone(trials, tried, clock)
  return refused === null
    ? of(change, result, true)
    : of(change, { numbers, detail: refusedDetail(detail, `${refused} ${needs(change)}`) }, false)
}

export const listed = (found: readonly Verified[]): Pick<FixesFound, 'fixes' | 'tried'> => ({
  fixes: found.filter((f) => f.offered).map((f) => f.fix),
  tried: found.filter((f) => !f.offered).map((f) => f.fix),
})

const of = (change: FiringChange, { numbers, detail }: NumbersResult, offered: boolean): Verified => ({
  fix: {
    ...change,
    title: change.second ? `${change.title}, in a second registration` : change.title,
    verified: offered,
    numbers,
    numbersDetail: detail,
  },
  offered,
})

/**
 * A change of code on the graph; no other code computes its result.
 * @param wrong an exception that ends the code, or a violation of the graph
 */
export const ofCode = (change: FiringChange, { numbers, detail }: NumbersResult, wrong: string | null): Verified =>
  wrong === null
    ? of(change, { numbers, detail }, numbers !== 'different')
    : of(change, { numbers: 'unknown', detail: { ...detail, reason: wrong, operator: null } }, false)

const refusedDetail = (detail: NumbersResult['detail'], unsafe: string): NumbersResult['detail'] => ({
  ...detail,
  reason: `${detail.reason}; ${unsafe}`,
  unsafe,
})

const needs = ({ title }: FiringChange): string => `The replacement needs the same change: ${lower(title)}`
const lower = (title: string): string => title[0]!.toLowerCase() + title.slice(1)

/**
 * If the values cannot be compared: the reason why the change is unsafe, namely that the changed pattern computes something else
 * than its replacement; null if it is safe.
 */
function* changesPatternAlone(
  trials: TrialRunner,
  { base, run, pass, key }: Tried,
  clock: SearchClock,
): Generator<null, string | null> {
  const [before, after] = [sidesOf(base, pass, key), sidesOf(run, pass, key)]
  if (!before || !after) return null
  if (textOf(before.replace()) !== textOf(after.replace())) return null
  if (textOf(before.search) === textOf(after.search)) return null
  const { search } = before
  const same =
    search && after.search ? yield* clock.check((ms) => trials.sameFunction(search, after.search!, ms)) : null
  if (same?.numbers === 'equal' || same?.numbers === 'close') return null
  return same?.numbers === 'different'
    ? 'the pattern then computes something else, and its replacement does not.'
    : 'the pattern changes, and its replacement does not.'
}

/** True if pattern and replacement compute the same for the example inputs before a change but not after it. */
function* partsSides(
  trials: TrialRunner,
  { base, run, pass, key }: Tried,
  clock: SearchClock,
): Generator<null, boolean> {
  const [before, after] = [sidesOf(base, pass, key), sidesOf(run, pass, key)]
  if (!before?.search || !after?.search || textOf(before.search) === textOf(after.search)) return false
  const differ = function* (sides: Sides): Generator<null, boolean> {
    const [search, replace] = [sides.search, sides.replace()]
    if (!search || !replace) return false
    return (yield* clock.check((ms) => trials.sameFunction(search, replace, ms)))?.numbers === 'different'
  }
  return (yield* differ(after)) && !(yield* differ(before))
}

const textOf = (graph: Graph | null): string => (graph ? printGraph(graph) : '')

/** An entry's functions; the replacement is traced on demand. */
interface Sides {
  search: Graph | null
  replace: () => Graph | null
}

function sidesOf(run: FixRun, pass: string, key: string | null): Sides | null {
  const found = run.passes.find((p) => p.key === pass)
  const entry = found && key !== null ? found.entryOf(key) : null
  if (!found || entry === null) return null
  return { search: found.toExplain.entries[entry]?.searchGraph ?? null, replace: () => found.replacement(entry) }
}
