/** One call of an operator as a graph to trace, and what it traces to in its place. */
import { formatArg, Graph, mapArg, Node, type Arg, type TensorMeta } from '../../fx'
import { isNodeRef, mapLeaves } from '../../gpu/lower/lower_inputs'
import type { RunBody, RunNode, RunValue } from '../../gpu/types'
import type { SchemaFacts } from '../../trace/types'

/** Converts nodes and arguments for a run. */
export interface RunNodes {
  node(node: Node): RunNode
  value(arg: Arg): RunValue
  meta(node: Node): TensorMeta | null
}

/** One call of an operator as a graph to trace. */
export interface TracedCall {
  graph: Graph
  /** Equal for calls with equal constants and equal types of arguments. */
  key: string
  /** By placeholder: the argument, and the name of its copy if a functionalized call writes to it. */
  inputs: { arg: Node; copy: string | null }[]
  /** Names of the copies that a functionalized call returns after the operator's results; null for a plain call. */
  after: (string | null)[] | null
}

/**
 * @param target what is called: the node's target, or the operator that it wraps
 * @param schema of a wrapped operator
 * @param valueOf the value of an argument: a node with a type, or a literal; default: the argument itself
 */
export function callOf(
  node: Node,
  target: string,
  schema: SchemaFacts | null,
  valueOf: (arg: Node) => Arg = (arg) => arg,
): TracedCall | { untraced: string } {
  const plain: Unwrapped = { args: node.args, kwargs: node.kwargs, copies: new Map(), after: null }
  const unwrapped = target === node.target ? plain : unwrap(node, schema)
  if ('untraced' in unwrapped) return unwrapped
  const graph = new Graph()
  const inputs: TracedCall['inputs'] = []
  const known = new Map<Node | string, Node>()
  const placeholder = (arg: Node, copy: string | null): Arg => {
    const value = valueOf(arg)
    if (!(value instanceof Node)) return value
    let made = known.get(copy ?? arg)
    if (!made) {
      made = graph.createNode('placeholder', `arg${inputs.length}`)
      if (value.meta.val) made.meta.val = value.meta.val
      inputs.push({ arg, copy })
      known.set(copy ?? arg, made)
    }
    return made
  }
  const { args, kwargs, copies, after } = unwrapped
  const given = args.map((v) => mapArg(v, (n) => placeholder(n, null)))
  const named = [...kwargs].map(
    ([name, v]) => [name, mapArg(v, (n) => placeholder(n, copies.get(name) ?? null))] as const,
  )
  const op = target === node.target ? node.op : 'call_function'
  const call = graph.createNode(op, target, given, new Map(named))
  graph.createNode('output', 'output', [call])
  return { graph, key: keyOf(graph, call), inputs, after }
}

/** The call that auto_functionalized makes. */
interface Unwrapped extends Pick<Node, 'args' | 'kwargs'> {
  /** By argument that the operator writes: the name of its copy. */
  copies: ReadonlyMap<string, string>
  after: (string | null)[] | null
}

/** auto_functionalized copies what the operator writes, and auto_functionalized_v2 copies the bases of that. */
function unwrap(node: Node, schema: SchemaFacts | null): Unwrapped | { untraced: string } {
  const copies = new Map<string, string>()
  if (node.target !== 'higher_order.auto_functionalized_v2') {
    for (const { name } of schema?.args.filter((a) => a.written) ?? [])
      if (node.kwargs.get(name) instanceof Node) copies.set(name, `${node.name}/${name}`)
    const after = schema?.args.flatMap((a) => (a.written ? [copies.get(a.name) ?? null] : [])) ?? []
    return { args: [], kwargs: node.kwargs, copies, after }
  }
  const bases = node.kwargs.get('_all_bases')
  const kwargs = new Map<string, Arg>()
  if (!Array.isArray(bases)) return { untraced: `${node.name} has no list of bases` }
  for (const [key, value] of node.kwargs) {
    const [, name] = /^_(.+)_base_index$/.exec(key) ?? []
    if (name === undefined) {
      if (!key.startsWith('_')) kwargs.set(key, value)
      continue
    }
    if (node.kwargs.has(`_${name}_size`) || node.kwargs.has(`_${name}_slice_dim`))
      return { untraced: `${node.name} writes to a view of its base \`${name}\`` }
    kwargs.set(name, value === null ? null : (bases as readonly Arg[])[Number(value)]!)
    if (value !== null) copies.set(name, `${node.name}/base_${Number(value)}`)
  }
  const written = new Set(copies.values())
  const after = (bases as readonly Arg[])
    .map((_, i) => `${node.name}/base_${i}`)
    .map((c) => (written.has(c) ? c : null))
  return { args: [], kwargs, copies, after }
}

function keyOf(graph: Graph, { args, kwargs }: Node): string {
  const types = [...graph.nodes()].map((n) => (n.op === 'placeholder' ? (n.meta.val ?? null) : null))
  return JSON.stringify(
    [types, args.map((v) => formatArg(v)), [...kwargs].map(([k, v]) => [k, formatArg(v)])],
    (_, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v instanceof Map ? [...(v as Map<unknown, unknown>)] : v),
  )
}

/** The traced body with the caller's values in place of its placeholders. */
export function inlined(node: Node, { inputs, after }: TracedCall, traced: Graph, run: RunNodes): { body: RunBody } {
  const values = new Map<string, RunValue>()
  const nodes: RunNode[] = []
  const placeholders = [...traced.nodes()].filter((n) => n.op === 'placeholder')
  for (const [i, { arg, copy }] of inputs.entries()) {
    const value = run.value(arg)
    values.set(placeholders[i]!.name, copy === null ? value : { node: copy })
    if (copy !== null && !nodes.some((n) => n.name === copy))
      nodes.push({ name: copy, target: 'aten.clone.default', args: [value], kwargs: {}, meta: run.meta(arg) })
  }
  const outer = (v: RunValue): RunValue =>
    mapLeaves(v, (leaf) => (isNodeRef(leaf) ? (values.get(leaf.node) ?? { node: `${node.name}/${leaf.node}` }) : leaf))
  for (const n of traced.nodes()) {
    if (n.op !== 'call_function') continue
    const { args, kwargs, ...rest } = run.node(n)
    const named = Object.entries(kwargs).map(([k, v]) => [k, outer(v)] as const)
    nodes.push({ ...rest, name: `${node.name}/${n.name}`, args: args.map(outer), kwargs: Object.fromEntries(named) })
  }
  const result = outer(run.value(traced.output()?.args[0] ?? null))
  if (after === null) return { body: { nodes, result } }
  const results = typeof result === 'object' && result !== null && 'list' in result ? result.list : [result]
  return {
    body: { nodes, result: { list: [...results, ...after.map((copy) => (copy === null ? null : { node: copy }))] } },
  }
}
