/** Finds the inputs and outputs of selected nodes. */
import { graphOf, mapArg, Node, visitNodes, type Arg, type Graph, isKind } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import { InputNames } from './input_names'
import type { SelectedNodes } from './types'

/** @param nodes of `graph`, each once */
export function selectionOf(graph: Graph, nodes: ReadonlySet<Node>, schemaOf: SchemaLookup): SelectedNodes {
  const ordered = [...graph.nodes()].filter((n) => nodes.has(n))
  const names = new InputNames(schemaOf)
  const inputs = new Map<Node, string>()
  for (const node of ordered) {
    for (const { path, arg } of argumentsOf(node))
      visitNodes(arg, (input) => {
        if (!nodes.has(input) && !inputs.has(input) && !isSubgraph(input)) inputs.set(input, names.take(node, path))
      })
  }
  const escapes = (n: Node): boolean => n.users.size === 0 || [...n.users].some((u) => !nodes.has(u))
  const feeding = new Set(feedersOf(nodes, inputs.keys(), ordered[0]).keys())
  // Inputs of a kept node stay too: otherwise it would read the replacement.
  for (const n of feeding) for (const input of n.inputs()) if (nodes.has(input)) feeding.add(input)
  const kept = ordered.filter((n) => feeding.has(n) && escapes(n) && [...n.users].some((u) => nodes.has(u)))
  return {
    nodes: ordered,
    inputs: [...inputs].map(([node, name]) => ({ node, name })),
    outputs: ordered.filter((n) => escapes(n) && !kept.includes(n)),
    kept,
  }
}

/** Each selected node from which a path of other nodes leads to an input, with one such input. */
export function feedersOf(
  nodes: ReadonlySet<Node>,
  inputs: Iterable<Node>,
  first: Node | undefined,
): ReadonlyMap<Node, Node> {
  const feeders = new Map<Node, Node>()
  const seen = new Set<Node>()
  for (const input of inputs) {
    const stack = [input]
    while (stack.length > 0)
      for (const n of stack.pop()!.inputs()) {
        if (nodes.has(n)) {
          if (!feeders.has(n)) feeders.set(n, input)
        } else if (!seen.has(n) && first?.isBefore(n)) {
          seen.add(n)
          stack.push(n)
        }
      }
  }
  return feeders
}

/** The body of a higher-order operator: no operator can take one as an argument, and PyTorch compares it by identity. */
export const isSubgraph = (n: Node): boolean =>
  n.op === 'get_attr' &&
  (graphOf(n).subgraphs.has(n.target) ||
    (!n.meta.val && n.users.size > 0 && [...n.users].every((u) => u.target.startsWith('higher_order.'))))

/** True for calls that the file only names and never makes. */
export const isUncalled = ({ nodes, uncalled }: SelectedNodes): boolean =>
  uncalled !== undefined || nodes.some((n) => n.inputs().some(isSubgraph))

/** A node's arguments by position or keyword. */
export const argumentsOf = (node: Node): { path: number | string; arg: Arg }[] => [
  ...node.args.map((arg, path) => ({ path, arg })),
  ...[...node.kwargs].map(([path, arg]) => ({ path, arg })),
]

/** Every constant inside a node's arguments, with the argument that holds it. */
export function leavesOf(node: Node): { path: number | string; value: Arg }[] {
  const found: { path: number | string; value: Arg }[] = []
  for (const { path, arg } of argumentsOf(node))
    leaves(arg, (value) => {
      found.push({ path, value })
    })
  return found
}

function leaves(arg: Arg, fn: (value: Arg) => void): void {
  if (arg instanceof Node) return
  if (Array.isArray(arg)) for (const a of arg as readonly Arg[]) leaves(a, fn)
  else if (isKind(arg, 'tuple')) for (const a of arg.items) leaves(a, fn)
  else if (isKind(arg, 'dict')) for (const a of arg.entries.values()) leaves(a, fn)
  else if (isKind(arg, 'slice')) for (const a of [arg.start, arg.stop, arg.step]) leaves(a, fn)
  else fn(arg)
}

/** True if a node is inside an argument. */
export function holdsNode(arg: Arg): boolean {
  let found = false
  mapArg(arg, (n) => {
    found = true
    return n
  })
  return found
}
