/** Maps a node of one graph on screen to its counterpart in the other graph. */
import { nearest } from '../fold/filters'
import type { GraphView } from '../../engine/protocol'
import { positions } from '../../engine/queries/report_index'
import type { RewriteMap } from '../report/rewrite_map'

/** Two graphs side by side. */
export interface Pair {
  before: GraphView
  after: GraphView
  map: RewriteMap
  /** True if nodes with the same name are one node, unless the map says otherwise; false for two dumps. */
  named: boolean
}

/**
 * The counterparts of a node: the node itself, or its share of a rewrite, whose nodes are spread in order over the added nodes,
 * first to first and last to last. A node with neither takes the nearest node that has a counterpart.
 * @param side of `name`
 * @returns the node of the other side; null if that side has none
 */
export function counterpartOf(pair: Pair, side: 'before' | 'after', name: string): string | null {
  const own = ownCounterpart(pair, side, name)
  if (own !== null) return own
  const at = positions(pair[side]).get(name)
  const near = nearest(pair[side], at === undefined ? [] : [at], (n) => ownCounterpart(pair, side, n) !== null)
  return near === null ? null : ownCounterpart(pair, side, near)
}

function ownCounterpart({ map, named, ...graphs }: Pair, side: 'before' | 'after', name: string): string | null {
  const other = side === 'before' ? 'after' : 'before'
  const names = map[side].get(name)
  if (!names) return named && positions(graphs[other]).has(name) ? name : null
  const siblings = map[other].get(names[0]!) ?? [name]
  return spread(names, Math.max(0, siblings.indexOf(name)), siblings.length)
}

const spread = (names: readonly string[], i: number, of: number): string =>
  names[of === 1 ? names.length - 1 : Math.round((i * (names.length - 1)) / (of - 1))]!
