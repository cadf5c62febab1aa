/** remove_noop_ops over a read graph: the rules are those of a trace, the storages are worked out first. */
import type { Graph } from '../../fx'
import { removeNoops } from '../../trace/noop'
import { valuesOf } from '../../trace/propagate'
import type { PostGradResult, PostGradContext } from './types'

export function removeNoopOps(graph: Graph, { tracer }: PostGradContext): PostGradResult {
  const before = graph.size
  const removed = removeNoops({ graph, values: valuesOf(graph, tracer) })
  return { count: before - graph.size, notes: removed.map(([node, is]) => `${node} is ${is}`) }
}
