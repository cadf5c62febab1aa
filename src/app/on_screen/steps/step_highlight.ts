/** Highlights of a step for the canvas and the editor: current node, bound nodes, source line. */
import { fileOf } from '../../session/workspace_store'
import type { GraphView, Report } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'
import type { Framing, Mark } from '../../canvas/types'
import { NOTHING, type Highlight } from '../../report/highlight'
import { nodeNamed, passNamed, positions } from '../../../engine/queries/report_index'
import { aroundOf, boundAt, placeOf, type IndexedTimeline } from './timeline'

export interface StepHighlight extends Highlight {
  /** Graph nodes bound at this step. */
  bound: ReadonlySet<string>
  /** The nodes to show together: all nodes that the attempts of the entry visit. */
  around: readonly string[]
  /** The node that fails in this step. */
  bad: string | null
}

export function stepHighlight(
  indexed: IndexedTimeline,
  at: number,
  report: Report | null,
  graph: GraphView | null,
  w: Workspace,
): StepHighlight {
  const step = indexed.steps[at]
  const bound = new Set<string>()
  const h = { ...NOTHING, before: new Set<string>(), after: new Set<string>(), lines: new Map<string, Set<number>>() }
  if (!step) return { ...h, bound, around: [], bad: null }
  const pass = passNamed(report, indexed.timeline.pass)
  const entry = step.entry === null ? null : (pass?.entries[step.entry] ?? null)
  const place = placeOf(indexed, at)
  const node = place.graphNode ?? indexed.timeline.node
  const before = graph ?? report?.graph ?? null
  // The graph before lacks the nodes of a replacement; the anchor shows the place instead.
  const here = nodeNamed(before, node) ? node : indexed.timeline.node
  const shown = nodeNamed(before, here)
  h.before.add(here)
  h.focusBefore = here
  if (nodeNamed(report?.after ?? null, node)) {
    h.after.add(node)
    h.focusAfter = node
  }
  for (const s of boundAt(indexed, at)) if (s.graphNode !== null && s.graphNode !== node) bound.add(s.graphNode)
  if (pass && entry) h.entry = { pass, entry }
  if (place.patternNode !== null) h.patternNodes = new Set([place.patternNode])
  const { source } = place
  if (source) h.lines.set(fileOf(w, source.file), new Set([source.line]))
  if (shown?.textLine) h.lines.set(w.graph.name, new Set([shown.textLine]))
  const known = before ? positions(before) : new Map<string, number>()
  const around = aroundOf(indexed, at).filter((n) => known.has(n))
  return { ...h, bound, around, bad: step.ok === false && !indexed.passing.has(at) ? node : null }
}

export const isStepHighlight = (h: Highlight): h is StepHighlight => 'around' in h

/** Maximum number of nodes shown together. */
const TOGETHER = 32

/** @param opened the timeline was just opened; otherwise the view does not move while the node is visible */
export function stepFraming(h: StepHighlight, side: 'before' | 'after', opened: boolean): Framing | null {
  const focus = side === 'before' ? h.focusBefore : h.focusAfter
  if (focus === null) return null
  const names = side === 'before' && h.around.length > 1 && h.around.length <= TOGETHER ? h.around : [focus]
  return opened ? { names, own: false } : { names, own: false, unlessSeen: [focus] }
}

/** The marks of a step, over those of the passes; other culprits are hidden. */
export function stepMarks(h: StepHighlight, marks: ReadonlyMap<string, Mark>): Map<string, Mark> {
  const own = new Map([...marks].filter(([, mark]) => mark !== 'culprit'))
  for (const name of h.bound) own.set(name, 'bound')
  if (h.bad !== null) own.set(h.bad, 'culprit')
  return own
}
