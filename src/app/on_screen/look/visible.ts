/** The drawn part of a graph, by node. */
import { useMemo, useRef } from 'react'
import { memoizeByObject, memoizeLast } from '../../../base/memoize'
import type { GraphView } from '../../../engine/protocol'
import { SHOWN, type Visibility } from '../../fold/types'
import { visibilityOf, type Filter } from '../../fold/visibility'
import type { Framing } from '../../canvas'
import { filtersOf, useLook, useLookNow } from './store'

const ofGraph = memoizeByObject((graph: GraphView) =>
  memoizeLast((filters: readonly Filter[]): Visibility | null => visibilityOf(graph, filters)),
)

/** Null while the whole graph is drawn. */
export function useVisibility(graph: GraphView | null): Visibility | null {
  const look = useLookNow()
  return useMemo(() => graph && ofGraph(graph)(filtersOf(look)), [graph, look])
}

/** Number of nodes that are drawn or in a block. */
export function shownIn({ nodes }: GraphView, visible: Visibility | null): number {
  return visible ? visible.reduce((n, v) => n + (v === SHOWN ? 1 : 0), 0) : nodes.length
}

/** The newer of two framings: that of the selection, or of the nodes that a change of the look shows. */
export function useLookFraming(framing: Framing | null): Framing | null {
  return useNewest(
    framing,
    useLook((s) => s.shown),
  )
}

/** The framing that changed last. */
export function useNewest(framing: Framing | null, shown: Framing | null): Framing | null {
  const last = useRef({ framing, shown, newest: framing })
  const { current } = last
  if (shown !== current.shown) last.current = { framing, shown, newest: shown ?? framing }
  else if (framing !== current.framing) last.current = { framing, shown, newest: framing }
  return last.current.newest
}
