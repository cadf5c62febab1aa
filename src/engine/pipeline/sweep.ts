/** What stands at the end of every pipeline. */
import { eliminateDeadCode, isImpure, stableTopologicalSort, type Graph } from '../../fx'
import type { SchemaLookup } from '../../matcher'

/**
 * Takes dead code out of the graph. What writes to an argument by its schema stays, however it is called; a graph that a
 * replacement left out of order is sorted first.
 */
export function sweep(graph: Graph, schemaOf: SchemaLookup): void {
  const isMutable = (target: string): boolean | undefined => schemaOf(target)?.mutable
  const gone = () => eliminateDeadCode(graph, (n) => isImpure(n, { isMutable }))
  if (gone().ok) return
  stableTopologicalSort(graph)
  gone()
}
