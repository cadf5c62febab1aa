/** A copy of a graph with different names and a different order of independent nodes. */
import { Graph, mapArgs, type Node } from '../../../fx'

/** @param seed of the order */
export function disguised(graph: Graph, seed: number): Graph {
  let state = seed
  const random = (): number => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
  const copy = new Graph()
  const map = new Map<Node, Node>()
  const left = new Set(graph.nodes())
  while (left.size > 0) {
    const ready = [...left].filter((n) => n.inputs().every((i) => map.has(i)) && (n.op !== 'output' || left.size === 1))
    const n = ready[Math.floor(random() * ready.length)]!
    const name = n.op === 'output' ? 'output' : `v${map.size}`
    const made = copy.createNamed(name, n.op, n.op === 'placeholder' ? name : n.target)
    made.setArgs(...mapArgs(n.args, n.kwargs, (i) => map.get(i)!))
    made.meta = { ...n.meta }
    map.set(n, made)
    left.delete(n)
  }
  return copy
}
