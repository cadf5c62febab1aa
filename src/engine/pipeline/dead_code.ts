/** Dead-code elimination, the last stage of every pipeline. */
import { eliminateDeadCode, isWithoutDeadCode, stableTopologicalSort, type Graph, type Node } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import { isImpure } from '../../ops/purity'

/**
 * Removes dead code from the graph. A node whose schema writes to an argument stays, whatever its name. A graph that is
 * not in topological order is sorted first.
 */
export function removeDeadCode(graph: Graph, schemaOf: SchemaLookup): void {
  const gone = () => eliminateDeadCode(graph, impureBy(schemaOf))
  if (gone().ok) return
  stableTopologicalSort(graph)
  gone()
}

/** True if removeDeadCode would leave the graph as it is. */
export const hasNoDeadCode = (graph: Graph, schemaOf: SchemaLookup): boolean =>
  isWithoutDeadCode(graph, impureBy(schemaOf))

const impureBy =
  (schemaOf: SchemaLookup) =>
  (n: Node): boolean =>
    isImpure(n, schemaOf)
