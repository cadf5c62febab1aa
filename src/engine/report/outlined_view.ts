/** A graph with what repeats in it, for the page. */
import type { Graph, Problem } from '../../fx'
import type { GraphView } from './graph_view'
import { outlineViewOf } from './outline_view'
import { viewOf } from './views'

export function outlinedView(graph: Graph, problems: Problem[] = []): GraphView {
  const outline = outlineViewOf(graph)
  return { ...viewOf(graph, problems), ...(outline && { outline }) }
}
