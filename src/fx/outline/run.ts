/** Runs of equal subgraphs that follow one another in a graph's canonical order. */
import { align } from './alignment'
import { ascending, NONE, type Alignment, type RunInstance } from './columns'
import type { Structure } from './order'
import { EDGE, phaseOf } from './phase'
import { dropInputs, extendHead } from './head'
import { withoutTransitions } from './transitions'
import type { Seed } from './seeds'

export interface Run {
  /** Nodes of a typical instance, by column. */
  typical: Int32Array
  instances: RunInstance[]
  /** The range of positions that the instances are in. */
  from: number
  to: number
  /** Number of nodes in transitions between instances, which belong to no instance. */
  between?: number
}

/** Minimum similarity of the instances between the first and the last. */
const INNER = 0.5

/** Number of nodes that have a column. */
export function countOf(at: Int32Array): number {
  let count = 0
  for (let c = 0; c < at.length; c++) if (at[c] !== NONE) count++
  return count
}

export function runOf(s: Structure, seed: Seed, lo: number, hi: number): Run | null {
  const a = align(s, seed, lo, hi)
  const phase = phaseOf(s, a)
  const bounds = a.starts.slice(0, -1).map((_, k) => boundary(a, k, phase))
  bounds.push(a.starts.at(-1)!)
  const columns = rotated(a, phase)
  const shared = sharedNodes(s, a, bounds)
  const rangeOf = (k: number): [number, number] => [k === 0 ? a.starts[0]! : bounds[k - 1]!, bounds[k]!]
  const all = columns.map((at, k) => instanceOf(a, at, rangeOf(k), shared))
  const size = a.typical.length
  const isEdge = (k: number, to: number): boolean =>
    similarity((all[k] = trimmed(a, all[k]!, [rangeOf(k)[0], to], shared)), size) >= EDGE
  let [first, end] = [0, all.length]
  while (first < end && !isEdge(first, rangeOf(first)[1])) first++
  while (first < end && !isEdge(end - 1, Infinity)) end--
  const instances = longestPiece(all.slice(first, end), (i) => similarity(i, size) >= INNER)
  if (instances.length < 2) return null
  const lacks = [...instances[0]!.at].flatMap((p, c) => (p === NONE ? [a.typical[(c + phase) % size]!] : []))
  dropInputs(s, instances[0]!, instances[1]!)
  extendHead(s, instances[0]!, lacks, (p) => shared[p - a.starts[0]!] === 1)
  const kept = withoutTransitions(s, instances)
  return { ...runWith(kept, size), between: sizeOf(instances) - sizeOf(kept) }
}

const sizeOf = (instances: readonly RunInstance[]): number => {
  let size = 0
  for (let k = 0; k < instances.length; k++) size += instances[k]!.members.length
  return size
}

/** Twice the aligned nodes, divided by the sizes of the instance and of a typical one. */
export const similarity = ({ at, members }: RunInstance, size: number): number =>
  (2 * countOf(at)) / (size + members.length)

/** Builds a run from these instances, with the columns that at least half of them have. */
export function runWith(instances: readonly RunInstance[], size: number): Run {
  const kept = withColumns(instances, commonColumns(instances, size))
  // Not the first instance, because it also contains nodes that all instances share.
  let whole = kept[1] ?? kept[0]!
  let least = Infinity
  for (const instance of [whole, ...kept]) {
    const missing = instance.members.length - 2 * countOf(instance.at)
    if (missing < least) [whole, least] = [instance, missing]
  }
  return {
    typical: whole.at.map((p, c) => (p === NONE ? kept.find(({ at }) => at[c] !== NONE)!.at[c]! : p)),
    instances: kept,
    from: instances.reduce((least, { members }) => Math.min(least, members[0]!), Infinity),
    to: instances.reduce((most, { members }) => Math.max(most, members.at(-1)! + 1), 0),
  }
}

function commonColumns(instances: readonly RunInstance[], size: number): number[] {
  const counts = new Int32Array(size)
  for (let k = 0; k < instances.length; k++) {
    const { at } = instances[k]!
    for (let c = 0; c < size; c++) if (at[c] !== NONE) counts[c]!++
  }
  const columns: number[] = []
  for (let c = 0; c < size; c++) if (counts[c]! * 2 >= instances.length) columns.push(c)
  return columns
}

function withColumns(instances: readonly RunInstance[], columns: readonly number[]): RunInstance[] {
  const all = columns.length === instances[0]?.at.length
  return instances.map(({ members, at }) => {
    if (all) return { members, at }
    const own = new Int32Array(columns.length)
    for (let i = 0; i < columns.length; i++) own[i] = at[columns[i]!]!
    return { members, at: own }
  })
}

/** Columns by instance, starting at the phase: instance k ends in segment k. */
function rotated({ at, typical, starts }: Alignment, phase: number): Int32Array[] {
  const size = typical.length
  return starts.map((_, k) => {
    const own = new Int32Array(size).fill(NONE)
    for (let c = 0; c < size; c++) {
      const segment = c >= phase ? k - 1 : k
      const position = segment < 0 || segment >= starts.length - 1 ? NONE : at[segment * size + c]!
      own[(c - phase + size) % size] = position
    }
    return own
  })
}

/** The position in a segment that has the most nodes of columns below the phase before it. */
function boundary({ at, typical, starts }: Alignment, k: number, phase: number): number {
  const size = typical.length
  const [from, to] = [starts[k]!, starts[k + 1]!]
  const side = new Int8Array(to - from)
  for (let c = 0; c < size; c++) {
    const i = at[k * size + c]! - from
    if (i >= 0 && i < side.length) side[i] = c < phase ? 1 : -1
  }
  let [sum, best, position] = [0, 0, from]
  for (let i = 0; i < side.length; i++) {
    sum += side[i]!
    if (sum <= best) continue
    best = sum
    position = from + i + 1
  }
  return position
}

function instanceOf(
  a: Alignment,
  at: Int32Array,
  [from, to]: readonly [number, number],
  shared: Uint8Array,
): RunInstance {
  const { column, starts } = a
  const origin = starts[0]!
  let count = countOf(at)
  for (let i = from - origin; i < to - origin; i++) if (shared[i] === 0 && column[i] === NONE) count++
  const members = new Int32Array(count)
  let next = 0
  for (let c = 0; c < at.length; c++) if (at[c] !== NONE) members[next++] = at[c]!
  for (let i = from - origin; i < to - origin; i++)
    if (shared[i] === 0 && column[i] === NONE) members[next++] = i + origin
  return { at, members: ascending(members) }
}

/** Trims the first or last instance to the span of its columns: other nodes are outside the run. */
function trimmed(
  a: Alignment,
  { at }: RunInstance,
  [from, to]: readonly [number, number],
  shared: Uint8Array,
): RunInstance {
  const columns = at.filter((p) => p !== NONE).sort()
  return instanceOf(a, at, [Math.max(from, columns[0] ?? 0), Math.min(to, columns.at(-1) ?? 0)], shared)
}

export function longestPiece<T>(items: readonly T[], keep: (item: T) => boolean): T[] {
  let [best, current]: [T[], T[]] = [[], []]
  for (const item of items) {
    current = keep(item) ? [...current, item] : []
    if (current.length > best.length) best = current
  }
  return best
}

/** Share of columns in which two instances have equal constants, dtypes and shapes; columns in `counters` count as equal. */
export function exactShare(
  { exact }: Structure,
  a: RunInstance,
  b: RunInstance,
  counters?: ReadonlySet<number>,
): number {
  let equal = 0
  let all = 0
  for (let c = 0; c < a.at.length; c++) {
    const p = a.at[c]!
    const q = b.at[c]!
    if (p === NONE && q === NONE) continue
    all++
    if (p !== NONE && q !== NONE && (exact[p] === exact[q] || counters?.has(c))) equal++
  }
  return equal / Math.max(1, all)
}

/**
 * Nodes without a column that several instances use, and the nodes they need: rotary tables, masks. They lie in the first instance
 * that uses them but belong to none.
 * @param bounds ends of the instances
 */
function sharedNodes(s: Structure, a: Alignment, bounds: readonly number[]): Uint8Array {
  const origin = a.starts[0]!
  const length = a.column.length
  const shared = new Uint8Array(length)
  // A value that the run computes is not shared.
  const computed = new Uint8Array(length)
  for (let i = 0; i < length; i++) {
    for (let j = s.slots.starts[i + origin]!; j < s.slots.starts[i + origin + 1]!; j++) {
      const input = s.slots.items[j]! - origin
      if (input >= 0 && input < length && (computed[input] || a.column[input] !== NONE)) computed[i] = 1
    }
  }
  const owner = new Int32Array(length)
  for (let k = 0, i = 0; i < length; i++) {
    while (k < bounds.length && i + origin >= bounds[k]!) k++
    owner[i] = k
  }
  for (let i = length - 1; i >= 0; i--) {
    if (a.column[i] !== NONE || computed[i]) continue
    let owners = 0
    let last = NONE
    let some = false
    const users = s.users.of(i + origin)
    for (let j = 0; j < users.length; j++) {
      const u = users[j]! - origin
      const outside = u < 0 || u >= length
      if (!outside && shared[u]) some = true
      else if (!outside) {
        if (owner[u]! !== last) owners++
        last = owner[u]!
      }
    }
    if (owners > 1 || some) shared[i] = 1
  }
  shareChecks(s, a, shared)
  return shared
}

/** Unused nodes (a check of a mask, or of expert indices) belong with their inputs. */
function shareChecks(s: Structure, a: Alignment, shared: Uint8Array): void {
  const origin = a.starts[0]!
  const length = shared.length
  const unused = new Uint8Array(length)
  for (let i = length - 1; i >= 0; i--) {
    if (a.column[i] !== NONE) continue
    const users = s.users.of(i + origin)
    let j = 0
    while (j < users.length && unused[users[j]! - origin] === 1) j++
    if (j === users.length) unused[i] = 1
  }
  const outside = (i: number): boolean => i < 0 || i >= length || shared[i] === 1
  for (let i = 0; i < length; i++) {
    if (unused[i] && s.slots.count(i + origin) > 0 && s.slots.of(i + origin).every((input) => outside(input - origin)))
      shared[i] = 1
  }
}
