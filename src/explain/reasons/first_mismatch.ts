/** Turns the matcher's first mismatch into a cause, for anchors where the alignment finds none. */
import { worded } from '../../base/message'
import type { Node } from '../../fx'
import type { EntryView } from '../../matcher/registry'
import type { Attempt } from '../../matcher/types'
import { makeCause, type Cause } from '../causes'
import { neverMatches } from './impossible'
import type { PassIndex } from '../pass_index'
import { NO_MESSAGE, withMessage, type NearMissFold } from '../near_misses'
import type { Reason } from './reason'

/** @param reason defaults to the mismatch of the fold's attempts */
export function firstMismatch(
  fold: Pick<NearMissFold, 'phase' | 'mismatch' | 'anchors' | 'count' | 'reason'>,
  reason: Reason = {
    kind: 'first-mismatch',
    attempts: fold.count,
    phase: fold.phase,
    mismatch: fold.mismatch,
    text: fold.reason,
  },
): Cause {
  const m = fold.mismatch
  return {
    ...makeCause({
      reason,
      graphNode: m?.graphNode ?? fold.anchors[0] ?? null,
      argument: m?.argument ?? null,
      expected: m?.expected ?? null,
      found: m?.found ?? null,
      stage: fold.phase,
    }),
    patternNode: m?.patternNode ?? null,
  }
}

/** The cause of a near miss without a better explanation: PyTorch's mismatch, worded for the near miss. */
export const unexplained = (fold: NearMissFold): Cause => ({ ...firstMismatch(fold), ...worded(fold.why) })

/** The attempt that got furthest, for a hand-written pattern, which has no search graph to align. */
export function furthestAttempt(entry: EntryView, facts: PassIndex): NearMissFold[] {
  const failed = facts.pass.attempts.filter((a) => a.entry === entry.index && !a.ok && !facts.takenBy.has(a.node))
  const best = failed.reduce<Attempt | null>(
    (a, b) => ((b.reached?.length ?? 0) > (a?.reached?.length ?? -1) ? b : a),
    null,
  )
  if (!best) return []
  const { phase, mismatch = null, reason, node } = best
  const fold = {
    entry: entry.index,
    phase,
    count: 1,
    anchors: [node],
    mismatch,
    reason: reason ?? '',
    taken: false,
    aligned: [...(best.reached ?? [])],
    ...NO_MESSAGE,
  }
  const cause = firstMismatch(fold, { kind: 'furthest-attempt', node, mismatch, text: reason ?? '' })
  return [withMessage({ ...fold, causes: [cause] }, '', cause.parts)]
}

/** The matcher's mismatch at an anchor where the alignment finds no difference. */
export function matcherCauses(entry: EntryView, anchor: Node, facts: PassIndex): Cause[] {
  const failed = facts.pass.attempts.find((a) => a.entry === entry.index && a.node === anchor.name && !a.ok)
  if (!failed) return []
  const apart = failed.mismatch?.kind === 'no_anchor' ? neverMatches(entry, facts) : null
  if (apart) return [{ ...apart, graphNode: anchor.name }]
  const { phase, mismatch = null, reason } = failed
  const text = reason?.slice(0, 200) ?? ''
  return [
    firstMismatch(
      { phase, mismatch, anchors: [anchor.name], count: 1, reason: text },
      { kind: 'matcher-text', node: anchor.name, mismatch, text },
    ),
  ]
}
