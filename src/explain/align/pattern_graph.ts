/** The pattern as the alignment reads it: a search graph, with the names of its arguments and its outputs. */
import { Node, visitNodes, type Arg, type Graph } from '../../fx'

export interface PatternGraph {
  nodes: readonly Node[]
  /** The nodes that count: calls and constants, not arguments. */
  calls: readonly Node[]
  outputs: readonly Node[]
  /** Name of the argument a placeholder stands for. */
  argNames: ReadonlyMap<Node, string>
  exclusive: ReadonlySet<string>
  /** Constants that stand for arguments, from scalar_workaround. */
  workaround: ReadonlyMap<string, bigint | number | boolean>
  indexOf(node: Node): number | null
  /** How many counting nodes a node's computation has, itself included. */
  sizeOf(node: Node): number
  /** The same with a shared node counted once for each path to it, as Similarity adds it up. */
  weightOf(node: Node): number
}

/**
 * @param argNames of the placeholders, in order; those beyond the list go by their own names
 * @param toInitial index in this graph → index to report (for a re-traced graph)
 */
export function patternGraph(
  graph: Graph,
  argNames: readonly string[],
  options: {
    exclusive?: readonly string[]
    workaround?: ReadonlyMap<string, bigint | number | boolean> | null
    toInitial?: readonly (number | null)[] | null
  } = {},
): PatternGraph {
  const all = [...graph.nodes()]
  const nodes = all.filter((n) => n.op !== 'output')
  const outputs: Node[] = []
  const output = graph.output()
  if (output) for (const a of output.args) visitNodes(a as Arg, (n) => void outputs.push(n))
  const index = new Map(nodes.map((n, i) => [n, i]))
  const placeholders = nodes.filter((n) => n.op === 'placeholder')
  const sizes = new Map<Node, number>()
  const weights = new Map<Node, number>()
  const weightOf = (node: Node): number => {
    let weight = weights.get(node)
    if (weight === undefined) {
      weight = node.op === 'placeholder' ? 0 : 1
      const add = (n: Node): void => void (weight! += weightOf(n))
      for (const a of node.args) visitNodes(a as Arg, add)
      for (const a of node.kwargs.values()) visitNodes(a, add)
      weights.set(node, weight)
    }
    return weight
  }
  const { toInitial } = options
  return {
    weightOf,
    nodes,
    calls: nodes.filter((n) => n.op !== 'placeholder'),
    outputs: [...new Set(outputs)].filter((n) => n.op !== 'placeholder'),
    argNames: new Map(placeholders.map((n, i) => [n, argNames[i] ?? n.target])),
    exclusive: new Set(options.exclusive ?? []),
    workaround: options.workaround ?? new Map(),
    indexOf(node) {
      const i = index.get(node)
      return i === undefined ? null : toInitial ? (toInitial[i] ?? null) : i
    },
    sizeOf(node) {
      let size = sizes.get(node)
      if (size === undefined) sizes.set(node, (size = coneOf(node).filter((n) => n.op !== 'placeholder').length))
      return size
    },
  }
}

/** The node and everything it is computed from, at most `most` nodes, nearest first. */
export function coneOf(node: Node, most = 4000): Node[] {
  const seen = new Set([node])
  for (const n of seen) {
    if (seen.size >= most) break
    for (const input of n.inputs()) seen.add(input)
  }
  return [...seen]
}
