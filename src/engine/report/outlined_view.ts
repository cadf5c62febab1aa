/** A graph with its outline, for the page. */
import { lazyField } from '../../base/lazy_field'
import type { Graph, Problem } from '../../fx'
import type { GraphView } from './graph_view'
import { outlineViewOf } from './outline_view'
import { viewOf } from './views'

/** Computes the outline when it is first read: the page often has it from a stored report. */
export function outlinedView(graph: Graph, problems: Problem[] = []): GraphView {
  return lazyField(viewOf(graph, problems), 'outline', () => outlineViewOf(graph) ?? undefined)
}
