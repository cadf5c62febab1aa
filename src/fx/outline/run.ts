/** Runs of equal subgraphs that follow each other in the canonical order of a graph. */
import { align } from './alignment'
import { NONE, type Alignment, type RunInstance } from './columns'
import type { Structure } from './order'
import { EDGE, phaseOf } from './phase'
import { dropInputs, extendHead } from './head'
import { sharedNodes } from './shared'
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
  /** True to also take smaller instances that are equal, if they are many: `Linear` and `ReLU` × 12, embeddings × 26. */
  small: boolean
  /** Least share of nodes that are equal in constants and shapes, between neighbors. */
  exact: number
  /** True if all instances have the same operators, but for what the first one has nothing to add to. */
  whole: boolean
}

/** Least similarity of the instances between the first and the last. */
const INNER = 0.5
/** Share of a range from which a run is taken without a look at other seeds. */
const ENOUGH = 0.95
/** Share of equal neighbors beyond which a run has no rival, and least score of a rival, as a share of the best. */
const NEARLY_UNIFORM = 0.8
const RIVAL = 0.4
/** Least whole instances, if others are not. */
const LEAST_PART = 3
/** Runs of small instances: least nodes that compute, least nodes, least instances. */
const SMALL = [
  { compute: 2, nodes: 2, times: 6 },
  { compute: 1, nodes: 3, times: 12 },
]

/** The run that explains most, and one that explains less with more equal instances. */
export interface BestRun {
  run: Run
  rival: Run | null
}

/** @param from where the windows of the seeds begin; the run may begin before */
export function bestRun(s: Structure, lo: number, hi: number, limits: RunLimits, from: number): BestRun | null {
  let best: Candidate | null = null
  const all: Candidate[] = []
  const seeds = seedsOf(s.operator, from, hi)
  for (const [i, seed] of seeds.entries()) {
    const found = runOf(s, seed, lo, hi)
    const run = found && limits.whole ? wholePart(found) : found
    if (!run || !large(s, run, limits)) continue
    const candidate = { run, score: scoreOf(run) }
    all.push(candidate)
    if (!best || beats(candidate, best)) best = candidate
    // Nothing explains much more, and no other seed has smaller instances.
    const smaller = seeds.slice(i + 1).some((other) => other.at.length > seed.at.length)
    if (best.score > (hi - lo) * ENOUGH && !smaller) break
  }
  return best && { run: best.run, rival: rivalOf(best, all) }
}

interface Candidate {
  run: Run
  score: number
}

function beats({ run, score }: Candidate, best: Candidate): boolean {
  const [own, other] = [run.instances.length, best.run.instances.length]
  if (score > best.score * 1.02 || (score > best.score * 0.98 && own > other)) return true
  // The same instances, better aligned: a window of the other seed may stand in what follows the last layer.
  if (own === other && run.from === best.run.from && run.to === best.run.to) return score > best.score
  // Two seeds may find one run at two phases: a layer begins with its norm and does not end with the next one's.
  return score >= best.score && own >= other && run.from < best.run.from
}

function rivalOf(best: Candidate, all: readonly Candidate[]): Run | null {
  const uniform = ({ run }: Candidate): boolean => equalShare(run) === 1 && run.instances.length > 2
  if (equalShare(best.run) > NEARLY_UNIFORM) return null
  const rivals = all.filter((c) => uniform(c) && c.score > best.score * RIVAL)
  return rivals.reduce<Candidate | null>((a, b) => (a && a.score >= b.score ? a : b), null)?.run ?? null
}

/** Nodes of the run, less those without a counterpart, more with equal neighbors. */
export function scoreOf({ typical, instances }: Run): number {
  let score = 0
  for (const { members, at } of instances) {
    const aligned = countOf(at)
    score += aligned - (members.length - aligned) - (typical.length - aligned) * 0.5
  }
  return score * weight(equalShare({ instances }))
}

/** Share of neighbors with the same columns. */
function equalShare({ instances }: Pick<Run, 'instances'>): number {
  let equal = 0
  for (let k = 1; k < instances.length; k++) if (sameColumns(instances[k - 1]!, instances[k]!)) equal++
  return equal / (instances.length - 1)
}

function sameColumns(a: RunInstance, b: RunInstance): boolean {
  if (a.members.length !== b.members.length) return false
  return a.at.every((p, c) => (p === NONE) === (b.at[c] === NONE))
}

/** Nodes in columns. */
export const countOf = (at: Int32Array): number => at.reduce((n, position) => n + (position === NONE ? 0 : 1), 0)

function large(s: Structure, { typical, instances }: Run, limits: RunLimits): boolean {
  let compute = 0
  for (const i of typical) if (s.slots[i]!.length > 0 && s.nodes[i]!.target !== 'operator.getitem') compute++
  if (compute < limits.compute) {
    const least = limits.small ? SMALL.find((l) => compute >= l.compute && typical.length >= l.nodes) : undefined
    if (!least || instances.length < least.times || !instances.slice(1, -1).every(isWhole)) return false
  }
  if (limits.exact === 0) return true
  const counters = countersOf(s, instances)
  for (let k = 0; k + 1 < instances.length; k++)
    if (exactShare(s, instances[k]!, instances[k + 1]!, counters) < limits.exact) return false
  return true
}

const isWhole = ({ at, members }: RunInstance): boolean => !at.includes(NONE) && members.length === at.length

/** The longest part of a run whose instances are whole, but for the first. */
function wholePart(run: Run): Run | null {
  const { instances } = run
  const part = longestPiece(instances, isWhole)
  const before = instances[instances.indexOf(part[0]!) - 1]
  if (before && startsShort(before)) part.unshift(before)
  if (part.length === instances.length) return run
  return part.length < LEAST_PART ? null : runWith(part, instances[0]!.at.length)
}

/** True if the first instance only lacks what has nothing to add to: the sum with the expert before. */
function startsShort({ at, members }: RunInstance): boolean {
  const present = countOf(at)
  return members.length === present && at.length - present <= Math.max(1, at.length * 0.1)
}

/** Columns with another constant in each instance, and one dtype and shape: the index of an expert, or of a step. */
function countersOf(s: Structure, instances: readonly RunInstance[]): Set<number> {
  const found = new Set<number>()
  if (instances.length < 3) return found
  for (let c = 0; c < instances[0]!.at.length; c++) {
    const positions = instances.map(({ at }) => at[c]!)
    if (positions.includes(NONE) || positions.some((p) => s.value[p] !== s.value[positions[0]!])) continue
    if (new Set(positions.map((p) => s.exact[p])).size === positions.length) found.add(c)
  }
  return found
}

export function runOf(s: Structure, seed: Seed, lo: number, hi: number): Run | null {
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
  while (instances.length > 0 && similarity((instances[0] = trimmed(a, instances[0]!, shared)), size) < EDGE)
    instances.shift()
  while (
    instances.length > 0 &&
    similarity((instances[instances.length - 1] = trimmed(a, instances.at(-1)!, shared)), size) < EDGE
  )
    instances.pop()
  instances = longestPiece(instances, (i) => similarity(i, size) >= INNER)
  if (instances.length < 2) return null
  const lacks = [...instances[0]!.at].flatMap((p, c) => (p === NONE ? [a.typical[(c + phase) % size]!] : []))
  dropInputs(s, instances[0]!, instances[1]!)
  extendHead(s, instances[0]!, lacks, (p) => shared[p - a.starts[0]!] === 1)
  return runWith(instances, size)
}

/** Twice the nodes in columns, by the nodes of the instance and of a typical one. */
export const similarity = ({ at, members }: RunInstance, size: number): number =>
  (2 * countOf(at)) / (size + members.length)

/** The run of these instances, with the columns that at least half of them have. */
export function runWith(instances: readonly RunInstance[], size: number): Run {
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
    from: instances.reduce((least, { members }) => Math.min(least, members[0]!), Infinity),
    to: instances.reduce((most, { members }) => Math.max(most, members.at(-1)! + 1), 0),
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

/** Share of columns in which two instances have equal constants, dtypes and shapes, or that are in `counters`. */
export function exactShare(
  { exact }: Structure,
  a: RunInstance,
  b: RunInstance,
  counters?: ReadonlySet<number>,
): number {
  let [equal, all] = [0, 0]
  for (let c = 0; c < a.at.length; c++) {
    const [p, q] = [a.at[c]!, b.at[c]!]
    if (p === NONE && q === NONE) continue
    all++
    if (p !== NONE && q !== NONE && (exact[p] === exact[q] || counters?.has(c))) equal++
  }
  return equal / Math.max(1, all)
}
