import type { Graph } from '../graph/graph'

/**
 * Gives each node the meta (val, source, custom and further keys) that the node of its name has in a second reading of the same graph:
 * print(graph) carries no shapes, print_readable does. What the first reading knows stays. Subgraphs that only the
 * second reading has are taken over.
 * @returns how many nodes got a val, and the names the second reading does not have.
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
