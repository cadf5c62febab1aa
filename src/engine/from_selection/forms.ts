/** The forms of a pattern for a selection, in order of preference. */
import { isOverload, type Node } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import { isPacked } from './operator_code'
import { outputOrders } from './output_orders'
import { isUncalled } from './selection'
import type { PatternForm, SelectedNodes } from './types'

/**
 * `traced`: register_replacement traces the search function; `expression`: register_replacement with search_fn_pattern;
 * `graph`: register_graph_pattern with a handler that edits the graph.
 */
export interface Form {
  kind: 'traced' | 'expression' | 'graph'
  /** In the order in which the matcher looks for them. */
  outputs: readonly Node[]
  /** True if two inputs never have the same value: the matcher then distinguishes calls that differ only in their inputs. */
  exclusive: boolean
  /** True if no other node fits in place of a selected one. */
  unique: boolean
  /** In a trace, aten.view becomes aten.reshape. */
  reshape: boolean
}

export function* formsOf(
  selection: SelectedNodes,
  schemaOf: SchemaLookup,
  { shaped, only }: { shaped: boolean; only?: PatternForm },
): Generator<Form> {
  const reshape = selection.nodes.some((n) => n.target === 'aten.reshape.default')
  const kinds: Form['kind'][] = []
  if (only !== 'expression' && shaped && isTraceable(selection, schemaOf)) kinds.push('traced')
  if (only !== 'traced' && shaped && isReplaceable(selection, schemaOf)) kinds.push('expression')
  if (only !== 'traced') kinds.push('graph')
  const several = selection.outputs.length > 1
  const choices = several && selection.inputs.length > 1 ? [false, true] : [false]
  const searches = (several ? [true, false] : [true]).flatMap((unique) =>
    choices.map((exclusive) => ({ unique, exclusive })),
  )
  for (const { unique, exclusive } of searches)
    for (const kind of kinds) {
      const orders = outputOrders(selection, schemaOf, { unique, exclusive, loose: kind === 'traced' })
      for (const outputs of firstOf(MAX_ORDERS, orders)) yield { kind, outputs, reshape, exclusive, unique }
    }
}

/** Forms of one kind that match the selection differ in their other matches: the first output decides. */
const MAX_ORDERS = 3

function* firstOf<T>(count: number, items: Iterable<T>): Generator<T> {
  let left = count
  for (const item of items) {
    yield item
    if (--left === 0) return
  }
}

/** Search functions take and return tensors, call functions, and return each value that other nodes read. */
const isTraceable = (selection: SelectedNodes, schemaOf: SchemaLookup): boolean =>
  selection.kept.length === 0 &&
  !isUncalled(selection) &&
  selection.nodes.every((n) => n.op === 'call_function' && isTracedTarget(n.target)) &&
  selection.outputs.every((o) => isTensorNode(o, schemaOf)) &&
  selection.inputs.some(({ node }) => node.meta.val?.kind === 'tensor')

/** Tracing yields operators, never Python functions. */
const isTracedTarget = (target: string): boolean =>
  isOverload(target) || target === 'operator.getitem' || target.startsWith('higher_order.auto_functionalized')

const isReplaceable = (selection: SelectedNodes, schemaOf: SchemaLookup): boolean =>
  !isUncalled(selection) &&
  selection.outputs.every((o) => isTensorNode(o, schemaOf)) &&
  selection.inputs.length > 0 &&
  selection.inputs.every(({ node }) => node.meta.val?.kind === 'tensor')

const isTensorNode = (node: Node, schemaOf: SchemaLookup): boolean =>
  node.meta.val ? node.meta.val.kind === 'tensor' : !isPacked(node, schemaOf)
