/** The arguments of a read graph's node, in the form that the tracer takes. */
import { mapArgs, type Arg, type Node } from '../fx'
import type { DispatchArg } from './types'

/** Arguments and keyword arguments of a node with its input nodes replaced by their values; a node without one by None. */
export function argumentValues(
  node: Pick<Node, 'args' | 'kwargs'>,
  values: ReadonlyMap<Node, DispatchArg>,
): [DispatchArg[], Map<string, DispatchArg>] {
  const swap = (n: Node): Arg => (values.get(n) ?? null) as Arg
  return mapArgs(node.args, node.kwargs, swap) as unknown as [DispatchArg[], Map<string, DispatchArg>]
}
