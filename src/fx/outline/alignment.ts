/** Aligns the segments between the windows of a seed with a typical one of them. */
import { shortestEdit } from '../../base/sequences'
import type { Structure } from './order'
import type { Seed } from './seeds'

export const NONE = -1

export interface RunInstance {
  /** Positions of its nodes, ascending. */
  members: Int32Array
  /** Position by column, or NONE. */
  at: Int32Array
}

/**
 * Segments of a range of positions and the columns of their nodes: nodes of one column do the same in different segments.
 * The first segment precedes the first window of the seed; the last two begin with its last window, and may be incomplete.
 */
export interface Alignment {
  /** Start of each segment, and the end of the last. */
  starts: readonly number[]
  /** Nodes of the typical segment, by column. */
  typical: Int32Array
  /** Its index among the segments. */
  typicalAt: number
  /** Column of a position, or NONE; position 0 is `starts[0]`. */
  column: Int32Array
  /** Segment of a position, in the same way; a node that moved belongs to the segment of its neighbors. */
  segment: Int32Array
  /** Position by `segment * columns + column`, or NONE. */
  at: Int32Array
}

/** Nodes at an open end of a segment, beyond twice those that are sought. */
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
  connections.drop()
  connections.correct()
  connections.spread()
  for (let k = 0; k + 1 < starts.length; k++) fillGaps(s.operator, alignment, k)
  connections.drop()
  connections.spread()
  dropSingular(alignment)
  return alignment
}

/** The window at which the segment begins whose labels occur most. */
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

function put({ column, segment, at, typical, starts }: Alignment, k: number, c: number, position: number): void {
  column[position - starts[0]!] = c
  segment[position - starts[0]!] = k
  at[k * typical.length + c] = position
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
  for (let c = 0; c < size; c++) {
    if (own[c] !== NONE) continue
    let end = c
    while (end < size && own[end] === NONE) end++
    // The ends of the first and of the last segments are open: what is far from the run is none of it.
    const reach = (end - c) * 2 + OPEN_MARGIN
    const before = c > 0 ? own[c - 1]! + 1 : Math.max(starts[k]!, k === 0 && end < size ? own[end]! - reach : 0)
    const after = end < size ? own[end]! : Math.min(starts[k + 1]!, k + 3 >= starts.length ? before + reach : Infinity)
    const nodes = c === 0 && end === size ? [] : free(before, after)
    if (nodes.length > 0) {
      const wanted = typical.subarray(c, end).map((p) => labels[p]!)
      const pairs = shortestEdit(
        wanted,
        nodes.map((p) => labels[p]!),
      )
      for (const [i, j] of pairs) put(a, k, c + i, nodes[j]!)
    }
    c = end
  }
}

/** Removes the columns that only the typical segment has, for it may hold what all instances use. */
function dropSingular({ typical, at, column, starts }: Alignment): void {
  const size = typical.length
  for (let c = 0; c < size; c++) {
    let [count, last] = [0, 0]
    for (let i = c; i < at.length; i += size) if (at[i] !== NONE) [count, last] = [count + 1, i]
    if (count !== 1) continue
    column[at[last]! - starts[0]!] = NONE
    at[last] = NONE
  }
}

/** Corrects an alignment by what nodes are connected to. */
class Connections {
  private readonly origin: number

  constructor(
    private readonly s: Structure,
    private readonly a: Alignment,
  ) {
    this.origin = a.starts[0]!
  }

  private columnOf(position: number): number {
    const i = position - this.origin
    return i >= 0 && i < this.a.column.length ? this.a.column[i]! : NONE
  }

  private segmentOf(position: number): number {
    return this.a.segment[position - this.origin]!
  }

  /** Removes nodes from columns none of whose neighbors are theirs. */
  drop(): void {
    const { column, at, typical } = this.a
    const wrong: number[] = []
    for (let i = 0; i < column.length; i++)
      if (column[i] !== NONE && !this.agrees(i + this.origin, typical[column[i]!]!)) wrong.push(i)
    for (const i of wrong) {
      at[this.a.segment[i]! * typical.length + column[i]!] = NONE
      column[i] = NONE
    }
  }

  /**
   * Gives a column to the input of a node in place of a node that has the column but no user to agree with: of two equal
   * chains into one node, the window of the seed may have had the wrong one.
   */
  correct(): void {
    const { column, at, typical, typicalAt } = this.a
    const size = typical.length
    for (let i = column.length - 1; i >= 0; i--) {
      if (column[i] === NONE) continue
      const node = i + this.origin
      const model = typical[column[i]!]!
      const [inputs, own] = [this.s.slots[model]!, this.s.slots[node]!]
      for (let j = 0; j < inputs.length; j++) {
        const input = inputs[j]!
        const c = this.columnOf(input)
        const actual = own[j]
        if (c === NONE || actual === undefined || !this.free(actual, input)) continue
        const k = this.segmentOf(input) + this.segmentOf(node) - typicalAt
        const holder = k < 0 || k * size >= at.length ? NONE : at[k * size + c]!
        if (holder === NONE || this.used(holder, c)) continue
        column[holder - this.origin] = NONE
        put(this.a, k, c, actual)
      }
    }
  }

  /** True if a user of `node` has it where the typical user has the node of column `c`. */
  private used(node: number, c: number): boolean {
    const { slots, users } = this.s
    return users[node]!.some((user) => {
      const own = this.columnOf(user)
      return (
        own !== NONE &&
        slots[user]!.some((input, j) => input === node && this.columnOf(slots[this.a.typical[own]!]![j] ?? NONE) === c)
      )
    })
  }

  /** True if a neighbor of `node` is in the column of the same neighbor of `model`, or `model` has none in columns. */
  private agrees(node: number, model: number): boolean {
    const { slots, users } = this.s
    let judged = false
    const [inputs, others] = [slots[model]!, slots[node]!]
    for (let j = 0; j < inputs.length; j++) {
      const c = this.columnOf(inputs[j]!)
      if (c === NONE) continue
      judged = true
      const other = others[j]
      if (other !== undefined && this.columnOf(other) === c) return true
    }
    for (const user of users[model]!) {
      const c = this.columnOf(user)
      if (c === NONE) continue
      judged = true
      for (const other of users[node]!) if (this.columnOf(other) === c) return true
    }
    return !judged
  }

  /** Fills empty columns with the neighbors of nodes that have columns, as in another segment. */
  spread(): void {
    const { at, typical } = this.a
    const size = typical.length
    const segments = at.length / size
    const partial = Array.from({ length: segments }, (_, k) => at.subarray(k * size, (k + 1) * size).includes(NONE))
    const queue: number[] = []
    for (let i = 0; i < at.length; i++) {
      const k = Math.floor(i / size)
      if (at[i] !== NONE && (partial[k] || partial[k - 1] || partial[k + 1])) queue.push(at[i]!)
    }
    for (let next = 0; next < queue.length; next++) {
      const node = queue[next]!
      const [k, c] = [this.segmentOf(node), this.columnOf(node)]
      for (const other of new Set([this.a.typicalAt, k + 1, k - 1])) {
        const model = other === k || other < 0 || other >= segments ? NONE : at[other * size + c]!
        if (model !== NONE) this.spreadFrom(node, model, k - other, queue)
      }
    }
  }

  /** @param shift from the segment of `model` to that of `node` */
  private spreadFrom(node: number, model: number, shift: number, queue: number[]): void {
    const { slots, users } = this.s
    const [inputs, own] = [slots[model]!, slots[node]!]
    for (let j = 0; j < inputs.length; j++) this.fill(inputs[j]!, own[j], shift, queue)
    for (const user of users[model]!) {
      if (this.columnOf(user) === NONE) continue
      const j = slots[user]!.indexOf(model)
      let found = NONE
      let count = 0
      for (const u of users[node]!) if (slots[u]![j] === node && this.free(u, user)) [found, count] = [u, count + 1]
      if (count === 1) this.fill(user, found, shift, queue)
    }
  }

  private free(node: number, model: number): boolean {
    const i = node - this.origin
    return (
      i >= 0 &&
      i < this.a.column.length &&
      this.a.column[i] === NONE &&
      this.s.operator[node] === this.s.operator[model]
    )
  }

  private fill(model: number, node: number | undefined, shift: number, queue: number[]): void {
    const c = this.columnOf(model)
    if (node === undefined || c === NONE || !this.free(node, model)) return
    const k = this.segmentOf(model) + shift
    const size = this.a.typical.length
    if (k < 0 || k * size >= this.a.at.length || this.a.at[k * size + c] !== NONE) return
    put(this.a, k, c, node)
    queue.push(node)
  }
}
