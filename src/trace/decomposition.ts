/** Decomposes one call of a read graph as tracing a function would. */
import { mapArgs, type Arg, type Node } from '../fx'
import type { DispatchArg, TraceInput, Tracer } from './types'

/**
 * @returns the targets that tracing records instead of the node's call; null if it records the call itself, or cannot
 * trace it, for lack of shapes say
 */
export function decompositionOf(node: Node, tracer: Tracer): string[] | null {
  const inputs = [...new Set(node.inputs())]
  const given: TraceInput[] = []
  for (const { name, meta } of inputs) {
    if (!meta.val) return null
    given.push({ name, val: meta.val })
  }
  const fakes = tracer.begin(given)
  // A value takes the place of its node; the tracer accepts both.
  const swap = (n: Node): Arg => fakes[inputs.indexOf(n)]! as unknown as Arg
  const [args, kwargs] = mapArgs(node.args, node.kwargs, swap) as unknown as [DispatchArg[], Map<string, DispatchArg>]
  try {
    tracer.call(node.target, args, kwargs)
  } catch {
    tracer.abort()
    return null
  }
  const targets = [...tracer.end(null, false).nodes()].filter((n) => n.op === 'call_function').map((n) => n.target)
  return targets.includes(node.target) ? null : targets
}
