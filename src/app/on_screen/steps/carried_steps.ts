/** The part of the open timeline that a link carries, and the timeline that its reader sees until the code has run. */
import type { Report } from '../../../engine/protocol'
import type { Step } from '../../../engine/session/steps_types'
import type { CarriedPattern, CarriedStep, CarriedSteps } from '../../../workspace/carried_steps'
import type { Workspace } from '../../../workspace/types'
import { passNamed } from '../../../engine/queries/report_index'
import { withCode } from '../../session/summary'
import { useWorkspace } from '../../session/workspace_store'
import { useView } from '../../session/view_store'
import { useSteps } from './store'
import { boundAt, indexTimeline, numberOf, positionOf, type IndexedTimeline } from './timeline'

/** Timelines up to this length are carried whole; a step takes about 10 to 60 characters of a link. */
const MAX_WHOLE = 48
/** Steps carried on either side of the current one. */
const AROUND = 12

/** Undefined unless a step is selected. */
export function carriedSteps(report: Report): CarriedSteps | undefined {
  const { of, timeline, at, level } = useSteps.getState()
  const indexed = timeline.value
  const { selection } = useView.getState()
  if (!of || !indexed || selection?.kind !== 'step') return undefined
  const steps = chosen(indexed, at).map((i) => indexed.steps[i]!)
  const numbers = steps.map((s) => numberOf(indexed, s.index))
  const { reason } = indexed.steps[at]!
  return {
    ...{ pass: of.pass, entry: of.entry, node: of.node, level },
    at: numberOf(indexed, at),
    total: indexed.total ?? indexed.steps.length,
    steps: steps.map((s, i) => carried(s, numbers[i]!, indexed)),
    ...(reason !== undefined && { reason }),
    patterns: patternsOf(report, of.pass, steps),
  }
}

/**
 * The steps around one, with the bindings in effect there and the steps that they are nested in.
 * @returns positions, ascending
 */
export function chosen(indexed: IndexedTimeline, at: number): number[] {
  const { steps } = indexed
  if (steps.length <= MAX_WHOLE) return steps.map((_, i) => i)
  const [first, last] = [Math.max(0, at - AROUND), Math.min(steps.length - 1, at + AROUND)]
  const picked = new Set<number>()
  for (let i = first; i <= last; i++) {
    picked.add(i)
    for (const s of boundAt(indexed, i)) picked.add(s.index)
  }
  let depth = steps[first]!.depth
  const opened = new Set<string>()
  for (let i = first - 1; i >= 0 && !opened.has('candidate'); i--) {
    const step = steps[i]!
    const opens = step.kind === 'candidate' || step.kind === 'entry' || step.kind === 'attempt'
    const encloses = step.kind === 'expression' && step.depth < depth && !opened.has('attempt')
    if (opens ? opened.has(step.kind) : !encloses) continue
    if (opens) opened.add(step.kind)
    depth = Math.min(depth, step.depth)
    picked.add(i)
  }
  return [...picked].sort((a, b) => a - b)
}

function carried(s: Step, index: number, of: IndexedTimeline): CarriedStep {
  const { source, restores, kind, level, depth, entry, phase, patternNode, graphNode, ok, details, sentence } = s
  return {
    ...{ index, kind, level, depth, entry, phase, patternNode, graphNode, ok },
    ...{ expected: s.expected, found: s.found, text: s.text },
    ...(sentence !== undefined && { sentence }),
    ...(details && { details }),
    source: source && { file: source.file, line: source.line },
    ...(restores !== undefined && { restores: numberOf(of, restores) }),
  }
}

function patternsOf(report: Report, name: string, steps: readonly Step[]): CarriedPattern[] {
  const pass = passNamed(report, name)
  const entries = [...new Set(steps.flatMap((s) => (s.entry === null ? [] : [s.entry])))]
  return entries.flatMap((entry) => {
    const pattern = pass?.entries[entry]?.pattern
    if (!pattern || pattern.nodes.length === 0) return []
    const nodes = pattern.nodes.map(({ name: n, op, target, inner, inputs }, i) => ({
      ...{ name: n, op, target: inner ?? target },
      inputs: inputs.filter((j) => j < i),
    }))
    return [{ entry, nodes }]
  })
}

/** The carried steps as a timeline: steps have positions in the list, `numbers` holds the sender's. */
export function timelineFrom(sent: CarriedSteps, workspace: Workspace): IndexedTimeline {
  const numbers = sent.steps.map((s) => s.index)
  const steps = sent.steps.map(({ source, restores, ...step }, index): Step => {
    const restored = restores === undefined ? -1 : numbers.findLastIndex((n) => n <= restores)
    return {
      ...step,
      index,
      source: source && withCode(source, workspace),
      ...(restored >= 0 && { restores: restored }),
      ...(sent.reason !== undefined && step.index === sent.at && { reason: sent.reason }),
    }
  })
  const { pass, node, entry } = sent
  return { ...indexTimeline({ pass, node, entry, steps, cut: false }), numbers, total: sent.total }
}

/** Shows the sender's steps; the selected step and the camera are the link's. */
export function showSentSteps(sent: CarriedSteps, workspace: Workspace): void {
  const indexed = timelineFrom(sent, workspace)
  const at = positionOf(indexed, sent.at)
  const { pass, entry, node, level } = sent
  const timeline = { state: 'sent' as const, version: useWorkspace.getState().version, value: indexed }
  useSteps.setState({ of: { pass, entry, node }, timeline, at, level, failure: null, loading: false })
}
