/**
 * Folds equal failed attempts into near misses: 32 layers that fail alike are one near miss with a count.
 *
 * An attempt is near if stage one matched and a later step failed, or if stage one failed on a value or on users inside
 * the pattern rather than at its first node.
 */
import { message, plainText, type Message } from '../base/message'
import type { DropReason } from '../matcher/reasons/drop_reason'
import type { Attempt, Mismatch } from '../matcher/types'
import type { Cause } from './causes'
import { readsKey } from './reasons/extra_check'
import { leadText, whyMessage, type FailedAttempts } from './reasons/mismatch_messages'

export interface NearMissFold {
  entry: number
  phase: 'initial' | 'specific'
  /** Number of anchors with this failure. */
  count: number
  anchors: string[]
  /** The mismatch at the first of them. */
  mismatch: Mismatch | null
  reason: string
  /** Graph nodes that align at the first anchor. */
  aligned: string[]
  /** For attempts that matched but were dropped. */
  dropReason?: DropReason
  /** For attempts that matched except for missing shapes: how many constants of the initial trace differ from the graph's. */
  differing?: number
  /** True if other patterns replaced the nodes of every anchor, so nothing is wrong there. Otherwise such anchors are not counted. */
  taken: boolean
  /** "32 attempts matched in the initial stage and failed in the specific one: group_size is 128 in the graph, …". */
  sentence: string
  /** `sentence` with the nodes and operators it names marked. */
  parts: Message
  /** `parts` without the leading count of attempts. */
  why: Message
  /** All causes at the first anchor, most explanatory first. */
  causes?: Cause[]
  /** Number of pattern nodes that align at the first anchor, and their total. */
  score?: number
  of?: number
}

export interface NearMissContext {
  /** False if the attempt failed because the node runs a different operator than the pattern's, so it is irrelevant. */
  sameOperator(attempt: Attempt): boolean
  /** True for a node that a match replaced. */
  matched(node: string): boolean
}

/** Yields when a pause is due: on a graph of 50 000 nodes each pattern has as many attempts. */
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
    const key = [attempt.entry, attempt.phase, droppedKey(attempt), causeKey(attempt)].join('\u0000')
    const fold = folds.get(key)
    if (fold && taken && !fold.taken) continue
    if (fold && taken === fold.taken) {
      fold.count++
      fold.anchors.push(attempt.node)
    } else
      folds.set(key, {
        entry: attempt.entry,
        phase: attempt.phase,
        count: 1,
        anchors: [attempt.node],
        rank,
        mismatch: attempt.mismatch ?? null,
        reason: attempt.dropped ?? attempt.reason ?? '',
        ...(attempt.dropReason ? { dropReason: attempt.dropReason } : {}),
        aligned: [...aligned],
        taken,
        ...NO_MESSAGE,
      })
  }
  return [...folds.values()]
    .sort((a, b) => Number(a.taken) - Number(b.taken) || a.rank - b.rank || b.count - a.count || a.entry - b.entry)
    .map(({ rank: _rank, ...fold }) => withMessage(fold, leadText(failedOf(fold)), whyMessage(failedOf(fold))))
}

/** Placeholder messages of a fold under construction. */
export const NO_MESSAGE = { sentence: '', parts: [], why: [] } as const satisfies Partial<NearMissFold>

export function withMessage(fold: NearMissFold, lead: string, why: Message): NearMissFold {
  const parts = message`${lead}${why}`
  return { ...fold, sentence: plainText(parts), parts, why }
}

const failedOf = ({ count, phase, mismatch, reason }: NearMissFold): FailedAttempts => ({
  attempts: count,
  phase,
  mismatch,
  text: reason,
})

/** Lower is nearer; null for an attempt that fired or is irrelevant. */
function rankOf(a: Attempt): number | null {
  if (isUnshaped(a)) return -1
  if (a.ok) return a.dropped === undefined ? null : 1
  if (a.phase === 'specific') return 0
  const m = a.mismatch
  if (!m || m.graphNode === null || m.graphNode === a.node) return null
  if (m.kind === 'constant_args' && m.argument !== null) return 2
  return m.kind === 'multiple_users' ? 3 : null
}

/** All nodes align, and only shapes are missing: nearer than any other near miss. */
export const isUnshaped = ({ dropReason }: { dropReason?: DropReason }): boolean => dropReason?.kind === 'unknown-shape'

/** Layers that lack the shapes of different nodes are one near miss. */
const droppedKey = (a: Attempt): string => (isUnshaped(a) ? 'unknown-shape' : (a.dropped ?? ''))

function causeKey(a: Attempt): string {
  if (isUnshaped(a)) return ''
  const m = a.mismatch
  if (!m) return readsKey(a)
  return [m.kind, m.patternNode, m.argument, m.expected, m.found].join('\u0000')
}
