/** Decomposes one call of a read graph as tracing a function would. */
import type { Graph, Node, Val } from '../fx'
import { lookupOp } from '../ops/registry'
import { argumentValues } from './argument_values'
import type { TraceInput, Tracer } from './types'

/**
 * @returns the targets that tracing records instead of the node's call; null if it records the call itself, or cannot trace it, for
 * example without shapes
 */
export const decompositionOf = (node: Node, tracer: Tracer): string[] | null => {
  const graph = decomposed(node, ({ meta }) => meta.val ?? null, tracer)
  return graph && [...graph.nodes()].filter((n) => n.op === 'call_function').map((n) => n.target)
}

/**
 * The graph that tracing records instead of a node's call.
 * @param valOf the value of an input of the call
 * @returns null as for decompositionOf
 */
export function decomposed(node: Node, valOf: (input: Node) => Val | null, tracer: Tracer): Graph | null {
  const rules = lookupOp(node.target)
  if (!rules?.implicit && !rules?.decomp) return null
  const inputs = [...new Set(node.inputs())]
  const given: TraceInput[] = []
  for (const input of inputs) {
    const val = valOf(input)
    if (!val) return null
    given.push({ name: input.name, val })
  }
  const fakes = tracer.begin(given)
  const [args, kwargs] = argumentValues(node, new Map(inputs.map((n, i) => [n, fakes[i]!])))
  let graph: Graph
  try {
    graph = tracer.end(tracer.call(node.target, args, kwargs), false)
  } catch {
    tracer.abort()
    return null
  }
  return [...graph.nodes()].some((n) => n.target === node.target) ? null : graph
}
