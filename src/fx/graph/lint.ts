import type { Graph } from './graph'
import type { Node } from './node'
import { err, ok, type Result } from '../../base/result'

/**
 * Graph.lint: every node's inputs belong to the graph and come before it, and no name is used twice. The error is the
 * first line of PyTorch's exception.
 */
export function lint(graph: Graph): Result<void, string> {
  const seen = new Set<Node>()
  const names = new Set<string>()
  for (const node of graph.nodes()) {
    for (const input of node.inputs()) {
      const head = `Argument '${input.name}' of Node '${node.name}' `
      if (input.graph !== graph)
        return err(
          `${head}does not belong to this Graph, but was used as an argument! If you are copying nodes from another ` +
            'graph, make sure to use ``arg_transform`` on node_copy() to remap values',
        )
      if (!seen.has(input))
        return err(
          `${head}was used before it has been defined! Please check that Nodes in the graph are topologically ordered`,
        )
    }
    seen.add(node)
    if (names.has(node.name)) return err(`Node redefined name ${node.name}!`)
    names.add(node.name)
  }
  return ok(undefined)
}
