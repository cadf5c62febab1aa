/** Places where all nodes of a pattern align but the graph lacks the deciding shapes. */
import type { PassRun } from '../pipeline/apply_pass'
import type { MissingShapes } from './shaped_graph'
import type { UnshapedPlace } from './types'

export function unshapedPlaces(
  { matches, toExplain }: Pick<PassRun, 'matches' | 'toExplain'>,
  missing: MissingShapes,
): UnshapedPlace[] {
  const fired = new Set(matches.map((m) => m.node))
  const places: UnshapedPlace[] = []
  for (const { entry, node, nodes, dropReason } of toExplain.attempts) {
    if (dropReason?.kind !== 'unknown-shape' || fired.has(node)) continue
    const needs = [...dropReason.nodes]
    const inputs = [...new Set(needs.flatMap((n) => missing.get(n) ?? [n]))]
    places.push({ entry, node, nodes: [...(nodes ?? [])], needs, inputs })
  }
  return places
}

/** Number of places: an anchor counts once, however many patterns align there. */
export const countPlaces = (places: readonly UnshapedPlace[]): number => new Set(places.map((p) => p.node)).size
