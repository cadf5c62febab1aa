/** Compares the values of each match of a run with those of its replacement, over the same inputs. */
import { complete } from '../../explain/pace'
import type { AppliedRewrite } from '../../explain/fixes/trials'
import type { PipelineRun } from '../pipeline/run'
import type { Graph } from '../../fx'
import { nameOf } from '../pipeline/plan'
import { codeEdits } from '../programs/code_edits'
import type { OperatorBodies } from '../programs/operator_bodies'
import { bodiesOf } from '../run/bodies'
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
  const found: MatchNumbers[] = []
  const ends = performance.now() + total
  for (const { name, at, entry, rewrite } of rewritesOf(run.pipeline, run.graph, bodies)) {
    const kinds = interpreter.with(run.registrations, () => matchKinds(rewrite, bodies))
    for (const kind of kinds) {
      const started = performance.now()
      const result = complete(checkNumbers([kind], { started, ms: Math.min(ms, ends - started) }))
      found.push({ pass: name, at, entry, node: kind.anchor, times: kind.count, state: stateOf(result), result })
    }
  }
  return found
}

type Named = Pick<MatchNumbers, 'at' | 'entry'> & { name: string; rewrite: AppliedRewrite }

/** The matches of each pattern, in the order of the passes, and the edits of each stage that is code. */
function* rewritesOf({ stages, passes }: PipelineRun, source: Graph, bodies: OperatorBodies): Generator<Named> {
  for (const [at, pass] of passes.entries())
    for (const entry of new Set(pass.matches.map((m) => m.entry)))
      yield { name: pass.key, at, entry, rewrite: { ...pass, matches: pass.matches.filter((m) => m.entry === entry) } }
  for (const [i, { stage, after, copies, pass, searches = [], applied = [] }] of stages.entries()) {
    // What it replaced by patterns is compared as matches.
    const byPatterns = [...searches, ...applied].some((at) => passes[at]!.count > 0)
    if (!('defined' in stage) || pass !== null || byPatterns) continue
    const before = stages[i - 1]?.after ?? source
    yield { name: nameOf(stage), at: i + 1, entry: null, rewrite: codeEdits({ before, after, copies }, bodies) }
  }
}

const stateOf = ({ numbers }: NumbersResult): MatchNumbers['state'] =>
  numbers === 'different' ? 'differs' : numbers === 'unknown' ? 'not-compared' : 'holds'
