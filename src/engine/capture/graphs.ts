/** Builds Graphs, vals and patterns from a capture's JSON. */
import { fields, isFields, list, type Fields, type Json } from '../../base/json'
import {
  device as deviceOf,
  Graph,
  NODE_OPS,
  type Arg,
  type ConstantValues,
  type Dim,
  type Node,
  type SourceRef,
  type TensorMeta,
  type Val,
  isKind,
} from '../../fx'
import type { PatternData } from '../../matcher'
import { patternData, type Tagged } from '../../python/registration'
import { decode } from '../../python/wire'
import type { DispatchArg } from '../../trace/types'
import { usersOf, type CapturedGraph } from './records'

/** An object's own `toString` may not be a function. */
const textOf = (v: Json | undefined): string => (typeof v === 'string' ? v : JSON.stringify(v ?? null))

const noTensor = (): never => {
  throw new Error('a capture has no tensors as arguments')
}

/** Nodes by name. */
type Named = Pick<ReadonlyMap<string, Node>, 'get'>

/**
 * An argument.
 * @param nodes by name; an unknown name gives None, like a node that could not be read; JSON that is not a valid argument is kept
 * as text
 */
export function argOf(data: Json, nodes: Named): Arg {
  try {
    return decode(data, noTensor, (name) => (nodes.get(name) ?? null) as Node) as Arg
  } catch {
    return { kind: 'opaque', text: JSON.stringify(data).slice(0, 200) }
  }
}

/** Also used for the JSON of a trace or subgraph. */
export function buildGraph(
  data: Pick<CapturedGraph, 'nodes'> & { users?: CapturedGraph['users']; subgraphs?: Json },
): Graph {
  const graph = new Graph()
  const nodes = new Map<string, Node>()
  for (const n of data.nodes) addNode(graph, nodes, n)
  nameLaterNodes(data.nodes, nodes)
  for (const [name, users] of Object.entries(data.users ?? {})) orderUsers(nodes.get(name), users, nodes)
  for (const [name, child] of Object.entries(fields(data.subgraphs)))
    if (isFields(child)) graph.subgraphs.set(name, graphOfJson(child))
  // A capture does not contain the names that dead nodes took, and its own node names need no guess.
  graph.namespace.historyTaken = true
  return graph
}

/** Sets the arguments that name a later node, as in a graph that a handler left unsorted. @param known earlier nodes */
export function nameLaterNodes(
  records: readonly Fields[],
  nodes: ReadonlyMap<string, Node>,
  known: readonly string[] = [],
): void {
  const seen = new Set(known)
  for (const n of records) {
    let late = false
    const get = (name: string): Node | undefined => {
      late ||= !seen.has(name)
      return nodes.get(name)
    }
    const args = argsOf(n, { get })
    if (late) nodes.get(textOf(n.name))?.setArgs(...args)
    seen.add(textOf(n.name))
  }
}

/** The graph of a trace, an entry or a subgraph. */
export function graphOfJson(json: Fields): Graph {
  const nodes = list(json.nodes).filter(isFields)
  return buildGraph({ nodes, users: usersOf(json.users), subgraphs: json.subgraphs ?? null })
}

/** Creates the node of a record at the graph's insertion point. */
export function addNode(graph: Graph, nodes: Map<string, Node>, n: Fields): Node {
  const name = textOf(n.name)
  const op = NODE_OPS.find((known) => known === n.op) ?? 'call_function'
  const node = graph.createNamed(name, op, textOf(n.target), ...argsOf(n, nodes))
  nodes.set(name, node)
  const val = valOf(n.val)
  if (val) node.meta.val = val
  const source = sourceOf(n.at)
  if (source) node.meta.source = source
  if (isFields(n.custom)) node.meta.custom = n.custom
  if (isFields(n.meta)) node.meta.additional = n.meta
  const constant = constantOf(n.constant ?? null)
  if (constant !== null) node.meta.constant = constant
  return node
}

/** The arguments of a node's record. */
export const argsOf = (n: Fields, nodes: Named): [Arg[], Map<string, Arg>] => [
  list(n.args).map((a) => argOf(a, nodes)),
  new Map(Object.entries(fields(n.kwargs)).map(([k, v]) => [k, argOf(v, nodes)] as const)),
]

function orderUsers(node: Node | undefined, names: readonly string[], nodes: ReadonlyMap<string, Node>): void {
  if (!node) return
  const users = names.map((name) => nodes.get(name)).filter((u): u is Node => u !== undefined && node.users.has(u))
  if (users.length !== node.users.size) return
  node.users.clear()
  for (const u of users) node.users.add(u)
}

function sourceOf(at: Json | undefined): SourceRef | null {
  const [file, line, fn, code] = list(at)
  if (typeof file !== 'string' || typeof line !== 'number') return null
  return { file, line, ...(typeof fn === 'string' && { fn }), ...(typeof code === 'string' && { code }) }
}

/** A val: a tensor, a number, or several vals. */
export function valOf(data: Json | undefined): Val | null {
  if (!isFields(data)) return null
  if (typeof data.dtype === 'string') return tensorOf(data)
  if (Array.isArray(data.items)) {
    const items = data.items.map(valOf)
    const keys = Array.isArray(data.keys) ? data.keys.map(textOf) : null
    return { kind: 'vals', items, ...(data.list === true && { list: true }), ...(keys && { keys }) }
  }
  const value = argOf(data.value ?? null, new Map())
  const plain = value === null || ['bigint', 'number', 'boolean'].includes(typeof value)
  const isSym = isKind(value, 'sym')
  return plain || isSym ? { kind: 'scalar', value: value as Extract<Val, { kind: 'scalar' }>['value'] } : null
}

function tensorOf(data: Fields): TensorMeta {
  const dims = (v: Json | undefined): Dim[] => list(v).map((d) => (typeof d === 'number' ? d : textOf(d)))
  const [type, index] = textOf(data.device ?? 'cpu').split(':')
  const { offset } = data
  return {
    kind: 'tensor',
    dtype: textOf(data.dtype),
    shape: dims(data.shape),
    stride: Array.isArray(data.stride) ? dims(data.stride) : null,
    device: deviceOf(type!, index === undefined ? null : Number(index)),
    ...((typeof offset === 'number' || typeof offset === 'string') && { storageOffset: offset }),
    ...(data.grad === true && { requiresGrad: true }),
  }
}

/** The elements of a constant; null if the JSON is not a list of elements. */
function constantOf(data: Json): ConstantValues | null {
  if (Array.isArray(data)) {
    const items = data.map(constantOf)
    return items.includes(null) ? null : (items as ConstantValues[])
  }
  const value = argOf(data, new Map())
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' ? value : null
}

/** A PatternExpr of a capture. Its targets already contain the overloads of packets, so the registry must not add any. */
export function patternOf(data: Fields): PatternData {
  return patternData(withNames(data) as Tagged, (value): DispatchArg => {
    if (!isFields(value) || typeof value.dtype !== 'string') return decode(value, noTensor)
    return { kind: 'fake', id: 0, meta: tensorOf(value), storage: 0 }
  })
}

/** Renames the fields of user PatternExpr classes to those of PatternData. */
function withNames(data: Json): Json {
  if (Array.isArray(data)) return data.map(withNames)
  if (!isFields(data)) return data
  const out: { [key: string]: Json } = {}
  if (data.expr === 'User') out.match = 0 // CaptureHost.matchUser
  for (const [key, value] of Object.entries(data))
    out[key === 'class' && 'expr' in data ? 'className' : key] = withNames(value)
  return out
}
