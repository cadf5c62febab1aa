import type { Graph } from './graph'
import { type Node, visitNodes } from './node'
import { err, ok, type Result } from '../../base/result'

/**
 * Sorts the nodes so that each comes after its inputs, moving as few as possible, in the order of
 * torch._inductor.pattern_matcher.stable_topological_sort. Fails if the graph has a cycle; the nodes of the cycle and
 * those that depend on it are then left at the end.
 */
export function stableTopologicalSort(graph: Graph): Result<void, string> {
  const pending = [...graph.reversed()]
  const ready = new Set<Node>()
  // Each node waits for the last of its inputs that is not placed yet, so a sorted graph takes a single pass.
  const waiting = new Map<Node, Node[]>()
  let cursor: Node | null = null
  for (let node = pending.pop(); node; node = pending.pop()) {
    const missing = lastMissing(node, ready)
    if (missing) {
      const others = waiting.get(missing)
      if (others) others.push(node)
      else waiting.set(missing, [node])
      continue
    }
    ready.add(node)
    if (cursor && cursor.next !== node) graph.moveAfter(node, cursor)
    cursor = node
    const woken = waiting.get(node)
    if (woken) {
      waiting.delete(node)
      for (let i = woken.length - 1; i >= 0; i--) pending.push(woken[i]!)
    }
  }
  return ready.size === graph.size ? ok(undefined) : err('topological sort did not consume all nodes: there is a cycle')
}

function lastMissing(node: Node, ready: ReadonlySet<Node>): Node | null {
  let last: Node | null = null
  const look = (n: Node): void => {
    if (!ready.has(n)) last = n
  }
  for (const a of node.args) visitNodes(a, look)
  for (const a of node.kwargs.values()) visitNodes(a, look)
  return last
}
