/** Runs of equal subgraphs that follow each other in the canonical order of a graph. */
import { align, NONE, type Alignment, type RunInstance } from './alignment'
import type { Structure } from './order'
import { phaseOf } from './phase'
import { dropInputs, extendHead } from './head'
import { seedsOf, weight, type Seed } from './seeds'

export interface Run {
  /** Nodes of a typical instance, by column. */
  typical: Int32Array
  instances: RunInstance[]
  /** The range of positions that the instances are in. */
  from: number
  to: number
}

export interface RunLimits {
  /** Least nodes of an instance that compute something. */
  compute: number
  /** Least share of nodes that are equal in constants and shapes, between neighbors. */
  exact: number
  /** True if all instances have the same operators. */
  whole: boolean
}

/** Least similarity of the first and the last instance, and of the others. */
const EDGE = 0.76
const INNER = 0.5
/** Share of equal nodes below which neighbors are instances of different runs. */
const SAME_STAGE = 0.5
/** Share of common operators below which neighbors are layers of different stacks. */
const SAME_STACK = 0.88
/** Share of a range from which a run is taken without a look at other seeds. */
const ENOUGH = 0.95
/** Runs of one range; beyond them nodes stay outside. */
const MAX_DEPTH = 40

/** The runs in `[lo, hi)`, in order. */
export function runsIn(s: Structure, lo: number, hi: number, limits: RunLimits, depth = 0): Run[] {
  if (depth > MAX_DEPTH) return []
  const best = bestRun(s, lo, hi, limits)
  if (!best) return []
  const border = borderOf(s, best)
  if (border > lo) return [...runsIn(s, lo, border, limits, depth + 1), ...runsIn(s, border, hi, limits, depth + 1)]
  return [
    ...runsIn(s, lo, best.from, limits, depth + 1),
    ...splitStages(s, best),
    ...runsIn(s, best.to, hi, limits, depth + 1),
  ]
}

/** Where two stacks of layers meet, each alike in itself, as encoder and decoder; NONE within one stack. */
function borderOf(s: Structure, { instances }: Run): number {
  const alike = (a: RunInstance, b: RunInstance): boolean => commonShare(s.operator, a, b) >= SAME_STACK
  for (let k = 2; k + 2 <= instances.length; k++) {
    const [before, last, first] = [instances[k - 2]!, instances[k - 1]!, instances[k]!]
    if (alike(last, first)) continue
    // The first layer of a stack may also hold what precedes the stack.
    const rest = instances.slice(k + 1)
    const stack = rest.length > 1 ? rest : [first, ...rest]
    const uniform = stack.filter((i) => alike(i, stack[0]!)).length >= stack.length * 0.6
    if (alike(before, last) && uniform && !alike(last, stack[0]!)) return first.members[0]!
  }
  return NONE
}

/** Twice the labels that two instances have in common, by the size of both. */
function commonShare(labels: Int32Array, a: RunInstance, b: RunInstance): number {
  const counts = new Map<number, number>()
  for (const p of a.members) counts.set(labels[p]!, (counts.get(labels[p]!) ?? 0) + 1)
  let common = 0
  for (const p of b.members) {
    const left = counts.get(labels[p]!) ?? 0
    if (left > 0) common++
    counts.set(labels[p]!, left - 1)
  }
  return (2 * common) / (a.members.length + b.members.length)
}

function bestRun(s: Structure, lo: number, hi: number, limits: RunLimits): Run | null {
  let best: { run: Run; score: number } | null = null
  const seeds = seedsOf(s.operator, lo, hi)
  for (const [i, seed] of seeds.entries()) {
    const run = runOf(s, seed, lo, hi)
    if (!run || !large(s, run, limits)) continue
    const score = scoreOf(run)
    const close = best !== null && score > best.score * 0.98 && run.instances.length > best.run.instances.length
    // Two seeds may find one run at two phases: a layer begins with its norm and does not end with the next one's.
    const earlier = best !== null && score >= best.score && run.from < best.run.from
    if (!best || score > best.score * 1.02 || close || earlier) best = { run, score }
    // Nothing explains much more, and no other seed has smaller instances.
    const smaller = seeds.slice(i + 1).some((other) => other.at.length > seed.at.length)
    if (best.score > (hi - lo) * ENOUGH && !smaller) break
  }
  return best?.run ?? null
}

/** Nodes of the run, less those without a counterpart, more with equal neighbors. */
function scoreOf({ typical, instances }: Run): number {
  let score = 0
  let equal = 0
  for (const [k, { members, at }] of instances.entries()) {
    const aligned = countOf(at)
    score += aligned - (members.length - aligned) - (typical.length - aligned) * 0.5
    if (k > 0 && sameColumns(instances[k - 1]!, instances[k]!)) equal++
  }
  return score * weight(equal / (instances.length - 1))
}

function sameColumns(a: RunInstance, b: RunInstance): boolean {
  if (a.members.length !== b.members.length) return false
  return a.at.every((p, c) => (p === NONE) === (b.at[c] === NONE))
}

const countOf = (at: Int32Array): number => at.reduce((n, position) => n + (position === NONE ? 0 : 1), 0)

function large(s: Structure, { typical, instances }: Run, limits: RunLimits): boolean {
  let compute = 0
  for (const i of typical) if (s.slots[i]!.length > 0 && s.nodes[i]!.target !== 'operator.getitem') compute++
  if (compute < limits.compute) return false
  if (limits.whole && instances.some(({ at, members }) => at.includes(NONE) || members.length !== at.length))
    return false
  for (let k = 0; k + 1 < instances.length; k++)
    if (exactShare(s, instances[k]!, instances[k + 1]!) < limits.exact) return false
  return true
}

function runOf(s: Structure, seed: Seed, lo: number, hi: number): Run | null {
  const a = align(s, seed, lo, hi)
  const phase = phaseOf(s, a)
  const bounds = a.starts.slice(0, -1).map((_, k) => boundary(a, k, phase))
  bounds.push(a.starts.at(-1)!)
  const columns = rotated(a, phase)
  const shared = sharedNodes(s, a, bounds)
  let instances = columns.map((at, k) =>
    instanceOf(a, at, [k === 0 ? a.starts[0]! : bounds[k - 1]!, bounds[k]!], shared),
  )
  const size = a.typical.length
  const similarity = (i: RunInstance): number => (2 * countOf(i.at)) / (size + i.members.length)
  while (instances.length > 0 && similarity((instances[0] = trimmed(a, instances[0]!, shared))) < EDGE)
    instances.shift()
  while (
    instances.length > 0 &&
    similarity((instances[instances.length - 1] = trimmed(a, instances.at(-1)!, shared))) < EDGE
  )
    instances.pop()
  instances = longestPiece(instances, (i) => similarity(i) >= INNER)
  if (instances.length < 2) return null
  const lacks = [...instances[0]!.at].flatMap((p, c) => (p === NONE ? [a.typical[(c + phase) % size]!] : []))
  dropInputs(s, instances[0]!, instances[1]!)
  extendHead(s, instances[0]!, lacks, (p) => shared[p - a.starts[0]!] === 1)
  return runWith(instances, size)
}

/** The run of these instances, with the columns that at least half of them have. */
function runWith(instances: readonly RunInstance[], size: number): Run {
  const columns: number[] = []
  for (let c = 0; c < size; c++) {
    let count = 0
    for (const { at } of instances) if (at[c] !== NONE) count++
    if (count * 2 >= instances.length) columns.push(c)
  }
  const kept = instances.map(({ members, at }) => ({ members, at: Int32Array.from(columns, (c) => at[c]!) }))
  const missing = ({ at, members }: RunInstance): number => columns.length - 2 * countOf(at) + members.length
  // Not the first: it also has what all instances use.
  const whole = kept.reduce((a, b) => (missing(b) < missing(a) ? b : a), kept[1] ?? kept[0]!)
  return {
    typical: whole.at.map((p, c) => (p === NONE ? kept.find(({ at }) => at[c] !== NONE)!.at[c]! : p)),
    instances: kept,
    from: instances[0]!.members[0]!,
    to: instances.at(-1)!.members.at(-1)! + 1,
  }
}

/** Columns by instance, in the order of the phase: instance k ends in segment k. */
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

/** The position in a segment before which most nodes are in columns below the phase. */
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
    if (sum > best) [best, position] = [sum, from + i + 1]
  }
  return position
}

/**
 * Nodes without a column that several instances use, and what only these need: rotary tables, masks. They stand in the
 * first instance that uses them, but belong to none.
 */
function sharedNodes(s: Structure, a: Alignment, bounds: readonly number[]): Uint8Array {
  const origin = a.starts[0]!
  const length = a.column.length
  const shared = new Uint8Array(length)
  // What the run computes is not shared.
  const computed = new Uint8Array(length)
  for (let i = 0; i < length; i++)
    for (const input of s.slots[i + origin]!)
      if (computed[input - origin] || (a.column[input - origin] ?? NONE) !== NONE) computed[i] = 1
  const owner = new Int32Array(length)
  for (let k = 0, i = 0; i < length; i++) {
    while (k < bounds.length && i + origin >= bounds[k]!) k++
    owner[i] = k
  }
  for (let i = length - 1; i >= 0; i--) {
    if (a.column[i] !== NONE || computed[i]) continue
    let [owners, last] = [0, NONE]
    let [some, all] = [false, true]
    for (const user of s.users[i + origin]!) {
      const u = user - origin
      const outside = u < 0 || u >= length
      if (!outside && shared[u]) some = true
      else if (!outside) {
        all = false
        if (owner[u]! !== last) owners++
        last = owner[u]!
      }
    }
    if (owners > 1 || (some && all)) shared[i] = 1
  }
  return shared
}

function instanceOf(
  a: Alignment,
  at: Int32Array,
  [from, to]: readonly [number, number],
  shared: Uint8Array,
): RunInstance {
  const own: number[] = []
  for (let c = 0; c < at.length; c++) if (at[c] !== NONE) own.push(at[c]!)
  for (let p = from; p < to; p++) {
    const i = p - a.starts[0]!
    if (!shared[i] && a.column[i] === NONE) own.push(p)
  }
  return { at, members: Int32Array.from(own).sort() }
}

/** The first or the last instance with nothing before its first and after its last column: that is outside the run. */
function trimmed(a: Alignment, { at }: RunInstance, shared: Uint8Array): RunInstance {
  const columns = at.filter((p) => p !== NONE).sort()
  return instanceOf(a, at, [columns[0] ?? 0, columns.at(-1) ?? 0], shared)
}

function longestPiece<T>(items: readonly T[], keep: (item: T) => boolean): T[] {
  let [best, current]: [T[], T[]] = [[], []]
  for (const item of items) {
    current = keep(item) ? [...current, item] : []
    if (current.length > best.length) best = current
  }
  return best
}

/** Share of columns in which two instances have equal constants, dtypes and shapes. */
export function exactShare({ exact }: Structure, a: RunInstance, b: RunInstance): number {
  let [equal, all] = [0, 0]
  for (let c = 0; c < a.at.length; c++) {
    const [p, q] = [a.at[c]!, b.at[c]!]
    if (p === NONE && q === NONE) continue
    all++
    if (p !== NONE && q !== NONE && exact[p] === exact[q]) equal++
  }
  return equal / Math.max(1, all)
}

/** Splits a run between instances with different shapes, if each part is a run: the stages of a ResNet. */
function splitStages(s: Structure, run: Run): Run[] {
  const stages: RunInstance[][] = []
  for (const [k, instance] of run.instances.entries()) {
    if (k === 0 || exactShare(s, run.instances[k - 1]!, instance) < SAME_STAGE) stages.push([])
    stages.at(-1)!.push(instance)
  }
  if (stages.length < 2 || stages.some((stage) => stage.length < 2)) return [run]
  return stages.map((stage) => runWith(stage, run.instances[0]!.at.length))
}
