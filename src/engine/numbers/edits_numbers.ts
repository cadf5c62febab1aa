/** Compares the values before and after edits of code on the graph. */
import type { AppliedRewrite } from '../../explain/fixes/trials'
import type { CodeEdits } from '../programs/code_edits'
import type { OperatorBodies } from '../programs/operator_bodies'
import { checkNumbers, type KnownNumbers } from './check'
import type { MatchNumbers } from './match_numbers_text'
import { matchKinds } from './regions'
import type { NumbersBudget, NumbersResult } from './types'

/**
 * In parts; where one differs, in larger parts, whose answer counts if all values hold: edits that belong together differ alone.
 * @param compare of what it is given, one result or several
 */
export function* editsNumbers<T extends { result: NumbersResult }>(
  edits: CodeEdits,
  compare: (rewrite: AppliedRewrite) => Generator<null, readonly T[]>,
): Generator<null, readonly T[]> {
  const parts = yield* compare(edits)
  const whole = parts.some((p) => stateOf(p.result) === 'differs') ? edits.whole() : null
  const again = whole ? yield* compare(whole) : []
  return again.length > 0 && again.every((p) => stateOf(p.result) === 'holds') ? again : parts
}

export const stateOf = ({ numbers }: NumbersResult): MatchNumbers['state'] =>
  numbers === 'different' ? 'differs' : numbers === 'unknown' ? 'not-compared' : 'holds'

/** The worst of all edits of a stage. */
export function* stageNumbers(
  edits: CodeEdits,
  bodies: OperatorBodies | null,
  budget: NumbersBudget,
  known: KnownNumbers,
): Generator<null, NumbersResult> {
  const [found] = yield* editsNumbers(edits, function* (part) {
    return [{ result: yield* checkNumbers(matchKinds(part, bodies), budget, known) }]
  })
  return found!.result
}
