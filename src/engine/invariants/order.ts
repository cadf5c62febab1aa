/**
 * Kind `order`: the graph has a topological order and uses only its own nodes. A replacement above its input is no
 * violation: PyTorch inserts it there, and Inductor runs stable_topological_sort before lint; a lint reports it.
 */
import { code, message, node as nodePart, nodeAfter, worded } from '../../base/message'
import { visitNodes, type Node } from '../../fx'
import type { Blame } from './blame'
import type { Changes } from './changes'
import type { Violation } from './types'

export function orderKept({ added, changed }: Changes, blame: Blame): Violation[] {
  return [...added, ...changed.map((c) => c.node)].flatMap((node): Violation[] => {
    const wrong = wrongInput(node)
    if (!wrong) return []
    const { input, gone } = wrong
    return [
      {
        kind: 'order',
        node: node.name,
        before: gone ? input.name : null,
        match: blame.ofNew(node.name) ?? blame.ofNew(input.name) ?? blame.ofOld(input.name) ?? blame.only(),
        was: 'a graph without cycles',
        is: gone ? `a use of ${input.name}, which is gone` : `a cycle through ${input.name}`,
        ...worded(
          gone
            ? message`${nodeAfter(node.name)} uses ${nodePart(input.name)}, which was removed from the graph`
            : input === node
              ? message`${nodeAfter(node.name)} uses itself: ${code('replace_all_uses_with')} replaces the new node’s own input too`
              : message`${nodeAfter(node.name)} uses ${nodeAfter(input.name)}, which is computed from it: no order sorts a graph with a cycle`,
        ),
      },
    ]
  })
}

/** Returns an input that is not in the graph, or that comes after the node and depends on it. */
function wrongInput(node: Node): { input: Node; gone: boolean } | null {
  let wrong: { input: Node; gone: boolean } | null = null
  const look = (input: Node): void => {
    if (wrong) return
    if (input.erased) wrong = { input, gone: true }
    else if (!input.isBefore(node) && needs(input, node)) wrong = { input, gone: false }
  }
  for (const a of node.args) visitNodes(a, look)
  for (const a of node.kwargs.values()) visitNodes(a, look)
  return wrong
}

function needs(node: Node, other: Node): boolean {
  const seen = new Set<Node>([node])
  for (const n of seen) {
    if (n === other) return true
    for (const input of n.inputs()) seen.add(input)
  }
  return false
}
