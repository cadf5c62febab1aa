/** Chooses where in a period the instances begin: most complete instances, fewest values across the boundary. */
import { NONE, type Alignment } from './columns'
import type { Node } from '../graph/node'
import type { Structure } from './order'

/** Minimum shares of filled columns for a whole instance and for a half one. */
const WHOLE = 0.8
const HALF = 0.6
/** Minimum similarity of the first and last instances. */
export const EDGE = 0.76
/** Differences below this number of nodes, or this share of an instance, are ignored. */
const [FEW, FEW_SHARE] = [4, 0.1]

/** @returns the column with which instances begin */
export function phaseOf(s: Structure, a: Alignment): number {
  const size = a.typical.length
  const segments = a.starts.length - 1
  const counts = complete(s, a)
  const { values, uses } = crossings(s, a)
  const origin = a.starts[0]!
  const [across, used] = [new Int32Array(segments), new Int32Array(segments)]
  let best: Phase = { column: 0, whole: -1, values: 0, uses: 0, filled: 0 }
  for (let column = 0; column < size; column++) {
    const whole = counts.whole[column]!
    if (whole < best.whole) continue
    let count = 0
    for (let k = 1; k < segments; k++) {
      const position = a.at[k * size + column]!
      // Skip the ends: the first instance takes values from outside the run, and the last passes fewer on.
      if (position === NONE || !counts.between(k, column)) continue
      across[count] = values[position - origin]!
      used[count++] = uses[position - origin]!
    }
    const narrow = { values: upperMedian(across, count), uses: upperMedian(used, count) }
    const found = { column, whole, ...narrow, filled: counts.filled[column]! }
    const compared = compare(found, best, Math.min(FEW, size * FEW_SHARE))
    if (compared > 0 || (compared === 0 && earlier(startOf(a, column), startOf(a, best.column)))) best = found
  }
  return best.column
}

/** The upper median of the first `count` numbers, which it sorts. */
function upperMedian(numbers: Int32Array, count: number): number {
  return count === 0 ? Infinity : numbers.subarray(0, count).sort()[count >> 1]!
}

type Phase = Record<'column' | 'whole' | 'values' | 'uses' | 'filled', number>

/** Positive if `a` is better: more whole instances, then fewer values between them, then more nodes, then more uses. */
function compare(a: Phase, b: Phase, few: number): number {
  if (a.whole !== b.whole) return a.whole - b.whole
  if (a.values !== b.values) return b.values - a.values
  return Math.abs(a.filled - b.filled) >= few ? a.filled - b.filled : a.uses - b.uses
}

interface Start {
  start: number
  second: number
}

const earlier = (a: Start, b: Start): boolean => (a.start !== b.start ? a.start < b.start : a.second < b.second)

interface Completeness {
  /** Number of whole instances, by the column with which instances begin. */
  whole: Float64Array
  /** Number of nodes in whole and half instances; the first may lack the sum with a residual. */
  filled: Int32Array
  /** True if an instance ends before this column in segment `k` and another begins with it. */
  between: (k: number, column: number) => boolean
}

function complete(s: Structure, { at, typical, starts }: Alignment): Completeness {
  const size = typical.length
  const segments = starts.length - 1
  const whole = new Float64Array(size)
  const filled = new Int32Array(size)
  const before = new Int32Array((segments + 1) * (size + 1))
  for (let k = 0; k < segments; k++)
    for (let c = 0, i = k * (size + 1); c < size; c++, i++)
      before[i + 1] = before[i]! + (at[k * size + c] === NONE ? 0 : 1)
  const nodesFrom = (k: number, c: number): number =>
    before[k * (size + 1) + size]! - before[k * (size + 1) + c]! + before[(k + 1) * (size + 1) + c]!
  const computed = (p: number): boolean => s.slots.count(p) > 0
  // Number of computed values that a call takes; at least 1.
  const taken = typical.map((p) =>
    isElement(s.nodes[p]!) || !computed(p) ? 0 : Math.max(1, s.slots.of(p).filter(computed).length),
  )
  for (let k = 0; k < segments; k++) {
    const spans = k === 0 || k + 3 > segments ? spansOf(s, at.subarray(k * size, (k + 2) * size), size) : null
    for (let c = 0; c < size; c++) {
      const nodes = nodesFrom(k, c)
      // At the ends of a run, nodes of another stack may have columns, far from each other.
      if (nodes < HALF * size || (spans && 2 * nodes < EDGE * (size + spans[c]!))) continue
      if (nodes >= WHOLE * size) whole[c]!++
      if (filled[c] === 0 && nodes < size && lacksSum(at, taken, k * size + c)) filled[c] = size - nodes
      filled[c]! += nodes
    }
  }
  const between = (k: number, c: number): boolean =>
    nodesFrom(k - 1, c) >= HALF * size && nodesFrom(k, c) >= HALF * size
  return { whole, filled, between }
}

/**
 * True if the instance at index `from` lacks only its first call, and that call takes two values of the previous instance: the sum
 * with a residual.
 */
function lacksSum(at: Int32Array, taken: Int32Array, from: number): boolean {
  const size = taken.length
  let first = NONE
  let missing = 0
  for (let i = from; i < from + size; i++) {
    if (taken[i % size] === 0) continue
    if (first === NONE) first = i
    if ((at[i] ?? NONE) === NONE) missing++
  }
  return missing === 1 && at[first] === NONE && taken[first % size]! > 1
}

/**
 * Spans from the first to the last node over two segments, by the column with which an instance begins in the first. Inputs of the
 * graph are ignored, because they may be anywhere earlier.
 */
function spansOf({ slots }: Structure, at: Int32Array, size: number): Int32Array {
  const spans = new Int32Array(size)
  const ends = (from: number, step: number): [Int32Array, Int32Array] => {
    const [least, most] = [new Int32Array(size + 1).fill(2 ** 30), new Int32Array(size + 1).fill(NONE)]
    for (let i = step > 0 ? 0 : size; step > 0 ? i < size : i > 0; i += step) {
      const own = at[from + (step > 0 ? i : i - 1)] ?? NONE
      const p = own === NONE || slots.count(own) === 0 ? NONE : own
      least[i + step] = p === NONE ? least[i]! : Math.min(least[i]!, p)
      most[i + step] = Math.max(most[i]!, p)
    }
    return [least, most]
  }
  const [first, last] = [ends(0, -1), ends(size, 1)]
  for (let c = 0; c < size; c++)
    spans[c] = Math.max(first[1][c]!, last[1][c]!) - Math.min(first[0][c]!, last[0][c]!) + 1
  return spans
}

/** Values and uses that cross each position, from a node of the run to a node at most two periods later. */
function crossings(s: Structure, a: Alignment): { values: Int32Array; uses: Int32Array } {
  const { starts, items } = s.users
  const origin = a.starts[0]!
  const length = a.column.length
  const reach = a.typical.length * 2
  const values = new Int32Array(length + 1)
  const uses = new Int32Array(length + 1)
  for (let i = 0; i < length; i++) {
    if (a.column[i] === NONE) continue
    let last = i
    let weight = 0
    const end = starts[i + origin + 1]!
    for (let j = starts[i + origin]!; j < end; j++) {
      const u = items[j]! - origin
      if (u >= length || u <= i || u - i > reach || a.column[u] === NONE) continue
      uses[i + 1]!++
      uses[u + 1]!--
      if (u > last) last = u
      if (s.users.count(i + origin) > 1 && isElement(s.nodes[items[j]!]!)) weight++
    }
    // A tuple counts as the values taken from it.
    values[i + 1]! += Math.max(1, weight)
    values[last + 1]! -= Math.max(1, weight)
  }
  for (let i = 1; i <= length; i++) {
    values[i]! += values[i - 1]!
    uses[i]! += uses[i - 1]!
  }
  return { values, uses }
}

/** True for an element of a tuple, unlike a slice of a tensor. */
const isElement = ({ target, args }: Node): boolean => target === 'operator.getitem' && typeof args[1] === 'bigint'

/** The first node of the first instance and of the second, which may contain nodes that the first lacks. */
function startOf({ at, typical }: Alignment, column: number): Start {
  const size = typical.length
  for (let begins = column; begins < at.length; begins += size) {
    let [start, count] = [Infinity, 0]
    for (let i = begins; i < begins + size; i++) {
      if ((at[i] ?? NONE) === NONE) continue
      start = Math.min(start, at[i]!)
      count++
    }
    // Ignore a few nodes before the first instance.
    if (count < HALF * size) continue
    const next = at[begins + size] ?? NONE
    return { start, second: next === NONE ? Infinity : next }
  }
  return { start: Infinity, second: Infinity }
}
