/** Overlays of the canvas: groups of matched nodes, marks of nodes that a pass removed and added. */
import type { Cause, GraphView, PassReport, Report } from '../../engine/protocol'
import type { CanvasMode, Selection } from '../../workspace/types'
import type { CanvasGroup, Framing } from '../canvas/types'
import type { Highlight } from '../report/highlight'
import { indexOf, markOf, positions } from '../../engine/queries/report_index'
import { plainText, renamedNodes, withoutNotes } from '../../base/message'
import { isUnshaped, whyNot } from '../../engine/queries/why_not'
import { NO_VIOLATIONS, type ViolationNotes } from '../report/violations'
import { placesOf } from '../../engine/queries/why_not_places'

export const groupId = (pass: string, match: number): string => `${pass}:${match}`

const missGroupId = (pass: string, miss: number, place: string): string => `${pass}!${miss}@${place}`

/** Group ids are `pass:match` on both sides, and `pass!nearMiss@anchor` for near misses. */
export function parseGroupId(
  id: string,
):
  | { kind: 'match'; pass: string; index: number }
  | { kind: 'nearMiss'; pass: string; index: number; place: string }
  | null {
  const miss = /^(.*)!(\d+)@(.*)$/s.exec(id)
  if (miss) return { kind: 'nearMiss', pass: miss[1]!, index: Number(miss[2]), place: miss[3]! }
  const match = /^(.*):(\d+)$/s.exec(id)
  return match ? { kind: 'match', pass: match[1]!, index: Number(match[2]) } : null
}

/** @param only the pass whose matches are meant; absent: all passes */
export function groupsOf(
  report: Report | null,
  graph: GraphView,
  side: 'before' | 'after',
  only?: PassReport,
): CanvasGroup[] {
  if (!report) return []
  const known = positions(graph)
  const kind = side === 'before' ? 'match' : 'added'
  return indexOf(report).matches.flatMap(({ pass, match, entry }): CanvasGroup[] => {
    const nodes = (side === 'before' ? match.nodes : match.added).filter((n) => known.has(n))
    if (nodes.length === 0 || (only && pass !== only)) return []
    const label = `${entry.title} · match ${match.index + 1}`
    return [{ id: groupId(pass.name, match.index), nodes, ...markOf(report, pass.name, entry.index), label, kind }]
  })
}

/** Maximum number of near misses, and of anchors, outlined without a selection. */
const VERDICTS = 4
const OUTLINED = 200

export interface MissMarks {
  groups: CanvasGroup[]
  /** Culprit nodes, each with its reason. */
  culprits: Map<string, string>
  /** Culprit uses: from a value to its user outside the match. */
  edges: [string, string][]
}

export const NO_MISSES: MissMarks = { groups: [], culprits: new Map(), edges: [] }

/**
 * Near misses as outlined groups, each with its culprit: the selected one, and the nearest misses at places where nothing has fired
 * since.
 * @param explained the report of the near misses; it may be older than the one on screen
 */
export function missesOn(
  explained: Report | null,
  report: Report | null,
  graph: GraphView,
  side: 'before' | 'after',
  h: Highlight,
): MissMarks {
  if (!explained || side === 'after') return NO_MISSES
  const known = positions(graph)
  const fired = report ? indexOf(report).byNode : new Map<string, unknown>()
  const found: MissMarks = { groups: [], culprits: new Map(), edges: [] }
  const shown = whyNot(explained)
    .near.slice(0, VERDICTS)
    // If only shapes are missing, every pattern counts; of other near misses, only the nearest in a group.
    .flatMap(({ lead, misses }) => (isUnshaped(lead.miss) ? misses : [lead]))
    .map(({ pass, miss }) => ({ pass, miss, forced: false }))
  if (h.nearMiss && h.entry && !shown.some((s) => s.miss === h.nearMiss))
    shown.unshift({ pass: h.entry.pass, miss: h.nearMiss, forced: true })
  const outlined = new Set<string>()
  for (const { pass, miss, forced } of shown) {
    const cause = miss.causes[0]!
    const title = pass.entries[miss.entry]?.title ?? ''
    for (const place of placesOf(explained, miss)) {
      const nodes = [...new Set([...place.nodes, ...(place.culprit ? [place.culprit] : [])])].filter((n) =>
        known.has(n),
      )
      const one = forced && place.anchor === h.place
      if (nodes.length === 0 || (forced && !one)) continue
      // One outline per place: the nearest miss represents the others there.
      if (!one && (found.groups.length >= OUTLINED || nodes.some((n) => outlined.has(n) || fired.has(n)))) continue
      for (const n of nodes) outlined.add(n)
      found.groups.push({
        id: missGroupId(pass.name, miss.index, place.anchor),
        nodes,
        ...markOf(explained, pass.name, miss.entry),
        label: `${title} · ${isUnshaped(miss) ? 'matches if the shapes allow' : 'near miss'}`,
        note: plainText(withoutNotes(cause.parts)),
        kind: isUnshaped(miss) ? 'unshaped' : 'nearMiss',
      })
      if (isUnshaped(miss) || !place.culprit || !known.has(place.culprit)) continue
      found.culprits.set(place.culprit, noteAt(cause, place.culprit, place.other))
      if (place.other) found.edges.push([place.culprit, place.other])
    }
  }
  return found
}

/** The message of a cause at another anchor: the names of the first anchor's nodes are replaced. */
function noteAt(cause: Cause, culprit: string, other: string | null): string {
  const names = new Map<string, string>()
  if (cause.graphNode) names.set(cause.graphNode, culprit)
  if (cause.found && other) names.set(cause.found, other)
  return plainText(renamedNodes(withoutNotes(cause.parts), names))
}

/** A source line with more nodes than this moves the view to the first of them only. */
const TOGETHER = 24

/**
 * The nodes to bring into view for a selection: a whole match or near miss, or all matches of a pattern. A source line
 * or a pattern node highlights many equal places, so the view does not move while one of them is visible. @param own
 * the selection was made on this canvas
 */
export function framingOf(
  selection: Selection | null,
  h: Highlight,
  side: 'before' | 'after',
  own: boolean,
): Framing | null {
  const names = [...(side === 'before' ? h.before : h.after)]
  if (side === 'before' && h.outside) names.push(h.outside)
  const focus = (side === 'before' ? h.focusBefore : h.focusAfter) ?? names[0]
  if (!selection || focus === undefined) return null
  const shared = selection.kind === 'line' || selection.kind === 'patternNode'
  if (!shared) return { names, own }
  return { names: names.length > TOGETHER ? [focus] : names, own, unlessSeen: names }
}

export type Mark = 'added' | 'removed' | 'culprit' | 'violation'

export interface MarkOptions {
  graph: GraphView
  side: 'before' | 'after'
  mode: CanvasMode
  /** Node name → message of the near miss whose culprit it is. */
  culprits: ReadonlyMap<string, string>
  violations?: ViolationNotes
}

/** Marks removed nodes while both graphs are visible, and added nodes whenever the graph after is visible. */
export function marksOf(report: Report | null, options: MarkOptions): Map<string, Mark> {
  const { graph, side, mode, culprits, violations = NO_VIOLATIONS } = options
  const marks = new Map<string, Mark>()
  if (report?.after && side === 'after') {
    const before = positions(report.graph)
    for (const n of graph.nodes) if (!before.has(n.name)) marks.set(n.name, 'added')
    for (const { match } of indexOf(report).matches) for (const n of match.added) marks.set(n, 'added')
  }
  if (report?.after && side === 'before' && mode === 'split') {
    const after = positions(report.after)
    for (const n of graph.nodes) if (!after.has(n.name)) marks.set(n.name, 'removed')
    // A replacement may reuse a name for a different node.
    for (const { match } of indexOf(report).matches)
      for (const n of match.nodes) if (match.added.includes(n)) marks.set(n, 'removed')
  }
  if (side === 'before') for (const name of culprits.keys()) marks.set(name, 'culprit')
  for (const name of violations.keys()) marks.set(name, 'violation')
  return marks
}
