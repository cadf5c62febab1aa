import { Graph } from './graph'
import { type Arg, type Node, mapArgs } from './node'

/** A copy of a graph, with a map from each node to its copy. */
export interface Clone {
  graph: Graph
  map: Map<Node, Node>
}

/**
 * Copies a graph with the same names and a namespace in the same state (including names of erased nodes), so that an
 * edit names its nodes identically in both. Meta objects are copied one level deep and share their contents. Subgraphs
 * are copied too. Nodes may use later ones, as in an unsorted graph.
 */
export function clone(graph: Graph): Clone {
  const copy = new Graph()
  const map = new Map<Node, Node>()
  for (const n of graph.nodes()) map.set(n, copy.createCopy(n))
  // A handler can give an erased node arguments again; the node then counts as their user.
  for (const n of graph.nodes()) for (const u of n.users) if (u.erased) map.set(u, copy.createErased(u))
  const swap = (n: Node): Arg => map.get(n) ?? n
  for (const [n, c] of map) {
    if (n.args.length === 0 && n.kwargs.size === 0) continue
    c.setArgs(...mapArgs(n.args, n.kwargs, swap))
  }
  // Users keep the original's order; edits may have made it different from the node order.
  for (const [n, c] of map) {
    if (n.users.size < 2) continue
    c.users.clear()
    for (const u of n.users) {
      const user = map.get(u)
      if (user) c.users.add(user)
    }
  }
  if (graph.passesErased) copy.linkAs(graph, map)
  copy.namespace.copyFrom(graph.namespace)
  for (const [name, sub] of graph.subgraphs) copy.subgraphs.set(name, clone(sub).graph)
  return { graph: copy, map }
}
