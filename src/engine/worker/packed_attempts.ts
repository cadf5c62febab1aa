/**
 * The attempts of a pass in columns, for messages: 50,000 nodes have 150,000 attempts with few distinct reasons, which as
 * rows take a second of each thread and 140 MB of the page.
 */
import type { Attempt, Mismatch } from '../../matcher'

export interface PackedAttempts {
  /** Distinct texts of all columns. */
  texts: string[]
  entry: Int32Array
  /** Indices into `texts`. */
  phase: Int32Array
  node: Int32Array
  ok: Uint8Array
  /** Index into `texts`; NONE: null. */
  reason: Int32Array
  mismatches: Mismatch[]
  /** Index into `mismatches`; NONE: absent. */
  mismatch: Int32Array
  /** The other fields of the attempts that have any, by index. */
  rest: [number, Rest][]
}

type Columns = 'entry' | 'phase' | 'node' | 'ok' | 'reason' | 'mismatch'
type Rest = Omit<Attempt, Columns>

const NONE = -1
const NOTHING: Rest = { nodes: null }

export function packAttempts(attempts: readonly Attempt[]): PackedAttempts {
  const texts = new Map<string, number>()
  const mismatches = new Map<string, number>()
  const distinct: Mismatch[] = []
  const text = (t: string): number => numbered(texts, t)
  const mismatchAt = (m: Mismatch): number => {
    const at = numbered(mismatches, JSON.stringify(m))
    distinct[at] ??= m
    return at
  }
  const rest: PackedAttempts['rest'] = []
  attempts.forEach(({ entry: _e, phase: _p, node: _n, ok: _o, reason: _r, mismatch: _m, ...others }, i) => {
    if (others.nodes !== null || Object.keys(others).length > 1) rest.push([i, others])
  })
  return {
    entry: Int32Array.from(attempts, (a) => a.entry),
    phase: Int32Array.from(attempts, (a) => text(a.phase)),
    node: Int32Array.from(attempts, (a) => text(a.node)),
    ok: Uint8Array.from(attempts, (a) => (a.ok ? 1 : 0)),
    reason: Int32Array.from(attempts, (a) => (a.reason === null ? NONE : text(a.reason))),
    mismatch: Int32Array.from(attempts, (a) => (a.mismatch ? mismatchAt(a.mismatch) : NONE)),
    texts: [...texts.keys()],
    mismatches: distinct,
    rest,
  }
}

/** Attempts with equal reasons share one text, and those with equal mismatches one object. */
export function unpackAttempts(packed: PackedAttempts): Attempt[] {
  const { texts, mismatches, rest } = packed
  const attempts: Attempt[] = []
  let next = 0
  for (let i = 0; i < packed.entry.length; i++) {
    const own = rest[next]?.[0] === i ? rest[next++]![1] : NOTHING
    const attempt: Attempt = {
      entry: packed.entry[i]!,
      phase: texts[packed.phase[i]!] as Attempt['phase'],
      node: texts[packed.node[i]!]!,
      ok: packed.ok[i] === 1,
      reason: packed.reason[i] === NONE ? null : texts[packed.reason[i]!]!,
      nodes: own.nodes,
    }
    if (packed.mismatch[i] !== NONE) attempt.mismatch = mismatches[packed.mismatch[i]!]!
    attempts.push(own === NOTHING ? attempt : Object.assign(attempt, own))
  }
  return attempts
}

function numbered(numbers: Map<string, number>, key: string): number {
  let found = numbers.get(key)
  if (found === undefined) numbers.set(key, (found = numbers.size))
  return found
}
