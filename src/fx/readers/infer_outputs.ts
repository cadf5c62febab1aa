import type { Graph } from '../graph/graph'
import type { Val } from '../value'

/** Infers the val of an operator with several outputs, which print_readable omits, from the vals of its getitems. */
export function inferOutputs(graph: Graph): void {
  for (const node of graph.nodes()) {
    if ((node.op !== 'call_function' && node.op !== 'call_method') || node.meta.val || node.users.size === 0) continue
    const items: (Val | null)[] = []
    let known = false
    for (const user of node.users) {
      const index = user.args[1]
      if (user.target !== 'operator.getitem' || user.args[0] !== node || typeof index !== 'bigint') break
      if (index < 0n || index > 1000n) continue
      while (items.length <= Number(index)) items.push(null)
      items[Number(index)] = user.meta.val ?? null
      known ||= user.meta.val !== undefined
    }
    if (known) node.meta.val = { kind: 'vals', items, partial: true }
  }
}
