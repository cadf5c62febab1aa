/** Lints the patterns of a pass that fired. Prefers silence to a false alarm. */
import { newAliases } from './aliases'
import {
  reorderedArguments,
  replacementCalls,
  usedBeforeDefined,
  undeclaredOperators,
  unwrittenMemory,
} from './replacements'
import { droppedConstants, ignoredLiterals } from './constants'
import { uncheckedDtypes, ignoredKwargs, uncheckedLayouts } from './unchecked'
import { factsOf, folded, type LintInput } from './facts'
import { stageTwoSkipped } from './stage_two'
import type { Lint } from './types'

/** Most frequent first, within one entry. */
export function lintPass(input: LintInput): Lint[] {
  if (input.matches.length === 0) return []
  const facts = factsOf(input)
  const lints = LINTS.flatMap((lint) => folded(lint(facts), facts))
  return lints.sort((a, b) => a.entry - b.entry)
}

const LINTS = [
  ignoredKwargs,
  uncheckedDtypes,
  uncheckedLayouts,
  droppedConstants,
  ignoredLiterals,
  stageTwoSkipped,
  newAliases,
  usedBeforeDefined,
  reorderedArguments,
  undeclaredOperators,
  unwrittenMemory,
  replacementCalls,
]
