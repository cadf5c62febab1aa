/** Adds the causes at its nearest anchor to a fold of attempts. */
import type { Node } from '../fx'
import { Aligner } from './align/align'
import { rankCauses, type Cause } from './causes'
import { droppedCause } from './reasons/dropped'
import type { AlignablePattern, PassIndex } from './pass_index'
import { isUnshaped, type NearMissFold } from './near_misses'
import { firstMismatch } from './reasons/first_mismatch'
import type { Retracing } from './reasons/retrace'

/** Returns a fold of attempts with all causes at its first anchor. */
export function explained(fold: NearMissFold, facts: PassIndex, retracing: Retracing): NearMissFold {
  const anchor = facts.index.byName.get(fold.anchors[0]!)
  const known = facts.alignableOf(fold.entry)
  const of = known?.pattern.calls.length
  if (fold.taken) return { ...fold, ...(of === undefined ? {} : { of }), causes: [facts.takenCause(fold.anchors[0]!)] }
  if (fold.mismatch === null) {
    const attempt = facts.pass.attempts.find(
      (a) => a.entry === fold.entry && a.node === fold.anchors[0] && a.phase === fold.phase && a.dropped !== undefined,
    )
    if (attempt)
      return {
        ...fold,
        ...(of === undefined ? {} : { score: of, of }),
        ...(known && anchor && isUnshaped(fold) ? { differing: differing(known, anchor, facts) } : {}),
        causes: rankCauses([
          droppedCause(attempt, facts.titleOf(fold.entry), facts.index, facts.pass.schemaOf),
          ...(known && anchor && fold.dropReason?.kind === 'retrace-raised' ? symbolic(known, anchor, facts) : []),
        ]),
      }
  }
  if (!known || !anchor) return { ...fold, causes: [firstMismatch(fold)] }
  const output = known.pattern.outputs[0]!
  const best = fold.anchors
    .slice(0, 8)
    .map((name) => facts.index.byName.get(name) ?? anchor)
    .reduce((a, b) => (known.aligner.value(output, b) > known.aligner.value(output, a) ? b : a), anchor)
  const alignment = retracing.at(fold.entry, known, output, best)
  const causes = alignment.causes.length > 0 ? alignment.causes : [firstMismatch(fold)]
  // An attempt ends at its first mismatch; the fold also includes what aligns beyond it.
  const aligned = [...alignment.pairs.values()].map((g) => g.name)
  return {
    ...fold,
    anchors: [best.name, ...fold.anchors.filter((a) => a !== best.name)],
    aligned: aligned.length > fold.aligned.length ? aligned : fold.aligned,
    score: alignment.score,
    of: alignment.of,
    causes,
  }
}

/** Number of constants that differ between the graph and the trace of the example inputs; some may be sizes. */
function differing({ pattern }: AlignablePattern, anchor: Node, facts: PassIndex): number {
  const exact = new Aligner(pattern, { schemaOf: facts.pass.schemaOf, stage: 'specific', index: facts.index })
  return exact.align(pattern.outputs[0]!, anchor).causes.length
}

/**
 * Sizes that are literals in the pattern and symbols in the graph; reported only where no re-trace gives a better
 * cause.
 */
function symbolic({ pattern }: AlignablePattern, anchor: Node, facts: PassIndex): Cause[] {
  const exact = new Aligner(pattern, { schemaOf: facts.pass.schemaOf, stage: 'specific', index: facts.index })
  return exact.align(pattern.outputs[0]!, anchor).causes.filter((c) => c.kind === 'symbolic-shape')
}
