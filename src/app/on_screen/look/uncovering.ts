/** Draws the whole graph when a panel, the text or a link selects a node outside the drawn part. */
import { useEffect, useRef } from 'react'
import type { GraphView } from '../../../engine/protocol'
import type { Framing } from '../../canvas'
import { SHOWN, type Visibility } from '../../fold/types'
import { positions } from '../../../engine/queries/report_index'
import { useView } from '../../session/view_store'
import { uncover } from './actions'

/**
 * @param framing the nodes of the selection; each object is handled once
 * @param visible null: the whole graph is drawn
 * @returns `framing`
 */
export function useUncovering(
  graph: GraphView | null,
  framing: Framing | null,
  visible: Visibility | null,
): Framing | null {
  const seen = useRef<Framing | null>(null)
  useEffect(() => {
    if (!graph || !framing || seen.current === framing) return
    seen.current = framing
    const { from } = useView.getState()
    if (!visible || from === 'before' || from === 'after') return
    const at = positions(graph)
    const inGraph = framing.names.filter((n) => at.has(n))
    if (inGraph.length > 0 && !inGraph.some((n) => visible[at.get(n)!] === SHOWN)) uncover(graph, inGraph[0]!)
  }, [graph, framing, visible])
  return framing
}
