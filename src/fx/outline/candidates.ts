/** Selects the run of a range that explains most nodes, and checks that it is large enough. */
import { NONE, type RunInstance } from './columns'
import type { Structure } from './order'
import { countOf, exactShare, longestPiece, runOf, runWith, similarity, type Run } from './run'
import { seedsOf, weight } from './seeds'

export interface RunLimits {
  /** Minimum number of nodes in an instance that compute something. */
  compute: number
  /** True to also accept smaller instances if they are equal and many: `Linear` and `ReLU` × 12, embeddings × 26. */
  small: boolean
  /** Minimum share of nodes with equal constants and shapes, between neighboring instances. */
  exact: number
  /** True if all instances must have the same operators; only the first may lack an addition, because nothing precedes it. */
  whole: boolean
}

/** A run that covers this share of a range is accepted without trying other seeds. */
const ENOUGH = 0.95
/** Relative difference of scores within which the run with more instances wins. */
const CLOSE = 0.02
/** A run in which more than this share of neighbors are equal has no rival. A rival needs at least RIVAL times the best score. */
const NEARLY_UNIFORM = 0.8
const RIVAL = 0.4
/** Below this similarity, instances belong to different stacks, if each stack is uniform. */
export const SAME_LAYER = 0.93
/** Minimum number of whole instances if other instances are not whole. */
const LEAST_PART = 3
/** Minimums for runs of small instances: nodes that compute, nodes, instances. */
const SMALL = [
  { compute: 2, nodes: 2, times: 6 },
  { compute: 1, nodes: 3, times: 12 },
]

/** The run that explains most nodes, and a run of equal instances that explains fewer. */
export interface BestRun {
  run: Run
  rival: Run | null
}

/** @param from where the seeds' windows begin; the run may begin earlier */
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
    // Stop: no other seed explains much more, and none explains as much with smaller instances.
    const least = best.score * (1 - CLOSE)
    const smaller = seeds.slice(i + 1).some(({ at, rating }) => at.length > seed.at.length && rating > least)
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
  if (score > best.score * (1 + CLOSE) || (score > best.score * (1 - CLOSE) && own > other)) return true
  // Same instances, better alignment: a window of the other seed may lie in the nodes after the last layer.
  if (own === other && run.from === best.run.from && run.to === best.run.to) return score > best.score
  // Two seeds may find the same run at different phases. Prefer the earlier start: a layer begins with its own norm and does not end with
  // the next layer's.
  return score > best.score * (1 - CLOSE) && own >= other && run.from < best.run.from
}

function rivalOf(best: Candidate, all: readonly Candidate[]): Run | null {
  if (equalShare(best.run) > NEARLY_UNIFORM) return null
  let rival: Candidate = { run: best.run, score: best.score * RIVAL }
  for (const { run } of all) {
    const part = uniformPart(run)
    const score = part ? scoreOf(part) : 0
    if (part && score > rival.score) rival = { run: part, score }
  }
  return rival.run === best.run ? null : rival.run
}

/**
 * The longest part of a run whose instances have the same columns, if most instances before or after it differ from them: the
 * encoder, in a run that also contains the decoder.
 */
function uniformPart(run: Run): Run | null {
  const { instances } = run
  const pieces: RunInstance[][] = []
  for (const [k, instance] of instances.entries()) {
    if (k === 0 || !sameColumns(instances[k - 1]!, instance)) pieces.push([])
    pieces.at(-1)!.push(instance)
  }
  const longest = pieces.reduce((a, b) => (b.length > a.length ? b : a))
  if (longest.length < LEAST_PART) return null
  if (longest.length === instances.length) return run
  const at = instances.indexOf(longest[0]!)
  const unlike = (i: RunInstance): boolean => similarity(i, run.typical.length) < SAME_LAYER
  const isStack = (side: readonly RunInstance[]): boolean =>
    side.length > 1 && side.filter(unlike).length * 2 >= side.length
  const sides = [instances.slice(0, at), instances.slice(at + longest.length)]
  return sides.some(isStack) ? runWith(longest, instances[0]!.at.length) : null
}

/** Aligned nodes minus nodes without a counterpart, weighted by the share of equal neighbors. */
export function scoreOf({ typical, instances, between = 0 }: Run): number {
  let score = -between
  for (let k = 0; k < instances.length; k++) {
    const { members, at } = instances[k]!
    const aligned = countOf(at)
    const [extra, missing] = [members.length - aligned, (typical.length - aligned) * 0.5]
    // The first instance may have other nodes in place of the missing ones: a norm without the sum.
    score += aligned - (k === 0 ? Math.max(extra, missing) : extra + missing)
  }
  return score * weight(equalShare({ instances }))
}

/** Share of neighboring instances with the same columns. */
function equalShare({ instances }: Pick<Run, 'instances'>): number {
  let equal = 0
  for (let k = 1; k < instances.length; k++) if (sameColumns(instances[k - 1]!, instances[k]!)) equal++
  return equal / (instances.length - 1)
}

function sameColumns(a: RunInstance, b: RunInstance): boolean {
  if (a.members.length !== b.members.length) return false
  for (let c = 0; c < a.at.length; c++) if ((a.at[c] === NONE) !== (b.at[c] === NONE)) return false
  return true
}

function large(s: Structure, { typical, instances }: Run, limits: RunLimits): boolean {
  let compute = 0
  for (const i of typical) if (s.slots.count(i) > 0 && s.nodes[i]!.target !== 'operator.getitem') compute++
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

/** The longest part of a run whose instances are whole, except possibly the first. */
function wholePart(run: Run): Run | null {
  const { instances } = run
  const part = longestPiece(instances, isWhole)
  const before = instances[instances.indexOf(part[0]!) - 1]
  if (before && startsShort(before)) part.unshift(before)
  if (part.length === instances.length) return run
  return part.length < LEAST_PART ? null : runWith(part, instances[0]!.at.length)
}

/** True if the first instance only lacks an addition that needs a preceding instance: the sum with the previous expert's result. */
function startsShort({ at, members }: RunInstance): boolean {
  const present = countOf(at)
  return members.length === present && at.length - present <= Math.max(1, at.length * 0.1)
}

/** Columns whose constant differs in every instance while dtype and shape agree: the index of an expert or of a step. */
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
