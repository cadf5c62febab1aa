/** Splits the instances of a group into parts: pieces between narrow cuts (attention, MLP), or inner runs (experts). */
import { NONE, type RunInstance } from './columns'
import { labelOf } from './kinds'
import type { Structure } from './order'
import { runsIn } from './stacks'

/** Instances of one group inside another, as columns of the outer group; NONE for a column that an instance lacks. */
export interface Part {
  /** By instance within one outer instance. */
  columns: Int32Array[]
  /** False for the nodes outside the inner runs. */
  repeated: boolean
}

/** Minimum number of computing nodes in a part, and its minimum share of the instance. */
const LEAST_COMPUTE = 4
const LEAST_SHARE = 0.1
/** Minimum share of equal constants and shapes between neighbors of an inner run. */
const INNER_EXACT = 0.8

/** The parts of each instance, which together cover all columns; empty if there is only one. */
export function partsOf(s: Structure, instances: readonly RunInstance[]): Part[] {
  const k = modelOf(instances)
  if (k === NONE) return []
  const cut = piecesOf(s, instances, k)
  return cut.length > 0 ? cut : innerRuns(s, instances[k]!)
}

/** An instance without missing nodes or gaps; the first or last only if no other qualifies. */
function modelOf(instances: readonly RunInstance[]): number {
  const whole = ({ at, members }: RunInstance): boolean =>
    at.length === members.length && !at.includes(NONE) && members.at(-1)! - members[0]! + 1 === members.length
  for (let k = 1; k + 1 < instances.length; k++) if (whole(instances[k]!)) return k
  // Without a previous instance, nothing shows which values enter the first instance.
  return instances.findLastIndex(whole)
}

/** Splits an instance at positions that as few values cross as cross between instances. */
function piecesOf(s: Structure, instances: readonly RunInstance[], k: number): Part[] {
  const { members, at } = instances[k]!
  const all = cutsOf(s, members, k > 0 ? nodesBefore(members, instances[k - 1]!.members) : new Int32Array())
  const layers = layersOf(s, members, all)
  // If the last layer also contains the end of the period, a run of layers finds one more layer: use it.
  const run = layers.length > 1 ? innerRuns(s, instances[k]!) : []
  if (run.some(({ columns }) => columns.length === layers.length + 1)) return run
  const cuts = layers.length > 0 ? layers : withoutSlivers(all, members.length)
  if (cuts.length === 0) return []
  const column = new Map([...at].map((position, c) => [position, c]))
  const pieces = piecesBetween(members, cuts).map((piece) => piece.map((p) => column.get(p)!))
  const byLabels = new Map<string, Part>()
  for (const piece of pieces) {
    const key = [...piece].map((c) => s.operator[at[c]!]).join()
    const found = byLabels.get(key)
    if (found) found.columns.push(piece)
    else byLabels.set(key, { columns: [piece], repeated: true })
  }
  return [...byLabels.values()]
}

/** Indices of members before which the instance may be cut. @param before the members of the previous instance */
function cutsOf(s: Structure, members: Int32Array, before: Int32Array): number[] {
  const from = members[0]!
  const size = members.length
  const values = new Spans(size + 1)
  const uses = new Spans(size + 1)
  // Identifies a value by the span of its uses and by its operator.
  const starts: number[] = []
  const ends: number[] = []
  const operators: number[] = []
  const count = (p: number): void => {
    const start = Math.max(0, p - from + 1)
    let last = start
    for (const user of s.users.of(p)) {
      const u = Math.min(user - from, size)
      if (u < 0 || (p < from && u >= size)) continue
      last = Math.max(last, u + 1)
      const end = Math.min(u + 1, size)
      uses.add(start, end)
      starts.push(start)
      ends.push(end)
      operators.push(s.operator[user]!)
    }
    values.add(start, Math.min(last, size + 1))
  }
  before.forEach(count)
  members.forEach(count)
  const [held, used] = [values.counts(), uses.counts()]
  if (used[0]! < 2) return []
  const key = (m: number): string => {
    const found = new Set<number>()
    for (let i = 0; i < starts.length; i++) if (starts[i]! <= m && m < ends[i]!) found.add(operators[i]!)
    return [...found].sort((x, y) => x - y).join()
  }
  const first = held[0] === 1 ? '' : key(0)
  const cuts: number[] = []
  let compute = 0
  for (let m = 0; m < size; m++) {
    const narrow = (): boolean => held[m]! <= held[0]! && used[m]! >= 2 && (held[0] === 1 || key(m) === first)
    if (compute >= LEAST_COMPUTE && narrow()) {
      cuts.push(m)
      compute = 0
    }
    if (s.slots.count(members[m]!) > 0) compute++
  }
  return cuts
}

/** Counts spans of integers by the integers they contain. */
class Spans {
  private readonly changes: Int32Array

  /** @param size greater than all integers */
  constructor(size: number) {
    this.changes = new Int32Array(size + 1)
  }

  /** @param end after the last integer of the span */
  add(start: number, end: number): void {
    if (start >= end) return
    this.changes[start]!++
    this.changes[end]!--
  }

  counts(): Int32Array {
    const { changes } = this
    for (let i = 1; i < changes.length; i++) changes[i]! += changes[i - 1]!
    return changes
  }
}

/** The previous instance, or, if another part lies between, as many nodes as the instance has. */
function nodesBefore(members: Int32Array, previous: Int32Array): Int32Array {
  const from = members[0]!
  if (previous.at(-1)! + 1 === from) return previous
  const count = Math.min(from, members.length)
  return Int32Array.from({ length: count }, (_, i) => from - count + i)
}

function piecesBetween(members: Int32Array, cuts: readonly number[]): Int32Array[] {
  const bounds = [0, ...cuts, members.length]
  return bounds.slice(1).map((end, i) => members.slice(bounds[i], end))
}

/** The cuts between the layers of a period, where each layer ends with an MLP after other nodes; empty for a single layer. */
function layersOf(s: Structure, members: Int32Array, cuts: readonly number[]): number[] {
  const kinds = piecesBetween(members, cuts).map((piece) => labelOf(s, piece))
  const ends = kinds.map((kind) => kind === 'MLP' || kind === 'experts')
  const found = cuts.filter((_, i) => ends[i] && ends.indexOf(true, i + 1) !== NONE)
  const sizes = [...found.map((cut) => cuts.indexOf(cut) + 1), kinds.length].map(
    (end, i, all) => end - (all[i - 1] ?? 0),
  )
  return sizes.every((n) => n > 1) ? found : []
}

/** Drops the cut before a small piece, which then joins the previous piece. */
function withoutSlivers(cuts: readonly number[], size: number): number[] {
  const least = size * LEAST_SHARE
  const kept: number[] = []
  for (const [i, cut] of cuts.entries()) {
    const next = cuts[i + 1] ?? size
    if (next - cut >= least && (kept.length > 0 || cut >= least)) kept.push(cut)
  }
  return kept
}

function innerRuns(s: Structure, { members, at }: RunInstance): Part[] {
  const [lo, hi] = [members[0]!, members.at(-1)! + 1]
  const runs = runsIn(s, lo, hi, { compute: LEAST_COMPUTE, small: false, exact: INNER_EXACT, whole: true })
  if (runs.length === 0) return []
  const column = new Map([...at].map((position, c) => [position, c]))
  const left = new Set(column.values())
  const parts: Part[] = runs.map(({ instances }) => ({
    repeated: true,
    columns: instances.map((i) => Int32Array.from(i.at, (p) => (p === NONE ? NONE : column.get(p)!))),
  }))
  for (const { columns } of parts) for (const own of columns) for (const c of own) left.delete(c)
  if (left.size > 0) parts.push({ repeated: false, columns: [Int32Array.from(left)] })
  return parts
}

/**
 * The instances of each part, by outer instance; a node without a column stays with the node before it.
 * @param size the number of positions
 */
export function instancesOfParts(
  instances: readonly RunInstance[],
  parts: readonly Part[],
  size: number,
): RunInstance[][] {
  const pieces = parts.flatMap(({ columns }) => columns)
  // Index into `pieces`, by column.
  const pieceOf = new Int32Array(instances[0]!.at.length).fill(NONE)
  for (const [i, own] of pieces.entries()) for (const c of own) if (c !== NONE) pieceOf[c] = i
  const columnOf = new Int32Array(size).fill(NONE)
  const found = parts.map((): RunInstance[] => [])
  for (const instance of instances) {
    for (let c = 0; c < instance.at.length; c++) if (instance.at[c] !== NONE) columnOf[instance.at[c]!] = c
    const members = membersOfPieces(instance, columnOf, pieceOf, pieces.length)
    for (let i = 0; i < instance.members.length; i++) columnOf[instance.members[i]!] = NONE
    let i = 0
    for (let k = 0; k < parts.length; k++)
      for (const own of parts[k]!.columns) found[k]!.push({ members: members[i++]!, at: chosen(instance.at, own) })
  }
  return found
}

/** The positions in the given columns. */
function chosen(at: Int32Array, columns: Int32Array): Int32Array {
  const found = new Int32Array(columns.length)
  for (let i = 0; i < found.length; i++) found[i] = columns[i] === NONE ? NONE : at[columns[i]!]!
  return found
}

function membersOfPieces(
  { members }: RunInstance,
  columnOf: Int32Array,
  pieceOf: Int32Array,
  count: number,
): Int32Array[] {
  let first = 0
  while (first < members.length && columnOf[members[first]!] === NONE) first++
  let current = first === members.length ? 0 : pieceOf[columnOf[members[first]!]!]!
  const piece = new Int32Array(members.length)
  const sizes = new Int32Array(count)
  for (let i = 0; i < members.length; i++) {
    const c = columnOf[members[i]!]!
    if (c !== NONE) current = pieceOf[c]!
    piece[i] = current
    sizes[current]!++
  }
  const found: Int32Array[] = []
  for (let k = 0; k < count; k++) found.push(new Int32Array(sizes[k]!))
  sizes.fill(0)
  for (let i = 0; i < members.length; i++) found[piece[i]!]![sizes[piece[i]!]!++] = members[i]!
  return found
}
