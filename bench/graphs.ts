/** Graphs for benches: vllm_like32 with shapes (1,552 nodes), and chained copies of it. */
import { readFileSync } from 'node:fs'
import { Graph, mapArg, mergeShapes, read, type Arg, type Node } from '../src/fx'

export function vllmLike32(): { graph: Graph; patternPy: string } {
  const line = readFileSync('conformance/cases/vllm_like32.public.jsonl', 'utf8').split('\n')[0]!
  const recorded = JSON.parse(line) as Record<'pattern_py' | 'graph' | 'readable', string>
  const { graph } = read(recorded.graph, 'graph')
  mergeShapes(graph, read(recorded.readable, 'readable').graph)
  return { graph, patternPy: recorded.pattern_py }
}

/**
 * `n` chained copies of the graph: the embedding of each copy is replaced by the last hidden state of the previous one;
 * weights are shared.
 */
export function chain(graph: Graph, n: number): Graph {
  const made = new Graph()
  const shared = new Map<string, Node>()
  let logits: Node | null = null
  let hidden: Node | null = null
  for (let i = 0; i < n; i++) {
    const map = new Map<Node, Node>()
    for (const node of graph.nodes()) {
      if (node.op === 'output') {
        // The output is the logits; the hidden state is their input.
        logits = map.get(node.inputs()[0]!)!
        hidden = logits.inputs()[0]!
        continue
      }
      if (node.op === 'placeholder') {
        const input = shared.get(node.name) ?? made.createNode(node.op, node.target, [], new Map(), node.name)
        shared.set(node.name, input)
        input.meta = node.meta
        map.set(node, input)
        continue
      }
      if (i > 0 && node.name === 'embedding') {
        map.set(node, hidden!)
        continue
      }
      const swap = (a: Arg): Arg => mapArg(a, (x) => map.get(x)!)
      const copy = made.createNode(
        node.op,
        node.target,
        node.args.map(swap),
        new Map([...node.kwargs].map(([k, v]) => [k, swap(v)])),
        node.name,
      )
      copy.meta = node.meta
      map.set(node, copy)
    }
  }
  made.createNode('output', 'output', [[logits!]])
  return made
}
