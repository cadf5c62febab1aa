/** Compares the values of each match of a run with those of its replacement, over the same inputs. */
import { complete } from '../../explain/pace'
import type { AppliedRewrite } from '../../explain/fixes/trials'
import { bodiesOf } from '../run/bodies'
import { editedStages } from '../run/code_stages'
import type { Interpreter } from '../run/interpreter'
import type { Run } from '../run/run'
import { checkNumbers } from './check'
import { matchKinds } from './regions'
import type { MatchNumbers } from './match_numbers_text'
import type { NumbersResult } from './types'

/**
 * Of matches, and of the edits of code on the graph. What cannot be compared is `not-compared`, with the reason.
 * @param ms of the comparison of one kind of match
 * @param total ms, after which the rest is not compared
 */
export function matchNumbers(interpreter: Interpreter, run: Run, ms = 10_000, total = 20_000): MatchNumbers[] {
  const bodies = bodiesOf(interpreter, run.registrations)
  const ends = performance.now() + total
  const compared = (of: Pick<MatchNumbers, 'pass' | 'at' | 'entry'>, rewrite: AppliedRewrite): MatchNumbers[] => {
    const kinds = interpreter.with(run.registrations, () => matchKinds(rewrite, bodies))
    return kinds.map((kind) => {
      const started = performance.now()
      const result = complete(checkNumbers([kind], { started, ms: Math.min(ms, ends - started) }))
      return { ...of, node: kind.anchor, times: kind.count, state: stateOf(result), result }
    })
  }
  const found: MatchNumbers[] = []
  for (const [at, pass] of run.pipeline.passes.entries())
    for (const entry of new Set(pass.matches.map((m) => m.entry))) {
      const matches = pass.matches.filter((m) => m.entry === entry)
      found.push(...compared({ pass: pass.key, at, entry }, { ...pass, matches }))
    }
  for (const { name, at, rewrite } of editedStages(run.pipeline, run.graph, bodies)) {
    const of = { pass: name, at, entry: null }
    const parts = compared(of, rewrite)
    const whole = parts.some((p) => p.state === 'differs') ? rewrite.whole() : null
    const again = whole && compared(of, whole)
    found.push(...(again?.every((p) => p.state === 'holds') ? again : parts))
  }
  return found
}

const stateOf = ({ numbers }: NumbersResult): MatchNumbers['state'] =>
  numbers === 'different' ? 'differs' : numbers === 'unknown' ? 'not-compared' : 'holds'
