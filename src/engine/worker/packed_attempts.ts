/**
 * The attempts of a pass in columns, for messages: 50,000 nodes have 150,000 attempts with few distinct reasons. As rows, they
 * would take a second on each thread and 140 MB in the page.
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
  /** The other fields, by index, of the attempts that have any. */
  rest: [number, Rest][]
}

type Columns = 'entry' | 'phase' | 'node' | 'ok' | 'reason' | 'mismatch'
type Rest = Omit<Attempt, Columns>

const NONE = -1
const NOTHING: Rest = { nodes: null }

export function packAttempts(attempts: readonly Attempt[]): PackedAttempts {
  const texts = new Map<string, number>()
  const text = (t: string): number => numbered(texts, t)
  const mismatches = new DistinctMismatches(text)
  const rest: PackedAttempts['rest'] = []
  const size = attempts.length
  const column = (): Int32Array => new Int32Array(size)
  const [entry, phase, node, reason, mismatch] = [column(), column(), column(), column(), column()]
  const ok = new Uint8Array(size)
  for (let i = 0; i < size; i++) {
    const a = attempts[i]!
    entry[i] = a.entry
    phase[i] = text(a.phase)
    node[i] = text(a.node)
    ok[i] = a.ok ? 1 : 0
    reason[i] = a.reason === null ? NONE : text(a.reason)
    mismatch[i] = a.mismatch ? mismatches.indexOf(a.mismatch) : NONE
    if (a.nodes !== null || !isPlain(a)) rest.push([i, restOf(a)])
  }
  return {
    ...{ entry, phase, node, ok, reason, mismatch, rest },
    texts: [...texts.keys()],
    mismatches: mismatches.values,
  }
}

/** Fields that few attempts have. Checked by name: listing the keys of each attempt takes longer than packing it. */
const isPlain = ({ dropped, dropReason, reads, stubs, pattern, reached }: Attempt): boolean =>
  dropped === undefined &&
  dropReason === undefined &&
  reads === undefined &&
  stubs === undefined &&
  pattern === undefined &&
  reached === undefined

function restOf({ entry: _e, phase: _p, node: _n, ok: _o, reason: _r, mismatch: _m, ...rest }: Attempt): Rest {
  return rest
}

/** Greater than the number of texts; the product of two such numbers is exact. */
const RADIX = 2 ** 26

/** Assigns one number to equal mismatches. */
class DistinctMismatches {
  readonly values: Mismatch[] = []
  private readonly numbers = new Map<number, number>()
  private readonly pairs = new Map<number, number>()

  constructor(private readonly text: (t: string) => number) {}

  indexOf(m: Mismatch): number {
    const sides = this.pair(this.part(m.expected), this.part(m.found))
    const where = this.pair(this.part(m.graphNode), (m.patternNode ?? NONE) + 1)
    const what = this.pair(this.text(m.kind), this.part(m.argument))
    const key = this.pair(this.pair(sides, where), what)
    let at = this.numbers.get(key)
    if (at === undefined) {
      this.numbers.set(key, (at = this.values.length))
      this.values.push(m)
    }
    return at
  }

  private part(t: string | null): number {
    return t === null ? 0 : this.text(t) + 1
  }

  /** A number for each pair. */
  private pair(a: number, b: number): number {
    const key = a * RADIX + b
    let found = this.pairs.get(key)
    if (found === undefined) this.pairs.set(key, (found = this.pairs.size))
    return found
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
