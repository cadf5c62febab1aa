/** The runs of a range: consecutive stacks of similar layers. */
import { NONE, type RunInstance } from './columns'
import { dropInputs } from './head'
import type { Structure } from './order'
import { bestRun, SAME_LAYER, scoreOf, type BestRun, type RunLimits } from './candidates'
import { countOf, exactShare, runWith, similarity, type Run } from './run'

/** A first or last instance below this similarity is also tried as a layer of the neighboring run. */
const OWN = 0.92
/** Below this share of equal nodes, neighbors are instances of different runs. */
const SAME_STAGE = 0.5
/** Below this share of common operators, neighbors are layers of different stacks. */
const SAME_STACK = 0.88
/** A split must keep this share of the nodes of the runs that it replaces. */
const SAME_COVER = 0.95
/** A split replaces a run only if it scores this many times higher: layers with small differences stay one stack. */
const MUCH = 1.15
/** Maximum depth at which an end of a run is tried as a layer of another run. */
const TRIALS = 8
/** Maximum depth of the search beside runs; nodes found deeper stay outside. */
const MAX_DEPTH = 40

/** The runs in `[lo, hi)`, in order. */
export function runsIn(s: Structure, lo: number, hi: number, limits: RunLimits, depth = 0): Run[] {
  if (depth > MAX_DEPTH) return []
  const best = lastStack(s, lo, hi, limits)
  if (!best) return []
  // Trials do not start further trials.
  const inner = (from: number, to: number): Run[] => runsIn(s, from, to, limits, depth + TRIALS)
  const within = (from: number, to: number): Run[] => runsIn(s, from, to, limits, depth + 1)
  const { run, rival } = best
  let found = [...within(lo, run.from), ...splitStages(s, run), ...within(run.to, hi)]
  if (depth < TRIALS) {
    if (rival) found = fuller(found, [...inner(lo, rival.from), ...splitStages(s, rival), ...inner(rival.to, hi)])
    const [first, last] = [run.instances[0]!, run.instances.at(-1)!]
    const foreign = (i: RunInstance): boolean => run.instances.length > 2 && similarity(i, first.at.length) < OWN
    if (foreign(first)) found = better(found, otherwise(first, inner, [lo, hi], true))
    else if (foreign(last)) found = better(found, otherwise(last, inner, [lo, hi], false))
  }
  return found
}

/** Prefer the alternative runs if they explain more. */
const better = (runs: Run[], others: Run[]): Run[] => (totalOf(others) > totalOf(runs) ? others : runs)
/** Prefer the alternative runs if they explain much more, with as many nodes. */
const fuller = (runs: Run[], others: Run[]): Run[] =>
  covered(others) >= covered(runs) * SAME_COVER && totalOf(others) > totalOf(runs) * MUCH ? others : runs
const totalOf = (runs: readonly Run[]): number => runs.reduce((sum, run) => sum + scoreOf(run), 0)
const covered = (runs: readonly Run[]): number =>
  runs.reduce((sum, { instances }) => instances.reduce((n, { at }) => n + countOf(at), sum), 0)

/** The runs of a range if the first or last instance of its best run is a layer of a neighboring stack; none otherwise. */
function otherwise(
  { members }: RunInstance,
  inner: (from: number, to: number) => Run[],
  [lo, hi]: readonly [number, number],
  first: boolean,
): Run[] {
  const end = members.at(-1)! + 1
  const beside = first ? inner(lo, end) : inner(members[0]!, hi)
  const own = new Set(members)
  const taken = ({ instances }: Run): number =>
    instances.reduce((n, i) => n + i.members.reduce((m, p) => m + (own.has(p) ? 1 : 0), 0), 0)
  const stack = beside.find((r) => r.typical.length * 2 >= members.length && taken(r) * 2 >= members.length)
  if (!stack) return []
  const rest = first ? inner(stack.to, hi) : inner(lo, stack.from)
  const layers = rest.filter((r) => r.typical.length * 2 >= members.length)
  if (layers.length === 0) return []
  // This stack must have all of its layers where the other begins or ends.
  const [from, to] = [layers[0]!.from, layers.at(-1)!.to]
  if (first) return [...inner(lo, from), ...rest.filter((r) => r.from >= from)]
  return [...rest.filter((r) => r.to <= to), ...inner(to, hi)]
}

/** The best run; if it joins two stacks of layers, the best run of the last stack. */
function lastStack(s: Structure, lo: number, hi: number, limits: RunLimits): BestRun | null {
  let [best, from] = [bestRun(s, lo, hi, limits, lo), lo]
  while (best) {
    const border = borderOf(s, best.run)
    const next = border > from ? bestRun(s, lo, hi, limits, border) : null
    if (!next) break
    ;[best, from] = [{ run: next.run, rival: null }, border]
  }
  return best
}

/** The boundary between two uniform stacks of layers, such as encoder and decoder; NONE within one stack. */
function borderOf(s: Structure, { instances }: Run): number {
  const share = (a: RunInstance, b: RunInstance): number => commonShare(s.operator, a, b)
  const alike = (a: RunInstance, b: RunInstance): boolean => share(a, b) >= SAME_STACK
  for (let k = 2; k + 2 <= instances.length; k++) {
    const [before, last, first] = [instances[k - 2]!, instances[k - 1]!, instances[k]!]
    // The first layer of a stack may also contain the nodes before the stack.
    const begins = k + 2 < instances.length ? k + 1 : k
    const [next, after] = [instances[begins]!, instances[begins + 1]!]
    const towers = k >= 3 && begins + 3 <= instances.length && share(last, next) < SAME_LAYER
    if (towers && share(before, last) === 1 && share(next, after) === 1) return first.members[0]!
    if (alike(last, first)) continue
    const stack = instances.slice(begins)
    const uniform = stack.filter((i) => alike(i, stack[0]!)).length >= stack.length * 0.6
    if (alike(before, last) && uniform && !alike(last, stack[0]!)) return first.members[0]!
  }
  return NONE
}

/** Twice the number of common labels, divided by the sizes of both instances. */
function commonShare(labels: Int32Array, a: RunInstance, b: RunInstance): number {
  if (sameLabels(labels, a.members, b.members)) return 1
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

/** True if the nodes have equal labels in order, as most neighbors do. */
function sameLabels(labels: Int32Array, a: Int32Array, b: Int32Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (labels[a[i]!] !== labels[b[i]!]) return false
  return true
}

/** Splits a run between instances with different shapes if each part is a run: the stages of a ResNet. */
function splitStages(s: Structure, run: Run): Run[] {
  const stages: RunInstance[][] = []
  for (const [k, instance] of run.instances.entries()) {
    if (k === 0 || exactShare(s, run.instances[k - 1]!, instance) < SAME_STAGE) stages.push([])
    stages.at(-1)!.push(instance)
  }
  if (stages.length < 2 || stages.some((stage) => stage.length < 2)) return [run]
  return stages.map((stage) => runWith(trimmed(s, stage), run.instances[0]!.at.length))
}

/** A stage without the nodes between it and the next stage: the downsampling of a ConvNeXt. */
function trimmed(s: Structure, stage: readonly RunInstance[]): RunInstance[] {
  const own = stage.map((i) => ({ ...i }))
  const [first, second, last] = [own[0]!, own[1]!, own.at(-1)!]
  dropInputs(s, first, second)
  const end = last.at.reduce((a, b) => Math.max(a, b), NONE)
  last.members = last.members.filter((p) => p <= end)
  return own
}
