/** Dead-code elimination, the last stage of every pipeline. */
import { eliminateDeadCode, isWithoutDeadCode, stableTopologicalSort, type Graph } from '../../fx'
import { NEWEST_RULES, type TorchRules } from '../../base/torch_version'
import type { SchemaLookup } from '../../matcher'
import { isImpure } from '../../ops/purity'

/**
 * Removes dead code from the graph. A node whose schema writes to an argument stays, whatever its name. A graph that is
 * not in topological order is sorted first.
 */
export function removeDeadCode(graph: Graph, schemaOf: SchemaLookup, rules: TorchRules = NEWEST_RULES): void {
  const gone = () => eliminateDeadCode(graph, (n) => isImpure(n, schemaOf, rules))
  if (gone().ok) return
  stableTopologicalSort(graph)
  gone()
}

/** True if removeDeadCode would leave the graph as it is. */
export const hasNoDeadCode = (graph: Graph, schemaOf: SchemaLookup, rules: TorchRules): boolean =>
  isWithoutDeadCode(graph, (n) => isImpure(n, schemaOf, rules))
