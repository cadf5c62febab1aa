import { Graph } from './graph'
import { type Arg, type Node, mapArgs } from './node'

/** A copy of a graph, with a map from each node to its copy. */
export interface Clone {
  graph: Graph
  map: Map<Node, Node>
}

/**
 * A copy under the same names, with a namespace that has given out the same names (erased nodes' included), so that
 * an edit names its nodes alike in both. Meta objects are copied one level deep and share what they hold. Subgraphs
 * are copied too. Nodes may use later ones, as in a graph that is not sorted yet.
 */
export function clone(graph: Graph): Clone {
  const copy = new Graph()
  const map = new Map<Node, Node>()
  for (const n of graph.nodes()) {
    const c = copy.createNamed(n.name, n.op, n.target)
    c.meta = { ...n.meta }
    c.type = n.type
    map.set(n, c)
  }
  const swap = (n: Node): Arg => map.get(n) ?? n
  for (const [n, c] of map) {
    if (n.args.length === 0 && n.kwargs.size === 0) continue
    c.setArgs(...mapArgs(n.args, n.kwargs, swap))
  }
  // Users keep the order the original has them in, which edits may have made different from the nodes' order.
  for (const [n, c] of map) {
    if (n.users.size < 2) continue
    c.users.clear()
    for (const u of n.users) {
      const user = map.get(u)
      if (user) c.users.add(user)
    }
  }
  copy.namespace.copyFrom(graph.namespace)
  for (const [name, sub] of graph.subgraphs) copy.subgraphs.set(name, clone(sub).graph)
  return { graph: copy, map }
}
