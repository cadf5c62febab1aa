/** Gives a graph the nodes of another graph: `gm.graph = other`, where the module keeps its Graph object. */
import type { Graph } from './graph'
import { mapArgs, NO_KWARGS, type Node } from './node'

/** A node with the same name and operation stays the same object, so that references to it stay valid. */
export function become(graph: Graph, other: Graph): void {
  const before = new Map([...graph.nodes()].map((n) => [n.name, n]))
  for (const node of before.values()) node.setArgs([], NO_KWARGS)
  const made = new Map<Node, Node>()
  for (const node of other.nodes()) {
    const same = before.get(node.name)
    if (same?.op === node.op) {
      before.delete(node.name)
      same.target = node.target
      graph.move(same, null)
      made.set(node, same)
    } else
      made.set(
        node,
        graph.insertingBefore(null, () => graph.createNamed(node.name, node.op, node.target)),
      )
  }
  for (const node of before.values()) graph.eraseNode(node)
  for (const [node, own] of made) {
    own.meta = { ...node.meta }
    own.type = node.type
    own.setArgs(...mapArgs(node.args, node.kwargs, (n) => made.get(n) ?? null))
  }
  graph.namespace.copyFrom(other.namespace)
}
