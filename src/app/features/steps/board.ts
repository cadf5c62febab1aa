/** The part of the graph that the attempts of an entry visit, as a small graph with the progress of the match. */
import type { GraphView } from '../../../engine/protocol'
import { positions } from '../../../engine/queries/report_index'
import type { MiniMark } from '../../report/views/MiniGraph'
import { aroundOf, boundAt, placeOf, toneOf, type IndexedTimeline } from '../../on_screen/steps/timeline'

/** Maximum number of nodes drawn; more are unreadable in a panel. */
const MAX_NODES = 40

/**
 * The nodes visited around a step, with the edges between them.
 * @returns indices of the nodes in `graph`, ascending; edges lead to earlier ones
 */
export function visitedGraph(indexed: IndexedTimeline, at: number, graph: GraphView): GraphView {
  const names = nearest(aroundOf(indexed, at), placeOf(indexed, at).graphNode)
  const picked = graph.nodes.flatMap((n, i) => (names.has(n.name) ? [i] : []))
  const position = new Map(picked.map((i, k) => [i, k]))
  const within = (list: readonly number[]): number[] => list.flatMap((i) => position.get(i) ?? [])
  const nodes = picked.map((i) => {
    const n = graph.nodes[i]!
    return { ...n, inputs: within(n.inputs), users: within(n.users) }
  })
  return { nodes, problems: [] }
}

/** The visited nodes, in the order of their first visit; if there are too many, those visited around the current node. */
function nearest(names: readonly string[], current: string | null): ReadonlySet<string> {
  if (names.length <= MAX_NODES) return new Set(names)
  const middle = current === null ? 0 : Math.max(0, names.indexOf(current))
  const first = Math.min(Math.max(0, middle - MAX_NODES / 2), names.length - MAX_NODES)
  return new Set(names.slice(first, first + MAX_NODES))
}

/** Marks of the graph nodes at a step, by index in `graph`. */
export function graphMarks(indexed: IndexedTimeline, at: number, graph: GraphView): Map<number, MiniMark> {
  const marks = new Map<number, MiniMark>()
  const index = positions(graph)
  const set = (name: string | null, mark: MiniMark): void => {
    const i = name === null ? undefined : index.get(name)
    if (i !== undefined) marks.set(i, mark)
  }
  for (const s of boundAt(indexed, at)) set(s.graphNode, 'bound')
  const step = indexed.steps[at]!
  set(placeOf(indexed, at).graphNode, toneOf(indexed, step) === 'bad' ? 'bad' : 'current')
  return marks
}
