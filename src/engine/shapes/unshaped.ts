/** Places where all nodes of a pattern align and the graph lacks the shapes that decide. */
import type { PassRun } from '../pipeline/apply_pass'
import type { MissingShapes } from './shaped_graph'
import type { UnshapedPlace } from './types'

export function unshapedPlaces(
  { matches, toExplain }: Pick<PassRun, 'matches' | 'toExplain'>,
  missing: MissingShapes,
): UnshapedPlace[] {
  const fired = new Set(matches.map((m) => m.node))
  return toExplain.attempts.flatMap(({ entry, node, nodes, dropReason }) => {
    if (dropReason?.kind !== 'unknown-shape' || fired.has(node)) return []
    const needs = [...dropReason.nodes]
    const inputs = [...new Set(needs.flatMap((n) => missing.get(n) ?? [n]))]
    return [{ entry, node, nodes: [...(nodes ?? [])], needs, inputs }]
  })
}

/** Number of places: an anchor counts once, however many patterns align there. */
export const countPlaces = (places: readonly UnshapedPlace[]): number => new Set(places.map((p) => p.node)).size
