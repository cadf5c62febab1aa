/** What the canvas draws over a graph: groups of matched nodes, marks of what a pass took out and put in. */
import type { GraphView, Report } from '../../engine/protocol'
import type { CanvasMode, Selection } from '../../workspace/types'
import type { Framing } from '../canvas/types'
import type { Highlight } from './highlight'
import { indexOf, markOf, positions } from './report_index'

export interface CanvasGroup {
  id: string
  nodes: string[]
  colour: number
  letter: string
  label: string
  kind: 'match' | 'nearMiss' | 'added' | 'removed'
}

export const groupId = (pass: string, match: number): string => `${pass}:${match}`

/** Group ids are `pass:match` on both sides, and `pass!nearMiss` for near misses. */
export function parseGroupId(id: string): { kind: 'match' | 'nearMiss'; pass: string; index: number } | null {
  const m = /^(.*)([:!])(\d+)$/s.exec(id)
  return m ? { kind: m[2] === ':' ? 'match' : 'nearMiss', pass: m[1]!, index: Number(m[3]) } : null
}

export function groupsOf(
  report: Report | null,
  graph: GraphView,
  side: 'before' | 'after',
  h: Highlight,
): CanvasGroup[] {
  if (!report) return []
  const known = positions(graph)
  const groups: CanvasGroup[] = []
  for (const { pass, match, entry } of indexOf(report).matches) {
    const nodes = (side === 'before' ? match.nodes : match.added).filter((n) => known.has(n))
    if (nodes.length === 0) continue
    const mark = markOf(report, pass.name, entry.index)
    const label = `${entry.title} · match ${match.index + 1}`
    groups.push({
      id: groupId(pass.name, match.index),
      nodes,
      ...mark,
      label,
      kind: side === 'before' ? 'match' : 'added',
    })
  }
  if (side === 'before' && h.nearMiss && h.entry) {
    const { pass, entry } = h.entry
    const nodes = [...new Set([...h.nearMiss.aligned, ...(h.culprit ? [h.culprit] : [])])].filter((n) => known.has(n))
    const mark = markOf(report, pass.name, entry.index)
    if (nodes.length > 0)
      groups.push({
        id: `${pass.name}!${h.nearMiss.index}`,
        nodes,
        ...mark,
        label: `${entry.title} · near miss`,
        kind: 'nearMiss',
      })
  }
  return groups
}

/** A source line that more places share than this is shown at the first of them. */
const TOGETHER = 24

/**
 * What to bring into view for a selection. A match or a near miss is shown whole, and a pattern with all the places
 * where it fired. A source line or a pattern node lights up many places alike: nothing moves while one is in view.
 * @param own it was made on this canvas
 */
export function framingOf(
  selection: Selection | null,
  h: Highlight,
  side: 'before' | 'after',
  own: boolean,
): Framing | null {
  const names = [...(side === 'before' ? h.before : h.after)]
  const focus = (side === 'before' ? h.focusBefore : h.focusAfter) ?? names[0]
  if (!selection || focus === undefined) return null
  const shared = selection.kind === 'line' || selection.kind === 'patternNode'
  if (!shared) return { names, own }
  return { names: names.length > TOGETHER ? [focus] : names, own, unlessSeen: names }
}

export type Mark = 'added' | 'removed' | 'culprit'

/** Removed nodes are marked where both graphs are seen together; added ones wherever the graph after is. */
export function marksOf(
  report: Report | null,
  graph: GraphView,
  side: 'before' | 'after',
  mode: CanvasMode,
  h: Highlight,
): Map<string, Mark> {
  const marks = new Map<string, Mark>()
  if (report?.after && side === 'after') {
    const before = positions(report.graph)
    for (const n of graph.nodes) if (!before.has(n.name)) marks.set(n.name, 'added')
    for (const { match } of indexOf(report).matches) for (const n of match.added) marks.set(n, 'added')
  }
  if (report?.after && side === 'before' && mode === 'split') {
    const after = positions(report.after)
    for (const n of graph.nodes) if (!after.has(n.name)) marks.set(n.name, 'removed')
    // A name taken over by the replacement is another node.
    for (const { match } of indexOf(report).matches)
      for (const n of match.nodes) if (match.added.includes(n)) marks.set(n, 'removed')
  }
  if (side === 'before' && h.culprit) marks.set(h.culprit, 'culprit')
  return marks
}
