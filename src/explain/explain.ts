/**
 * Explains why the patterns of a pass did not fire: near misses over all anchors with every cause, and causes that
 * concern no single anchor.
 */
import { explained } from './attempts'
import { GraphIndex, MAX_ANCHORS } from './align/anchors'
import type { Attempt } from '../matcher/types'
import { makeCause, rankCauses, type Cause } from './causes'
import { applyErrorCause } from './reasons/dropped'
import { sorted, withAlignedMessage } from './folds'
import { graphLevelCause, isSubgraph, isTraced, otherFormCause, patternLevelCause } from './reasons/graph_level'
import { foldAbsent, neverMatches, rootAbsent } from './reasons/impossible'
import { withDecompositions } from './reasons/inductor_decomposition'
import { PassIndex } from './pass_index'
import { foldNearMisses, type NearMissFold } from './near_misses'
import { withLayers } from './layers'
import { complete, Pace } from './pace'
import { pairOf } from './align/pair'
import type { PassExplanation, PassToExplain } from './pass'
import { aligned } from './align/unattempted_anchors'
import { Retracing } from './reasons/retrace'

export type { PassExplanation, PassToExplain } from './pass'

/** Yields every few milliseconds; the caller may stop there. */
export function* explainSlices(pass: PassToExplain): Generator<void, PassExplanation> {
  if (pass.entries.length === 0) return { nearMisses: [], causes: [nothingRegistered(pass.name)] }
  const pace = new Pace()
  const facts = new PassIndex(pass, yield* GraphIndex.slices(pass.graph, pace))
  const retracing = new Retracing(facts)
  if (pace.due()) yield
  const context = {
    matched: (n: string) => facts.takenBy.has(n),
    sameOperator: (a: Attempt) => facts.sameOperator(a),
  }
  const attempts = yield* foldNearMisses(pass.attempts, context, pace)
  if (pace.due()) yield
  const folds: NearMissFold[] = []
  for (const fold of attempts) {
    const full = explained(fold, facts, retracing)
    folds.push(isSubgraph(pass.entries[fold.entry]) ? withAlignedMessage(full) : full)
    if (pace.due()) yield
  }
  const fired = new Set(pass.matches.map((m) => m.entry))
  const unfired = pass.entries.filter((entry) => !fired.has(entry.index))
  let unseen = 0
  for (const entry of pass.entries) {
    if (pace.due()) yield
    if (pace.spent()) unseen++
    else folds.push(...(yield* aligned(entry, folds, fired.has(entry.index), { facts, retracing, pace })))
  }
  const causes: Cause[] = []
  if (pass.applyError) causes.push(errorCause(pass, pass.applyError))
  const level = pass.applyError
    ? null
    : graphLevelCause(
        unfired.filter((e) => !isSubgraph(e)),
        facts,
      )
  if (level) causes.push(level)
  const neverTried: Cause[] = []
  for (const entry of unfired) {
    const never = neverMatches(entry, facts)
    if (never) causes.push(never)
    if (folds.some((f) => f.entry === entry.index)) continue
    const absent = patternLevelCause(entry, facts) ?? rootAbsent(entry, facts, otherFormCause(entry, facts))
    // The graph's level explains why a traced pattern's root is absent.
    if (absent && !(level && isTraced(entry))) neverTried.push(absent)
  }
  causes.push(...foldAbsent(neverTried))
  return {
    nearMisses: withLayers(pass, sorted(folds.map((f) => withDecompositions(f, facts)))),
    causes: rankCauses(causes),
    ...leftOut(unseen, facts.capped.size, pass.entries.length),
  }
}

/** explainSlices without pauses. */
export function explainPass(pass: PassToExplain): PassExplanation {
  return complete(explainSlices(pass))
}

/**
 * Explains why one entry does not match at one node ("this should match here"), however different they are.
 * @param node name of a node of the pass's graph
 * @returns null if there is no such node or entry; a fold without causes if nothing prevents the match
 */
export function explainPair(pass: PassToExplain, entry: number, node: string): NearMissFold | null {
  const facts = new PassIndex(pass)
  return pairOf(entry, node, facts, new Retracing(facts))
}

function leftOut(unseen: number, capped: number, of: number): { leftOut?: string } {
  const parts = [
    ...(unseen > 0
      ? [`time ran out: for ${unseen} of ${of} patterns only the matcher’s own attempts were examined`]
      : []),
    ...(capped > 0
      ? [
          `for ${capped} of ${of} patterns only the first ${MAX_ANCHORS} candidate anchors were examined, so counts may be higher`,
        ]
      : []),
  ]
  return parts.length > 0 ? { leftOut: parts.join('; ') } : {}
}

const nothingRegistered = (pass: string): Cause =>
  makeCause({
    reason: { kind: 'empty-pass', pass },
    expected: 'at least one pattern',
    found: '0 patterns',
  })

/** The cause of an exception that ended the pass. */
function errorCause(pass: PassToExplain, error: string): Cause {
  const last = pass.attempts.filter((a) => a.ok && a.dropped === undefined).at(-1) ?? null
  const entry = last && pass.entries[last.entry]
  return applyErrorCause(
    { text: error, unusedArgument: pass.unusedArgument, retrace: pass.retraceRaised === true },
    last,
    entry ? { title: entry.registration.title, checked: entry.registration.extraCheck !== null } : null,
  )
}
