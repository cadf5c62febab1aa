/** Kind `order`: each node stands below all that it uses, as Graph.lint holds it. */
import { visitNodes, type Node } from '../../fx'
import type { Blame } from './blame'
import type { Changes } from './changes'
import type { Violation } from './types'

export function orderKept(changes: Changes, blame: Blame): Violation[] {
  const found: Violation[] = []
  for (const node of suspects(changes)) {
    const late = firstLate(node)
    if (!late) continue
    const [was, wasLate] = [changes.placeBefore(node), changes.placeBefore(late)]
    // Out of order already, by an earlier pass.
    if (was !== undefined && wasLate !== undefined && was < wasLate) continue
    found.push({
      kind: 'order',
      node: node.name,
      before: null,
      match: blame.ofNew(node.name) ?? blame.ofNew(late.name),
      was: `${late.name} above ${node.name}`,
      is: `${node.name} above ${late.name}`,
      sentence: `${node.name} stands above ${late.name}, which it uses: until the graph is sorted (stable_topological_sort), eliminate_dead_code and lint raise`,
    })
  }
  return found
}

/** Where nothing moved, only what is new or uses something else than before can be out of order. */
const suspects = ({ graph, added, changed, moved }: Changes): Iterable<Node> =>
  moved ? graph.nodes() : [...added, ...changed.map((c) => c.node)]

function firstLate(node: Node): Node | null {
  let late: Node | null = null
  const look = (n: Node): void => {
    if (node.isBefore(n)) late ??= n
  }
  for (const a of node.args) visitNodes(a, look)
  for (const a of node.kwargs.values()) visitNodes(a, look)
  return late
}
