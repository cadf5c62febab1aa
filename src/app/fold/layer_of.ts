import type { GraphView } from '../../engine/protocol'
import { instanceTitle } from './block_text'
import { groupedBy } from './group_by'

/** `layer 17`: the outermost repeated part that a node is in; empty outside all. @param at index of the node */
export function layerOf(graph: GraphView, at: number | undefined): string {
  const grouping = groupedBy('layer', graph, null)
  let instance = grouping?.innermost[at ?? -1] ?? -1
  if (!grouping || instance < 0) return ''
  for (let up = grouping.instances[instance]!.parent; up >= 0; up = grouping.instances[instance]!.parent) instance = up
  return instanceTitle(grouping.instances[instance]!)
}
