/** The forms of a pattern for a selection, in order of preference. */
import { isOverload, type Node } from '../../fx'
import { hasUnsupportedType, type SchemaLookup } from '../../matcher'
import { isPacked } from './operator_code'
import { hasSubgraph } from './selection'
import type { PatternForm, SelectedNodes } from './types'

/**
 * `traced`: register_replacement traces the search function; `expression`: register_replacement with search_fn_pattern;
 * `graph`: register_graph_pattern with a handler that edits the graph.
 */
export interface Form {
  kind: 'traced' | 'expression' | 'graph'
  /** In the order in which the matcher looks for them. */
  outputs: readonly Node[]
  /** Two inputs are never one value: the matcher then tells calls apart that differ in their inputs only. */
  exclusive: boolean
  /** In a trace, aten.view becomes aten.reshape. */
  reshape: boolean
}

const MAX_ORDERS = 4

export function* formsOf(
  selection: SelectedNodes,
  schemaOf: SchemaLookup,
  { shaped, only }: { shaped: boolean; only?: PatternForm },
): Generator<Form> {
  const orders = outputOrders(selection, schemaOf)
  const reshape = selection.nodes.some((n) => n.target === 'aten.reshape.default')
  const kinds: Form['kind'][] = []
  if (only !== 'expression' && shaped && isTraceable(selection, schemaOf)) kinds.push('traced')
  if (only !== 'traced' && shaped && isReplaceable(selection, schemaOf)) kinds.push('expression')
  if (only !== 'traced') kinds.push('graph')
  const exclusiveMatters = selection.inputs.length > 1 && selection.outputs.length > 1
  for (const kind of kinds)
    for (const outputs of orders) {
      yield { kind, outputs, reshape, exclusive: false }
      if (exclusiveMatters) yield { kind, outputs, reshape, exclusive: true }
    }
}

/** Search functions take and return tensors, and call functions. */
const isTraceable = (selection: SelectedNodes, schemaOf: SchemaLookup): boolean =>
  !hasSubgraph(selection) &&
  selection.nodes.every((n) => n.op === 'call_function' && isTracedTarget(n.target)) &&
  selection.outputs.every((o) => isTensorNode(o, schemaOf)) &&
  selection.inputs.some(({ node }) => node.meta.val?.kind === 'tensor')

/** Tracing yields operators, never Python functions. */
const isTracedTarget = (target: string): boolean =>
  isOverload(target) || target === 'operator.getitem' || target.startsWith('higher_order.auto_functionalized')

const isReplaceable = (selection: SelectedNodes, schemaOf: SchemaLookup): boolean =>
  !hasSubgraph(selection) &&
  selection.outputs.every((o) => isTensorNode(o, schemaOf)) &&
  selection.inputs.length > 0 &&
  selection.inputs.every(({ node }) => node.meta.val?.kind === 'tensor')

const isTensorNode = (node: Node, schemaOf: SchemaLookup): boolean =>
  node.meta.val ? node.meta.val.kind === 'tensor' : !isPacked(node, schemaOf)

/** The matcher starts at the first output: in graph order first, then with each other output first. */
function outputOrders({ outputs, nodes }: SelectedNodes, schemaOf: SchemaLookup): readonly (readonly Node[])[] {
  const starts = outputs.filter((o) => !hasUnsupportedType(o, schemaOf))
  const tried = starts.length > MAX_ORDERS ? [...starts.slice(0, MAX_ORDERS - 1), starts.at(-1)!] : starts
  const inside = new Set(nodes)
  const cones = new Map(outputs.map((o) => [o, coneOf(o, inside)]))
  return tried.map((first) => anchoredOrder(first, outputs, cones))
}

/** The nodes that an output is computed from, and the inputs of the selection among them. */
function coneOf(output: Node, inside: ReadonlySet<Node>): ReadonlySet<Node> {
  const cone = new Set<Node>([output])
  const stack = [output]
  while (stack.length > 0)
    for (const input of stack.pop()!.inputs()) {
      if (cone.has(input)) continue
      cone.add(input)
      if (inside.has(input)) stack.push(input)
    }
  return cone
}

/** Each further output shares a node with those before it: the matcher finds it through that node. */
function anchoredOrder(first: Node, outputs: readonly Node[], cones: ReadonlyMap<Node, ReadonlySet<Node>>): Node[] {
  const order = [first]
  const bound = new Set(cones.get(first))
  let rest = outputs.filter((o) => o !== first)
  while (rest.length > 0) {
    const next = rest.find((o) => [...cones.get(o)!].some((n) => bound.has(n))) ?? rest[0]!
    order.push(next)
    for (const n of cones.get(next)!) bound.add(n)
    rest = rest.filter((o) => o !== next)
  }
  return order
}
