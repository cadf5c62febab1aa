/** Runs remove_noop_ops on a graph read from text: computes storages, then applies the tracer's rules. */
import type { Graph } from '../../fx'
import { removeNoops } from '../../trace/noop'
import { valuesOf } from '../../trace/propagate'
import type { PostGradResult, PostGradContext } from './types'

export function removeNoopOps(graph: Graph, { tracer }: PostGradContext): PostGradResult {
  const before = graph.size
  const removed = removeNoops({ graph, values: valuesOf(graph, tracer) }, tracer.rules)
  return { count: before - graph.size, notes: removed.map(([node, is]) => `${node} is ${is}`) }
}
