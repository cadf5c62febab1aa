/** Decomposes one call of a read graph as tracing a function would. */
import type { Node } from '../fx'
import { lookupOp } from '../ops/registry'
import { argumentValues } from './argument_values'
import type { TraceInput, Tracer } from './types'

/**
 * @returns the targets that tracing records instead of the node's call; null if it records the call itself, or cannot
 * trace it, for lack of shapes say
 */
export function decompositionOf(node: Node, tracer: Tracer): string[] | null {
  const rules = lookupOp(node.target)
  if (!rules?.implicit && !rules?.decomp) return null
  const inputs = [...new Set(node.inputs())]
  const given: TraceInput[] = []
  for (const { name, meta } of inputs) {
    if (!meta.val) return null
    given.push({ name, val: meta.val })
  }
  const fakes = tracer.begin(given)
  const [args, kwargs] = argumentValues(node, new Map(inputs.map((n, i) => [n, fakes[i]!])))
  try {
    tracer.call(node.target, args, kwargs)
  } catch {
    tracer.abort()
    return null
  }
  const targets = [...tracer.end(null, false).nodes()].filter((n) => n.op === 'call_function').map((n) => n.target)
  return targets.includes(node.target) ? null : targets
}
