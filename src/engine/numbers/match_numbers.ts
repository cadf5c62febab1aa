/** Compares the values of each match of a run with those of its replacement, over the same inputs. */
import { complete } from '../../explain/pace'
import { bodiesOf } from '../run/bodies'
import type { Interpreter } from '../run/interpreter'
import type { Run } from '../run/run'
import { checkNumbers } from './check'
import { matchKinds } from './regions'
import type { MatchNumbers } from './match_numbers_text'
import type { NumbersResult } from './types'

/**
 * What cannot be compared is `not-compared`, with the reason.
 * @param ms of the comparison of one kind of match
 * @param total ms, after which the rest is not compared
 */
export function matchNumbers(interpreter: Interpreter, run: Run, ms = 10_000, total = 20_000): MatchNumbers[] {
  const bodies = bodiesOf(interpreter, run.registrations)
  const found: MatchNumbers[] = []
  const ends = performance.now() + total
  for (const [at, pass] of run.pipeline.passes.entries())
    for (const entry of new Set(pass.matches.map((m) => m.entry))) {
      const matches = pass.matches.filter((m) => m.entry === entry)
      const kinds = interpreter.with(run.registrations, () => matchKinds({ ...pass, matches }, bodies))
      for (const kind of kinds) {
        const started = performance.now()
        const result = complete(checkNumbers([kind], { started, ms: Math.min(ms, ends - started) }))
        found.push({ pass: pass.key, at, entry, node: kind.anchor, times: kind.count, state: stateOf(result), result })
      }
    }
  return found
}

const stateOf = ({ numbers }: NumbersResult): MatchNumbers['state'] =>
  numbers === 'different' ? 'differs' : numbers === 'unknown' ? 'not-compared' : 'holds'
