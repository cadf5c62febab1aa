/** Dead-code elimination, the last stage of every pipeline. */
import { eliminateDeadCode, isImpure, stableTopologicalSort, type Graph } from '../../fx'
import type { SchemaLookup } from '../../matcher'

/**
 * Removes dead code from the graph. A node whose schema writes to an argument stays, whatever its name. A graph that is
 * not in topological order is sorted first.
 */
export function removeDeadCode(graph: Graph, schemaOf: SchemaLookup): void {
  const isMutable = (target: string): boolean | undefined => schemaOf(target)?.mutable
  const gone = () => eliminateDeadCode(graph, (n) => isImpure(n, { isMutable }))
  if (gone().ok) return
  stableTopologicalSort(graph)
  gone()
}
