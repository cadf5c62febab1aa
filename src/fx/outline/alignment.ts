/** Aligns the segments between a seed's windows with a typical segment. */
import { shortestEdit } from '../../base/sequences'
import { NONE, put, type Alignment } from './columns'
import { Connections } from './connections'
import type { Structure } from './order'
import type { Seed } from './seeds'

/** Nodes searched at an open end of a segment, beyond twice the number that is needed. */
const OPEN_MARGIN = 60
/** Nodes beside a run that may belong to its first or last segment. */
const MARGIN = 300

export function align(s: Structure, { at: windows }: Seed, lo: number, hi: number): Alignment {
  const model = typicalSegment(s.operator, windows)
  const [from, to] = [windows[model]!, windows[model + 1]!]
  const size = to - from
  const last = windows.at(-1)!
  const starts = [
    Math.max(lo, windows[0]! - 2 * size - MARGIN),
    ...windows,
    Math.min(hi, last + size),
    Math.min(hi, last + 2 * size + MARGIN),
  ]
  const length = starts.at(-1)! - starts[0]!
  const alignment: Alignment = {
    starts,
    typical: Int32Array.from({ length: size }, (_, c) => from + c),
    typicalAt: model + 1,
    column: new Int32Array(length).fill(NONE),
    segment: new Int32Array(length),
    at: new Int32Array((starts.length - 1) * size).fill(NONE),
  }
  for (let k = 0; k + 1 < starts.length; k++) alignEnds(s.operator, alignment, k)
  const connections = new Connections(s, alignment)
  connections.uncross()
  connections.drop()
  connections.correct()
  connections.spread()
  for (let k = 0; k + 1 < starts.length; k++) fillGaps(s.operator, alignment, k)
  connections.uncross()
  connections.drop()
  connections.spread()
  connections.exchange()
  dropSingular(alignment)
  return alignment
}

/** The window that starts the most frequent segment, compared by labels. */
function typicalSegment(labels: Int32Array, windows: readonly number[]): number {
  const counts = new Map<string, { count: number; at: number }>()
  let best = { count: 0, at: 0 }
  for (let k = 0; k + 1 < windows.length; k++) {
    let hash = 7
    for (let i = windows[k]!; i < windows[k + 1]!; i++) hash = (Math.imul(hash, 31) + labels[i]! + 1) | 0
    const key = `${windows[k + 1]! - windows[k]!} ${hash}`
    const found = counts.get(key) ?? { count: 0, at: k }
    found.count++
    counts.set(key, found)
    if (found.count > best.count) best = found
  }
  return best.at
}

/** Aligns the equal labels at both ends of a segment. */
function alignEnds(labels: Int32Array, a: Alignment, k: number): void {
  const { starts, typical, segment } = a
  segment.fill(k, starts[k]! - starts[0]!, starts[k + 1]! - starts[0]!)
  const base = typical[0]!
  let [c, position, endColumn, end] = [0, starts[k]!, typical.length, starts[k + 1]!]
  const equal = (column: number, at: number): boolean => labels[base + column] === labels[at]
  if (k > 0) while (c < endColumn && position < end && equal(c, position)) put(a, k, c++, position++)
  if (k + 3 < starts.length)
    while (c < endColumn && position < end && equal(endColumn - 1, end - 1)) put(a, k, --endColumn, --end)
}

/** Aligns the nodes between aligned nodes of a segment by their labels. */
function fillGaps(labels: Int32Array, a: Alignment, k: number): void {
  const { typical, column, at, starts } = a
  const size = typical.length
  const own = at.subarray(k * size, (k + 1) * size)
  const free = (from: number, to: number): number[] => {
    const found: number[] = []
    for (let p = from; p < to; p++) if (column[p - starts[0]!] === NONE) found.push(p)
    return found
  }
  let end = 0
  for (let c = own.indexOf(NONE); c !== -1; c = own.indexOf(NONE, end)) {
    end = c
    while (end < size && own[end] === NONE) end++
    // The first and last segments have open ends: nodes far from the run do not belong to it.
    const reach = (end - c) * 2 + OPEN_MARGIN
    const before = c > 0 ? own[c - 1]! + 1 : Math.max(starts[k]!, k === 0 && end < size ? own[end]! - reach : 0)
    const after = end < size ? own[end]! : Math.min(starts[k + 1]!, k + 3 >= starts.length ? before + reach : Infinity)
    const nodes = c === 0 && end === size ? [] : free(before, after)
    if (nodes.length > 0) {
      // The few nodes wanted at an open end correspond to the columns next to the run.
      const most = nodes.length * 2 + OPEN_MARGIN
      const first = c === 0 && k === 0 ? Math.max(0, end - most) : c
      const wanted = typical.subarray(first, end === size && k + 3 >= starts.length ? c + most : end)
      const pairs = shortestEdit(
        wanted.map((p) => labels[p]!),
        nodes.map((p) => labels[p]!),
      )
      for (const [i, j] of pairs) put(a, k, first + i, nodes[j]!)
    }
  }
}

/** Removes the columns that only the typical segment has, because it may contain nodes that all instances share. */
function dropSingular({ typical, at, column, starts }: Alignment): void {
  const size = typical.length
  for (let c = 0; c < size; c++) {
    let [count, last] = [0, 0]
    for (let i = c; i < at.length; i += size) {
      if (at[i] === NONE) continue
      count++
      last = i
    }
    if (count !== 1) continue
    column[at[last]! - starts[0]!] = NONE
    at[last] = NONE
  }
}
