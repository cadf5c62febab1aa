/** Causes that are known before a pattern is tried. */
import { guessedCause, noPass, registrationCause } from '../../explain/reasons/dropped'
import type { PatternRegistry } from '../../matcher'
import type { GuessedSchema } from '../../matcher/schema_facts'
import type { PythonFailure, PythonRun } from '../../python/types'
import type { Cause } from '../protocol'
import { decidedAtLoad } from '../report/stub_decisions'

const NO_GUESSES: ReadonlyMap<string, GuessedSchema> = new Map()

/** Causes that prevent all attempts: the files raised, or define nothing that edits a graph. */
export function earlyCauses(
  { failure, line, stubs }: Pick<PythonRun, 'failure' | 'line' | 'stubs'>,
  registry: PatternRegistry,
  guesses: ReadonlyMap<string, GuessedSchema> = NO_GUESSES,
): Cause[] {
  const cause = failure
    ? (registrationCause(registry.refusalOf(failure.message), failure.frames.at(-1) ?? null) ??
      causeOfGuess(failure, guesses))
    : line.length === 0
      ? noPass(decidedAtLoad(stubs), stubs.find((s) => s.asked.some((name) => MATCHER_NAMES.has(name)))?.module)
      : null
  return cause ? [cause] : []
}

/** Names whose import from another module is a mistake. */
const MATCHER_NAMES: ReadonlySet<string> = new Set(['PatternMatcherPass', 'register_replacement'])

/** Exceptions that a wrong number of outputs raises where they are unpacked or indexed. */
const OF_GUESSES: ReadonlySet<string> = new Set(['ValueError', 'IndexError', 'TypeError', 'KeyError'])

function causeOfGuess(
  { type, message, frames }: PythonFailure,
  guesses: ReadonlyMap<string, GuessedSchema>,
): Cause | null {
  const at = frames.at(-1) ?? null
  const names = (g: GuessedSchema): boolean => at?.code?.includes(g.operator.split('::')[1] ?? '') ?? false
  const guessed = [...guesses.values()].sort((a, b) => Number(names(b)) - Number(names(a)))[0]
  return guessed && OF_GUESSES.has(type) ? guessedCause(`${type}: ${message}`, guessed, at) : null
}
