/**
 * Derived data of a timeline: bindings at each step, next mismatch, coarse level. Computed once per timeline, so that a
 * step back costs as much as a step forward.
 */
import type { PassReport } from '../../../engine/protocol'
import type { Step, Timeline } from '../../../engine/session/steps_types'

export type Level = 'coarse' | 'fine'

/** The bindings up to a step, newest first, as a list with shared tails. */
interface Chain {
  step: Step
  past: Chain | null
}

export interface IndexedTimeline {
  timeline: Timeline
  steps: readonly Step[]
  /** Indices of the coarse steps. */
  coarse: readonly number[]
  chains: readonly (Chain | null)[]
  /** Failures of rejected candidates: an output tried at a wrong node before the right one. */
  passing: ReadonlySet<number>
  /** A link's timeline has only some of the steps: the number of each in the sender's timeline. Absent: all steps are here. */
  numbers?: readonly number[]
  /** Number of steps in the sender's timeline. */
  total?: number
}

/** The number of a step in its whole timeline, from 0. */
export const numberOf = ({ numbers }: IndexedTimeline, at: number): number => numbers?.[at] ?? at

/** The position of the step with a number, or of the last one before it. */
export const positionOf = ({ numbers }: IndexedTimeline, number: number): number =>
  numbers
    ? Math.max(
        0,
        numbers.findLastIndex((n) => n <= number),
      )
    : number

export function indexTimeline(timeline: Timeline): IndexedTimeline {
  const { steps } = timeline
  const chains: (Chain | null)[] = []
  let chain: Chain | null = null
  for (const step of steps) {
    if (step.kind === 'candidate' || step.kind === 'entry' || step.kind === 'attempt') chain = null
    else if (step.kind === 'revert' && step.restores !== undefined) chain = chains[step.restores] ?? null
    else if (step.kind === 'binding' && step.ok) chain = { step, past: chain }
    chains.push(chain)
  }
  const passing = new Set(steps.filter((_, i) => isPassing(steps, i)).map((s) => s.index))
  return { passing, timeline, steps, coarse: steps.filter((s) => s.level === 'coarse').map((s) => s.index), chains }
}

/**
 * The matcher repeats the failure of the last candidate as the failure of the whole attempt; the first occurrence
 * counts.
 */
function isPassing(steps: readonly Step[], i: number): boolean {
  if (steps[i]!.ok !== false) return false
  const ends = (k: number): boolean => steps[k]?.ok === false && steps[k + 1]?.kind === 'verdict'
  if (steps[i + 1]?.kind === 'revert') return !ends(i + 2)
  return steps[i - 1]?.kind === 'revert' && ends(i)
}

/**
 * The graph node and the pattern node of a step. A wildcard or a constant input has no node of its own and counts as
 * part of the expression that has it as an argument.
 */
export function placeOf(indexed: IndexedTimeline, at: number): Pick<Step, 'graphNode' | 'patternNode' | 'source'> {
  const step = indexed.steps[at]!
  let { graphNode, patternNode, source } = step
  if (step.kind !== 'argument' && step.kind !== 'binding' && step.kind !== 'comparison') return step
  for (let i = at - 1; i >= 0 && (graphNode === null || patternNode === null || source === null); i--) {
    const outer = indexed.steps[i]!
    if (outer.kind === 'attempt') break
    if (outer.kind !== 'expression' || outer.depth >= step.depth) continue
    graphNode ??= outer.graphNode
    patternNode ??= outer.patternNode
    source ??= outer.source
    break
  }
  return { graphNode, patternNode, source }
}

/** The binding steps in effect at a step, oldest first. */
export function boundAt(indexed: IndexedTimeline, at: number): Step[] {
  const bound: Step[] = []
  for (let c = indexed.chains[at] ?? null; c; c = c.past) bound.push(c.step)
  return bound.reverse()
}

/** Steps of a level, as indices. */
export function shown(indexed: IndexedTimeline, level: Level): readonly number[] | null {
  return level === 'coarse' ? indexed.coarse : null
}

export const rowCount = (indexed: IndexedTimeline, level: Level): number =>
  shown(indexed, level)?.length ?? indexed.steps.length
export const stepAtRow = (indexed: IndexedTimeline, level: Level, row: number): number =>
  shown(indexed, level)?.[row] ?? row

/** The row of a step; for a step that the level hides, the last row before it. */
export function rowOf(indexed: IndexedTimeline, level: Level, at: number): number {
  const list = shown(indexed, level)
  if (!list) return at
  let low = 0
  let high = list.length - 1
  while (low < high) {
    const mid = (low + high + 1) >> 1
    if (list[mid]! <= at) low = mid
    else high = mid - 1
  }
  return low
}

/** One row forward or back; null at the end. */
export function moved(indexed: IndexedTimeline, level: Level, at: number, by: number): number | null {
  const from = rowOf(indexed, level, at)
  // Between two coarse steps, one step back is the previous coarse step.
  const hidden = stepAtRow(indexed, level, from) !== at
  const row = hidden && by < 0 ? from + by + 1 : from + by
  return row < 0 || row >= rowCount(indexed, level) ? null : stepAtRow(indexed, level, row)
}

/** Skips nested steps: the next step at the same depth or above. */
export function over(indexed: IndexedTimeline, level: Level, at: number): number | null {
  const depth = indexed.steps[at]?.depth ?? 0
  return find(indexed, level, at, 1, (s) => s.depth <= depth)
}

/** Steps back to the enclosing step. */
export function out(indexed: IndexedTimeline, level: Level, at: number): number | null {
  const depth = indexed.steps[at]?.depth ?? 0
  return find(indexed, level, at, -1, (s) => s.depth < depth)
}

/** The outcome of a step, for its style: '' if it decides nothing. */
export function toneOf(indexed: IndexedTimeline, s: Step): '' | 'ok' | 'bad' | 'passing' {
  if (s.ok === null) return ''
  return s.ok ? 'ok' : indexed.passing.has(s.index) ? 'passing' : 'bad'
}

/** The text of a step: at the coarse level, the sentence that includes the fine steps after it. */
export const textOf = (s: Step, level: Level): string => (level === 'coarse' ? s.sentence : undefined) ?? s.text

/** The mismatches. A verdict and the last step repeat an earlier failure, if the level shows that. */
export function isMismatch(indexed: IndexedTimeline, s: Step, level: Level): boolean {
  if (s.ok !== false || s.kind === 'done' || indexed.passing.has(s.index)) return false
  const before = indexed.steps[s.index - 1]
  const repeats = before?.ok === false && (level === 'fine' || before.level === 'coarse')
  return s.kind !== 'verdict' || !repeats
}

export function nextMismatch(indexed: IndexedTimeline, level: Level, at: number, by: 1 | -1): number | null {
  return find(indexed, level, at, by, (s) => isMismatch(indexed, s, level))
}

/** `graph` stops at steps on a graph node, `pattern` at steps on a node of one pattern. */
export type Breakpoint =
  | { kind: 'graph'; node: string }
  | { kind: 'pattern'; pass: string; entry: number; index: number; name: string }

export const sameBreakpoint = (a: Breakpoint, b: Breakpoint): boolean =>
  a.kind === 'graph'
    ? b.kind === 'graph' && a.node === b.node
    : b.kind === 'pattern' && a.pass === b.pass && a.entry === b.entry && a.index === b.index

/** The target of a breakpoint at this step: its pattern node, else its graph node. */
export function breakpointOf(step: Step, pass: PassReport | null): Breakpoint | null {
  const entry = step.entry === null ? null : pass?.entries[step.entry]
  const node = step.patternNode === null ? null : entry?.pattern.nodes[step.patternNode]
  if (pass && entry && node)
    return { kind: 'pattern', pass: pass.name, entry: entry.index, index: step.patternNode!, name: node.name }
  return step.graphNode === null ? null : { kind: 'graph', node: step.graphNode }
}

export const breakpointName = (b: Breakpoint): string => (b.kind === 'graph' ? b.node : `${b.name} of the pattern`)

export function hits(breakpoints: readonly Breakpoint[], step: Step, pass: string): boolean {
  return breakpoints.some((b) =>
    b.kind === 'graph'
      ? step.graphNode === b.node
      : pass === b.pass && step.entry === b.entry && step.patternNode === b.index,
  )
}

/** The next step that reaches a breakpoint; consecutive steps at the same breakpoint are skipped. */
export function nextBreakpoint(
  indexed: IndexedTimeline,
  level: Level,
  at: number,
  by: 1 | -1,
  breakpoints: readonly Breakpoint[],
): number | null {
  const { pass } = indexed.timeline
  const on = (i: number): boolean => {
    const step = indexed.steps[i]
    return step !== undefined && hits(breakpoints, step, pass)
  }
  return find(indexed, level, at, by, (s) => {
    const before = moved(indexed, level, s.index, -1)
    return on(s.index) && (before === null || !on(before))
  })
}

function find(indexed: IndexedTimeline, level: Level, at: number, by: 1 | -1, is: (s: Step) => boolean): number | null {
  for (let i = moved(indexed, level, at, by); i !== null; i = moved(indexed, level, i, by))
    if (is(indexed.steps[i]!)) return i
  return null
}

/**
 * True if the attempts differ from the report: a timeline runs the user's extra_checks and handlers again, and they may
 * not be deterministic.
 */
export function differs(indexed: IndexedTimeline, pass: PassReport): boolean {
  const { node, entry, cut } = indexed.timeline
  if (cut) return false
  const recorded = indexed.steps.filter((s) => s.kind === 'verdict')
  // Stage two starts at the match's first output, which need not be the anchor.
  const made = pass.attempts.filter((a) => a.node === node && (entry === null || a.entry === entry))
  const outcomes = (list: readonly Pick<Step, 'entry' | 'phase' | 'ok'>[]): string =>
    list
      .filter((s) => s.phase === 'initial')
      .map((s) => `${s.entry} ${s.ok}`)
      .join()
  return outcomes(recorded) !== outcomes(made)
}

/** Names of the graph nodes that the attempts of an entry visit, the anchor first; the canvas shows them together. */
export function aroundOf(indexed: IndexedTimeline, at: number): string[] {
  const names = new Set([indexed.timeline.node])
  const { entry = null } = indexed.steps[at] ?? {}
  for (const s of indexed.steps) if (s.graphNode !== null && s.entry === entry && entry !== null) names.add(s.graphNode)
  return [...names]
}

/** True if two steps of two runs are equal. */
export function sameSteps(a: Step | undefined, b: Step | undefined): boolean {
  return a !== undefined && b !== undefined && a.kind === b.kind && a.text === b.text
}
