/** make_fx's clean-up of size nodes at the end of a trace. */
import type { Graph, Node } from '../fx'
import { symOf } from '../ops/sym'
import { textOf } from '../fx/sym'

const sizeOf = (node: Node): string | null => {
  const { val } = node.meta
  const value = val?.kind === 'scalar' ? val.value : null
  return typeof value === 'object' && value !== null && value.kind === 'sym' ? textOf(symOf(value.expr)) : null
}

/** Removes unused sizes; then dedupe_symints: equal sizes that are computed from inputs alone become the first of them. */
export function dedupeSizes(graph: Graph): void {
  for (const node of graph.reversed())
    if (node.users.size === 0 && node.op === 'call_function' && sizeOf(node) !== null) graph.eraseNode(node)
  const first = new Map<string, Node>()
  const fromInputs = new Set<Node>()
  for (const node of [...graph.nodes()]) {
    const size = sizeOf(node)
    if (size === null) continue
    const known = first.get(size)
    if (node.op !== 'placeholder' && known) {
      node.replaceAllUsesWith(known)
      graph.eraseNode(node)
    } else if (node.op === 'placeholder' || [...node.inputs()].every((n) => fromInputs.has(n))) {
      first.set(size, node)
      fromInputs.add(node)
    }
  }
}
