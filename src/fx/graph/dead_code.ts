import type { Graph } from './graph'
import type { Node } from './node'
import { lint } from './lint'
import { ok, type Result } from '../../base/result'

/**
 * Graph.eliminate_dead_code: erases, last first, each unused node without side effects; then those in subgraphs that
 * get_attr nodes name.
 * @param impure decides which nodes have side effects
 * @returns true if a node was erased; lint's error, with the graph unchanged, if a node is used before it is defined
 */
export function eliminateDeadCode(graph: Graph, impure: (node: Node) => boolean): Result<boolean, string> {
  const checked = lint(graph)
  if (!checked.ok) return checked
  let changed = false
  const attributes = new Set<string>()
  for (const node of graph.reversed()) {
    if (node.users.size === 0 && !impure(node)) {
      graph.eraseNode(node)
      changed = true
    } else if (node.op === 'get_attr') attributes.add(node.target)
  }
  for (const [name, sub] of graph.subgraphs) {
    if (!attributes.has(name)) continue
    const result = eliminateDeadCode(sub, impure)
    if (!result.ok) return result
    changed ||= result.value
  }
  return ok(changed)
}

/** True if eliminateDeadCode would erase nothing, nested graphs not counted, and the nodes are in order. */
export function isWithoutDeadCode(graph: Graph, impure: (node: Node) => boolean): boolean {
  for (const node of graph.nodes()) {
    if (node.users.size === 0 && !impure(node)) return false
    for (const user of node.users) if (user.erased || !node.isBefore(user)) return false
  }
  return true
}
