/**
 * Cause of a match that an extra_check rejected: the node.meta keys that the check read, and where their values differ.
 */
import type { SourcePlace } from '../../base/message'
import { VAL_KEYS, type Attempt, type MetaRead } from '../../matcher/types'
import type { GraphIndex } from '../align/anchors'
import { makeCause, type Cause } from '../causes'

/** @param check the name of the check in messages */
export function refusedByCheck(
  attempt: Attempt,
  pattern: string,
  index: GraphIndex,
  check: 'extra_check' | 'match filter' = 'extra_check',
): Cause {
  const base = { graphNode: attempt.node, expected: 'True', found: 'False' } as const
  const stubs = attempt.stubs && { stubs: attempt.stubs }
  const returned = attempt.returned && { returned: attempt.returned }
  const facts = { kind: 'extra-check-false', node: attempt.node, pattern, check, ...stubs, ...returned } as const
  if (attempt.dropReason?.kind === 'extra-check' && attempt.dropReason.none)
    return makeCause({ ...base, found: 'None', reason: { ...facts, none: true, read: null } })
  const made = madeWithoutVal(attempt.reads ?? [], index)
  const [key, reads] = made ? [made.read[1], [made.read]] : decisive(attempt.reads ?? [])
  if (key === null) return makeCause({ ...base, reason: { ...facts, read: null } })
  const values = byValue(reads)
  const reason = { ...facts, read: { key, values }, ...(made && { madeAt: made.at }) }
  const texts = values.map((v) => v.value ?? ABSENT)
  const expected = made ? 'a value' : base.expected
  if (values.length === 1) return makeCause({ ...base, reason, argument: key, expected, found: texts[0]! })
  const odd = values.reduce((a, b) => (b.nodes.length < a.nodes.length ? b : a))
  return makeCause({
    ...base,
    reason,
    graphNode: odd.nodes[0]!,
    argument: key,
    expected: `one ${key}`,
    found: texts.join(', '),
  })
}

/** The read of a value that a node lacks because user code created the node in this run: torch.fx sets no `val` on it. */
function madeWithoutVal(reads: readonly MetaRead[], index: GraphIndex): { read: MetaRead; at: SourcePlace } | null {
  for (const read of reads) {
    const at = read[2] === null && VAL_KEYS.has(read[1]) && index.byName.get(read[0])?.meta.madeAt
    if (at) return { read, at: { file: at.file, line: at.line } }
  }
  return null
}

/** A key that is equal for rejections with equal values, so that layers with equal differences fold. */
export const readsKey = (attempt: Attempt): string =>
  [
    attempt.dropped,
    attempt.returned && `${attempt.returned.file}:${attempt.returned.line} ${attempt.returned.decided}`,
    ...new Set((attempt.reads ?? []).map(([, key, value]) => `${key}=${value}`)),
    ...(attempt.stubs ?? []).map((s) => `${s.source?.file}:${s.source?.line}`),
  ].join('\u0000')

const ABSENT = 'None'

/** The first key whose values differ between nodes, else the first that was read; a check may read several. */
function decisive(reads: readonly MetaRead[]): [key: string | null, reads: readonly MetaRead[]] {
  const of = (key: string): MetaRead[] => reads.filter(([, k]) => k === key)
  const keys = [...new Set(reads.map(([, key]) => key))]
  const key = keys.find((k) => new Set(of(k).map(([, , value]) => value)).size > 1) ?? keys[0] ?? null
  return [key, key === null ? [] : of(key)]
}

function byValue(reads: readonly MetaRead[]): { value: string | null; nodes: string[] }[] {
  const groups = new Map<string | null, string[]>()
  for (const [node, , read] of reads) {
    const value = read === ABSENT ? null : read
    groups.set(value, [...(groups.get(value) ?? []), node])
  }
  return [...groups].map(([value, nodes]) => ({ value, nodes }))
}
