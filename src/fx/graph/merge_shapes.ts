import type { Graph } from './graph'

/**
 * Copies meta (val, source, custom and further keys) to each node from the node of the same name in a second reading of
 * the graph: print(graph) has no shapes, print_readable does. Existing meta takes precedence. Subgraphs that only the
 * second reading has are added.
 * @returns the number of nodes that received a val, and the names that the second reading lacks
 */
export function mergeShapes(graph: Graph, shapesGraph: Graph): { merged: number; missing: string[] } {
  const byName = new Map([...shapesGraph.nodes()].map((n) => [n.name, n]))
  const missing: string[] = []
  let merged = 0
  for (const node of graph.nodes()) {
    const other = byName.get(node.name)
    if (!other) {
      if (node.op !== 'output') missing.push(node.name)
      continue
    }
    const { val, source, custom, additional } = other.meta
    if (val && !node.meta.val) {
      node.meta.val = val
      merged++
    }
    if (source) node.meta.source ??= source
    if (custom) node.meta.custom ??= custom
    if (additional) node.meta.additional ??= additional
  }
  for (const [name, sub] of shapesGraph.subgraphs) {
    const own = graph.subgraphs.get(name)
    if (own) mergeShapes(own, sub)
    else graph.subgraphs.set(name, sub)
  }
  return { merged, missing }
}
