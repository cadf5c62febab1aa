/** Filters of a graph: pure functions from a graph to the visibility of its nodes. */
import type { GraphView } from '../../engine/protocol'
import { SHOWN, THROUGH, type Visibility } from './types'

export type Filter = (graph: GraphView) => Visibility

/** The visibility under all filters; null without a filter. */
export function visibilityOf(graph: GraphView, filters: readonly Filter[]): Visibility | null {
  if (filters.length === 0) return null
  const all = new Uint8Array(graph.nodes.length)
  for (const filter of filters) filter(graph).forEach((v, i) => (all[i] = Math.max(all[i]!, v)))
  return all
}

/** The inputs of each node after filters: the inputs of a THROUGH node replace it. Distinct, in argument order. */
export function inputsUnder({ nodes }: GraphView, visible: Visibility | null): (node: number) => readonly number[] {
  if (!visible) return (node) => nodes[node]!.inputs
  const known = new Map<number, readonly number[]>()
  const inputsOf = (node: number): readonly number[] => {
    const found = known.get(node)
    if (found) return found
    // Ends at a cycle: while a node's inputs are being computed, it counts as having none.
    known.set(node, [])
    const inputs = new Set<number>()
    for (const i of nodes[node]!.inputs) {
      if (visible[i] === SHOWN) inputs.add(i)
      else if (visible[i] === THROUGH) for (const j of inputsOf(i)) inputs.add(j)
    }
    const list = [...inputs]
    known.set(node, list)
    return list
  }
  return inputsOf
}
