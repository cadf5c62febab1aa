/**
 * Attempts that got somewhere and failed, folded: 32 layers that fail alike are one near miss with a count.
 *
 * An attempt counts as near when its initial stage matched and something after it did not, or when the initial stage
 * failed on a value or on users inside the pattern rather than on its very first node: those anchors were never meant.
 */
import type { Attempt, Mismatch } from '../matcher/types'
import type { Cause } from './causes'
import { readsKey } from './reasons/extra_check'

export interface NearMissFold {
  entry: number
  phase: 'initial' | 'specific'
  /** How many anchors fail in this way. */
  count: number
  anchors: string[]
  /** For the first of them. */
  mismatch: Mismatch | null
  reason: string
  /** Graph nodes that did align, for the first anchor. */
  aligned: string[]
  /** Another pattern replaced the nodes of every anchor: nothing is wrong there. */
  taken: boolean
  /** "32 attempts matched in the initial stage and failed in the specific one: group_size is 128 in the graph, …". */
  sentence: string
  /** All that stands between the pattern and this place, the one that explains most first. */
  causes?: Cause[]
  /** Pattern nodes that align at the first anchor, and how many there are. */
  score?: number
  of?: number
}

export interface NearMissContext {
  /** False when the attempt failed at a node that is another operator than the pattern's: it was never meant. */
  sameOperator(attempt: Attempt): boolean
  /** True for a node that a match replaced. */
  matched(node: string): boolean
}

/** Yields where a pause is due: a graph of 50 000 nodes has as many attempts for each pattern. */
export function* foldNearMisses(
  attempts: readonly Attempt[],
  context: NearMissContext,
  pace: { due(): boolean },
): Generator<void, NearMissFold[]> {
  const folds = new Map<string, NearMissFold & { rank: number }>()
  let initial: Attempt | null = null
  for (const [i, attempt] of attempts.entries()) {
    if (i % 64 === 0 && pace.due()) yield
    const aligned = (attempt.phase === 'specific' ? initial?.nodes : attempt.nodes) ?? attempt.reached ?? []
    if (attempt.phase === 'initial') initial = attempt
    const rank = rankOf(attempt)
    if (rank === null || !context.sameOperator(attempt)) continue
    const taken = context.matched(attempt.node)
    const key = [attempt.entry, attempt.phase, attempt.dropped ?? '', causeKey(attempt)].join('\u0000')
    const fold = folds.get(key)
    if (fold) {
      fold.count++
      fold.anchors.push(attempt.node)
      fold.taken &&= taken
    } else
      folds.set(key, {
        entry: attempt.entry,
        phase: attempt.phase,
        count: 1,
        anchors: [attempt.node],
        rank,
        mismatch: attempt.mismatch ?? null,
        reason: attempt.dropped ?? attempt.reason ?? '',
        aligned: [...aligned],
        taken,
        sentence: '',
      })
  }
  return [...folds.values()]
    .sort((a, b) => Number(a.taken) - Number(b.taken) || a.rank - b.rank || b.count - a.count || a.entry - b.entry)
    .map(({ rank: _rank, ...fold }) => ({ ...fold, sentence: sentenceOf(fold) }))
}

/** Lower is nearer; null for an attempt that fired or was never meant. */
function rankOf(a: Attempt): number | null {
  if (a.ok) return a.dropped === undefined ? null : 1
  if (a.phase === 'specific') return 0
  const m = a.mismatch
  if (!m || m.graphNode === null || m.graphNode === a.node) return null
  if (m.kind === 'constant_args' && m.argument !== null) return 2
  return m.kind === 'multiple_users' ? 3 : null
}

function causeKey(a: Attempt): string {
  const m = a.mismatch
  if (!m) return a.dropped === undefined ? stripNames(a.reason ?? '') : readsKey(a)
  return [m.kind, m.patternNode, m.argument, m.expected, m.found].join('\u0000')
}

/** `constant_args: auto_functionalized_12 128!=64` differs from its 31 siblings in a number only. */
const stripNames = (reason: string): string => reason.replace(/\b([a-z_]+?)_\d+\b/g, '$1')

function sentenceOf(f: Omit<NearMissFold, 'sentence'>): string {
  const attempts = f.count === 1 ? '1 attempt' : `${f.count} attempts`
  const why = causeSentence(f)
  if (f.mismatch === null) return `${attempts} matched but ${f.count === 1 ? 'was' : 'were'} dropped: ${why}`
  return f.phase === 'specific'
    ? `${attempts} matched in the initial stage and failed in the specific one: ${why}`
    : `${attempts} failed in the initial stage: ${why}`
}

function causeSentence(f: Omit<NearMissFold, 'sentence'>): string {
  const m = f.mismatch
  if (!m) return f.reason
  const where = m.graphNode ? ` (${m.graphNode}${f.count > 1 ? ' and the like' : ''})` : ''
  if (m.argument !== null && m.expected !== null && m.found !== null)
    return `${m.argument} is ${m.found} in the graph, ${m.expected} in the pattern${where}`
  if (m.kind === 'multiple_users')
    return `a value inside the match is used ${times(m.found)} in the graph, ${times(m.expected)} in the pattern${where}`
  if (m.expected !== null && m.found !== null)
    return `the graph has ${m.found} where the pattern has ${m.expected}${where}`
  return f.reason
}

const times = (n: string | null): string => (n === null ? 'otherwise' : n === '1' ? 'once' : `${n} times`)
