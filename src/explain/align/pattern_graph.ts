/** A search graph prepared for alignment, with its argument names and outputs. */
import { Node, visitNodes, type Arg, type Graph } from '../../fx'
import type { SubgraphRules } from '../../matcher/types'

export interface PatternGraph {
  nodes: readonly Node[]
  /** Calls and constants; arguments are excluded. */
  calls: readonly Node[]
  outputs: readonly Node[]
  /** Name of the argument a placeholder stands for. */
  argNames: ReadonlyMap<Node, string>
  exclusive: ReadonlySet<string>
  /** Constants that stand for arguments (scalar_workaround). */
  workaround: ReadonlyMap<string, bigint | number | boolean>
  /** For each argument, the others whose example input is the same tensor: the trace has one input for all of them. */
  oneExample: ReadonlyMap<string, readonly string[]>
  /** Nodes whose floats stage one already compares, because no shape affects them. */
  fixedFloats?: ReadonlySet<Node> | undefined
  /** Set for a pattern that SubgraphMatcher compares. */
  subgraph?: SubgraphRules | undefined
  /** Expected numbers of users if the pattern states them; by default, those in the pattern's graph. */
  users?: ReadonlyMap<Node, number | 'MULTIPLE'>
  indexOf(node: Node): number | null
  /** Number of `calls` in a node's computation, including the node. */
  sizeOf(node: Node): number
  /** The same, but counting a shared node once per path to it, as Similarity does. */
  weightOf(node: Node): number
}

/**
 * @param argNames names of the placeholders, in order; placeholders beyond the list keep their own names
 * @param toInitial maps an index in this graph to the index to report (for a re-traced graph)
 */
export function patternGraph(
  graph: Graph,
  argNames: readonly string[],
  options: {
    exclusive?: readonly string[]
    workaround?: ReadonlyMap<string, bigint | number | boolean> | null
    toInitial?: readonly (number | null)[] | null
    /** For each argument, the id of its example tensor. */
    exampleIds?: readonly (number | null)[] | undefined
    fixedFloats?: ReadonlySet<Node> | undefined
    subgraph?: SubgraphRules | undefined
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
    fixedFloats: options.fixedFloats,
    subgraph: options.subgraph,
    oneExample: sharedExamples(argNames, options.exampleIds ?? []),
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

/** The placeholders' argument names; a search function with list arguments has more placeholders than names. */
export function placeholderNames(graph: Graph, argNames: readonly string[]): readonly string[] {
  const placeholders = [...graph.nodes()].filter((n) => n.op === 'placeholder')
  return placeholders.length === argNames.length ? argNames : placeholders.map((n) => n.target)
}

function sharedExamples(names: readonly string[], ids: readonly (number | null)[]): Map<string, string[]> {
  // An argument with several tensors has several ids, so ids do not correspond to names.
  if (ids.length !== names.length) return new Map()
  const others = (i: number): string[] => names.filter((_, k) => k !== i && ids[k] !== null && ids[k] === ids[i])
  return new Map(names.map((name, i) => [name, others(i)]))
}

/** The node and its transitive inputs, nearest first, at most `most` nodes. */
export function coneOf(node: Node, most = 4000): Node[] {
  const seen = new Set([node])
  for (const n of seen) {
    if (seen.size >= most) break
    for (const input of n.inputs()) seen.add(input)
  }
  return [...seen]
}
