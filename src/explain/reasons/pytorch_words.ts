/** PyTorch's own mismatch as a cause, where the alignment has nothing to say. */
import type { Node } from '../../fx'
import type { EntryView } from '../../matcher/registry'
import type { Attempt } from '../../matcher/types'
import { makeCause, type Cause } from '../causes'
import { neverMatches } from './impossible'
import type { Knowledge } from '../known'
import type { NearMissFold } from '../near_misses'

const KINDS: Readonly<Record<string, Cause['kind']>> = {
  constant_args: 'constant',
  get_attr_value: 'constant',
  function_mismatch: 'wrong-operator',
  arity: 'arity',
  multiple_users: 'escaping-intermediate',
  kwarg_mismatch: 'kwarg-conflict',
  args_structure: 'structure',
  non_list: 'structure',
  repeated_pattern: 'repeated-argument',
  exclusive_arg: 'exclusive-argument',
  no_anchor: 'output-unused',
  no_match: 'output-unused',
}

export /** The first mismatch of an attempt. */
function fallback(fold: Pick<NearMissFold, 'phase' | 'mismatch' | 'anchors' | 'sentence'>): Cause {
  const m = fold.mismatch
  return {
    ...makeCause({
      kind: (m && KINDS[m.kind]) ?? 'other',
      graphNode: m?.graphNode ?? fold.anchors[0] ?? null,
      argument: m?.argument ?? null,
      expected: m?.expected ?? null,
      found: m?.found ?? null,
      stage: fold.phase,
      sentence: fold.sentence,
    }),
    patternNode: m?.patternNode ?? null,
  }
}

/** A pattern written by hand has no graph to align: the attempt that came furthest, with what stopped it. */
export function byHand(entry: EntryView, facts: Knowledge): NearMissFold[] {
  const failed = facts.pass.attempts.filter((a) => a.entry === entry.index && !a.ok && !facts.takenBy.has(a.node))
  const best = failed.reduce<Attempt | null>(
    (a, b) => ((b.reached?.length ?? 0) > (a?.reached?.length ?? -1) ? b : a),
    null,
  )
  if (!best) return []
  const { phase, mismatch = null, reason, node } = best
  const sentence = mismatch
    ? `the furthest attempt, at ${node}, stops at ${mismatch.graphNode ?? node}: ${mismatch.found ?? 'nothing'} in the graph, ${mismatch.expected ?? 'nothing'} in the pattern`
    : `the furthest attempt, at ${node}, fails: ${reason ?? ''}`
  const fold = {
    entry: entry.index,
    phase,
    count: 1,
    anchors: [node],
    mismatch,
    reason: reason ?? '',
    taken: false,
    sentence,
  }
  return [{ ...fold, aligned: [...(best.reached ?? [])], causes: [fallback(fold)] }]
}

/** PyTorch's own mismatch at an anchor where the alignment finds nothing wrong. */
export function pytorchsCause(entry: EntryView, anchor: Node, facts: Knowledge): Cause[] {
  const failed = facts.pass.attempts.find((a) => a.entry === entry.index && a.node === anchor.name && !a.ok)
  if (!failed) return []
  const apart = failed.mismatch?.kind === 'no_anchor' ? neverMatches(entry, facts) : null
  if (apart) return [{ ...apart, graphNode: anchor.name }]
  const { phase, mismatch = null, reason } = failed
  const sentence = `at ${anchor.name} the matcher says: ${reason?.slice(0, 200) ?? 'nothing'}`
  return [fallback({ phase, mismatch, anchors: [anchor.name], sentence })]
}
