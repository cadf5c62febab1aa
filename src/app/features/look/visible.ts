/** The part of a graph that is drawn, as a graph. */
import { useMemo, useRef } from 'react'
import { memoizeByObject, memoizeLast } from '../../../base/memoize'
import type { GraphView } from '../../../engine/protocol'
import { drawnGraph } from '../../fold/drawn'
import { visibilityOf, type Filter } from '../../fold/visibility'
import type { Framing } from '../../canvas'
import { filtersOf, useLook, useLookNow } from './store'

const NOTHING_OPEN: ReadonlySet<string> = new Set()

const partOf = memoizeByObject((graph: GraphView) =>
  memoizeLast((filters: readonly Filter[]): GraphView => {
    const visible = visibilityOf(graph, filters)
    return visible ? { ...graph, nodes: [...drawnGraph(graph, null, NOTHING_OPEN, visible).nodes] } : graph
  }),
)

/** The graph itself while the whole is drawn. */
export function useVisiblePart(graph: GraphView | null): GraphView | null {
  const look = useLookNow()
  return useMemo(() => graph && partOf(graph)(filtersOf(look)), [graph, look])
}

/** Whichever is newer: the framing of the selection, or the nodes that a change of the look brings into view. */
export function useLookFraming(framing: Framing | null): Framing | null {
  const shown = useLook((s) => s.shown)
  const last = useRef({ framing, shown, newest: framing })
  const { current } = last
  if (shown !== current.shown) last.current = { framing, shown, newest: shown ?? framing }
  else if (framing !== current.framing) last.current = { framing, shown, newest: framing }
  return last.current.newest
}
