import type { Graph, Node } from '../../fx'

/**
 * For each node of a re-traced graph, the index of its counterpart in the initial trace, or null. Both are traces of
 * one function, so the k-th call of an operator on a source line is the same call; placeholders correspond by name.
 */
export function alignNodes(retraced: Graph, initial: Graph): (number | null)[] {
  const places = new Map<string, number>()
  number(initial, (key, _node, index) => places.set(key, index))
  const aligned: (number | null)[] = []
  number(retraced, (key) => aligned.push(places.get(key) ?? null))
  return aligned
}

function number(graph: Graph, each: (key: string, node: Node, index: number) => void): void {
  const seen = new Map<string, number>()
  let index = 0
  for (const node of graph.nodes()) {
    const base =
      node.op === 'placeholder'
        ? `placeholder ${node.target}`
        : `${node.op} ${node.target} ${node.meta.source?.file}:${node.meta.source?.line}`
    const count = seen.get(base) ?? 0
    seen.set(base, count + 1)
    each(`${base} ${count}`, node, index++)
  }
}
