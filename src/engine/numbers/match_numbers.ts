/** Compares the values of each match of a run with those of its replacement, over the same inputs. */
import { complete } from '../../explain/pace'
import type { AppliedRewrite } from '../../explain/fixes/trials'
import { bodiesOf } from '../run/bodies'
import { editedStages } from '../run/code_stages'
import type { Interpreter } from '../run/interpreter'
import type { Run } from '../run/run'
import { checkNumbers } from './check'
import { editsNumbers, stateOf } from './edits_numbers'
import { matchKinds } from './regions'
import type { MatchNumbers } from './match_numbers_text'

/**
 * Outcomes for matches and for the edits of code on the graph. If values cannot be compared, the outcome is `not-compared` with the
 * reason.
 * @param ms time limit for one kind of match
 * @param total time limit for all, in ms; the rest is not compared
 */
export function matchNumbers(interpreter: Interpreter, run: Run, ms = 10_000, total = 20_000): MatchNumbers[] {
  const bodies = bodiesOf(interpreter, run.registrations)
  const ends = performance.now() + total
  function* compared(
    of: Pick<MatchNumbers, 'pass' | 'at' | 'entry'>,
    rewrite: AppliedRewrite,
  ): Generator<null, MatchNumbers[]> {
    const all: MatchNumbers[] = []
    for (const kind of interpreter.with(run.registrations, () => matchKinds(rewrite, bodies))) {
      const started = performance.now()
      const result = yield* checkNumbers([kind], { started, ms: Math.min(ms, ends - started) })
      all.push({ ...of, node: kind.anchor, times: kind.count, state: stateOf(result), result })
    }
    return all
  }
  const found: MatchNumbers[] = []
  for (const [at, pass] of run.pipeline.passes.entries())
    for (const entry of new Set(pass.matches.map((m) => m.entry))) {
      const matches = pass.matches.filter((m) => m.entry === entry)
      found.push(...complete(compared({ pass: pass.key, at, entry }, { ...pass, matches })))
    }
  for (const { name, at, rewrite } of editedStages(run.pipeline, run.graph, bodies))
    found.push(...complete(editsNumbers(rewrite, (part) => compared({ pass: name, at, entry: null }, part))))
  return found
}
