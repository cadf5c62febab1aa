/** Lints the patterns of a pass that fired. Prefers silence to a false alarm. */
import { newAliases } from './aliases'
import { reorderedArguments } from './argument_order'
import { droppedConstants } from './constants'
import { uncheckedDtypes } from './dtypes'
import { factsOf, type LintInput } from './facts'
import { ignoredLiterals } from './ignored_literals'
import { ignoredKwargs } from './kwargs'
import { uncheckedLayouts } from './layouts'
import { unwrittenMemory } from './memory'
import { usedBeforeDefined } from './order'
import { replacementCalls } from './replacement_calls'
import { stageTwoSkipped } from './stage_two'
import { undeclaredOperators } from './undeclared'
import type { Lint } from './types'

/** Most frequent first, within one entry. */
export function lintPass(input: LintInput): Lint[] {
  if (input.matches.length === 0) return []
  const facts = factsOf(input)
  const lints = [
    ...ignoredKwargs(facts),
    ...uncheckedDtypes(facts),
    ...uncheckedLayouts(facts),
    ...droppedConstants(facts),
    ...ignoredLiterals(facts),
    ...stageTwoSkipped(facts),
    ...newAliases(facts),
    ...usedBeforeDefined(facts),
    ...reorderedArguments(facts),
    ...undeclaredOperators(facts),
    ...unwrittenMemory(facts),
    ...replacementCalls(facts),
  ]
  return lints.sort((a, b) => a.entry - b.entry)
}
