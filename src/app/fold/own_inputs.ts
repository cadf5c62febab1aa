/** Assigns the inputs of a graph to the parts that use them. */
import type { GraphView } from '../../engine/protocol'

/**
 * The part of each node: `partOf`, and for a placeholder or get_attr without one, the part that contains all its users.
 * @param partOf null for a node in no part
 */
export function withOwnInputs<T>({ nodes }: GraphView, partOf: (node: number) => T | null): (T | null)[] {
  return nodes.map(({ op, users }, i) => {
    const own = partOf(i)
    if (own !== null || (op !== 'placeholder' && op !== 'get_attr') || users.length === 0) return own
    const first = partOf(users[0]!)
    return users.every((u) => partOf(u) === first) ? first : null
  })
}
