/**
 * Graphs in Python's hands: the shown one while an extra_check or a handler runs, and those that fwd_only traced for a
 * trace function. Nodes go by name, with the graph's number before it in a traced one; edits are Graph's own.
 */
import {
  eliminateDeadCode,
  graphOf,
  isImpure,
  Node,
  printGraph,
  type Arg,
  type Graph,
  type TensorMeta,
  type Val,
} from '../fx'
import type { MatchEdit, MatchView } from '../matcher/host'
import type { CapturedTuple } from '../matcher/match'
import type { MatchContext } from '../matcher/match_context'
import { valueOfNode } from '../matcher/node_value'
import { isFake } from '../ops/fake'
import { TorchError, type DispatchArg, type FakeTensor } from '../trace/types'
import { encode, encodeVal, type Json } from './wire'

export interface GraphCallsOptions {
  /** Whether an operator writes to an argument by its schema; undefined where nobody declared it. */
  isMutable(target: string): boolean | undefined
  /** Values of Python's, in which a graph node may stand. */
  decode(data: Json): DispatchArg
  contextNumber(ctx: MatchContext): number
  /** What may be done with a match that Python found itself. */
  editOf(match: number, graph: Graph): MatchEdit
  /** A fake tensor for node.meta["val"]. */
  fake(meta: TensorMeta): FakeTensor
}

type Point = [side: 'before' | 'after', node: string | null] | null

export class GraphCalls {
  private nodes = new Map<string, Node>()
  private graph: Graph | null = null
  private edit: MatchEdit | null = null
  /** A pass has the graph, and not only a match in it. */
  private whole = false
  private readonly traced = new Map<number, Graph>()
  private readonly numbers = new Map<Graph, number>()
  private next = 0
  private storages: { order: string; values: ReadonlyMap<Node, DispatchArg> } | null = null

  constructor(private readonly options: GraphCallsOptions) {}

  /** Makes `match` what the next calls are about, and describes it. */
  open(match: MatchView, edit: MatchEdit | null = null): Json {
    this.nodes.clear()
    this.edit = edit
    this.graph = edit?.graph ?? (match.nodes[0] ? graphOf(match.nodes[0]) : null)
    return {
      nodes: match.nodes.map((n) => this.remember(n)),
      outputs: match.outputs.map((n) => n && this.remember(n)),
      args: match.args.map((a) => this.captured(a)),
      kwargs: [...match.kwargs].map(([k, v]) => [k, this.captured(v)]),
      ctx: this.options.contextNumber(match.ctx),
    }
  }

  /** What a match is opened for while a pass has the whole graph: afterwards the pass has it again. */
  aside<T>(body: () => T): T {
    if (!this.whole) return body()
    const { nodes, graph } = this
    this.nodes = new Map()
    this.whole = false
    try {
      return body()
    } finally {
      this.close()
      this.nodes = nodes
      this.graph = graph
      this.whole = true
    }
  }

  /** Makes a graph what the calls of `body` are about. */
  within<T>(graph: Graph | null, body: () => T): T {
    const before = { nodes: this.nodes, graph: this.graph }
    if (graph !== this.graph) Object.assign(this, { nodes: new Map(), graph })
    try {
      return body()
    } finally {
      Object.assign(this, before)
    }
  }

  /** Makes a whole graph what the next calls are about: a pass may edit it. */
  openGraph(graph: Graph): void {
    this.close()
    this.graph = graph
    this.whole = true
  }

  /** Hands a traced graph to Python. */
  adopt(graph: Graph): number {
    this.traced.set(this.next, graph)
    this.numbers.set(graph, this.next)
    return this.next++
  }

  /** Takes it back, as it was edited. */
  release(number: number): Graph {
    const graph = this.current(number)
    this.traced.delete(number)
    this.numbers.delete(graph)
    for (const [key, node] of this.nodes) if (node.graph === graph) this.nodes.delete(key)
    return graph
  }

  /** The graph of this number; null: the one that a pass was called with. */
  held(number: number | null): Graph {
    if (number === null && !this.whole)
      throw new TorchError('NotImplementedError', 'Fusescope applies passes to the shown graph itself')
    return this.current(number)
  }

  /** A new run begins. */
  forget(): void {
    this.close()
    this.traced.clear()
    this.numbers.clear()
  }

  close(): void {
    this.edit = null
    this.whole = false
    this.graph = null
    this.nodes.clear()
  }

  node(name: string): Node {
    const cut = name.indexOf('/')
    const graph = cut < 0 ? this.graph : this.traced.get(Number(name.slice(0, cut)))
    const found = this.nodes.get(name) ?? graph?.find(name.slice(cut + 1))
    if (!found) throw new TorchError('RuntimeError', `node ${name} belongs to a graph that is no longer at hand`)
    return found
  }

  /** The storage of a node's value: its graph is run over fake tensors, once for each state of the graph. */
  storageOf(name: string, values: (graph: Graph) => ReadonlyMap<Node, DispatchArg>): number | null {
    const node = this.node(name)
    const graph = graphOf(node)
    const order = [...graph.nodes()].map((n) => n.name).join()
    if (this.storages?.order !== order) this.storages = { order, values: values(graph) }
    const value = this.storages.values.get(node)
    return value !== undefined && isFake(value) ? value.storage : null
  }

  /** Undefined: not a call of this kind. */
  answer(kind: string, payload: Json[]): Json | undefined {
    const [name, second] = payload as [string, Json]
    switch (kind) {
      case 'node':
        return this.describe(this.node(name))
      case 'node_impure':
        return this.isImpure(this.node(name))
      case 'node_before':
        return this.node(name).isBefore(this.node(second as string))
      case 'graph_ahead': {
        const [number, from, backwards, limit] = payload as [number | null, string | null, boolean, number]
        return ahead(from === null ? this.current(number) : this.node(from), backwards, limit).map((n) => [
          this.remember(n),
          this.describe(n),
        ])
      }
      case 'graph_size':
        return this.current(payload[0] as number | null).size
      case 'graph_text':
        return printGraph(this.current(payload[0] as number | null))
      case 'graph_dead_code': {
        if (payload[0] === null && !this.whole) this.editing()
        const graph = this.current(payload[0] as number | null)
        const before = graph.size
        const done = eliminateDeadCode(graph, (n) => this.isImpure(n))
        if (!done.ok) throw new TorchError('RuntimeError', done.error)
        return graph.size < before
      }
      case 'node_target':
        this.node(name).target = second as string
        return null
      case 'node_args':
        this.node(name).setArgs(...this.argsOf(second, payload[2]!))
        return null
      case 'node_val':
        this.node(name).meta.val = valOf(this.options.decode(second)) ?? undefined
        return null
      case 'node_custom':
        this.node(name).meta.custom = plain(this.options.decode(second)) as Record<string, unknown>
        return null
      case 'node_replace':
        return this.replaceUses(this.node(name), this.valueOf(second)).map((n) => this.remember(n))
      case 'node_input':
        this.node(name).replaceInput(this.node(second as string), this.valueOf(payload[2]!))
        return null
      case 'node_move':
        graphOf(this.node(name)).move(this.node(name), second === null ? null : this.node(second as string))
        return null
      case 'node_erase':
        this.erase(this.node(name))
        return null
      case 'node_create':
        return this.create(payload)
      case 'match_erase':
        this.editing(payload[0]).eraseNodes()
        return null
      case 'match_replace':
        return this.editing(payload[4])
          .replaceByExample(payload[0] as number, second as string[], this.valuesOf(payload[2]!))
          .map((n) => this.remember(n))
      case 'match_replace_graph':
        return this.editing(payload[2])
          .replaceWithGraph(this.current(payload[0] as number), this.valuesOf(second))
          .map((n) => this.remember(n))
      default:
        return undefined
    }
  }

  private isImpure(node: Node): boolean {
    return isImpure(node, { isMutable: this.options.isMutable })
  }

  /** Node.replace_all_uses_with, which takes constants and lists too. */
  private replaceUses(node: Node, value: Arg): Node[] {
    const changed = [...node.users]
    for (const user of changed) user.replaceInput(node, value)
    return changed
  }

  private describe(node: Node): Json {
    const ref = (n: Node): Json => ({ node: this.remember(n) })
    const beside = (n: Node): Json => (isRoot(n) ? null : this.remember(n))
    return {
      name: node.name,
      op: node.op,
      target: node.op === 'call_function' ? { fn: node.target } : node.target,
      args: node.args.map((a) => encode(a, ref)),
      kwargs: [...node.kwargs].map(([k, v]) => [k, encode(v, ref)]),
      users: [...node.users].map((n) => this.remember(n)),
      inputs: node.inputs().map((n) => this.remember(n)),
      next: beside(node.next),
      prev: beside(node.prev),
      erased: node.erased,
      valKey: isOfDynamo(graphOf(node)) ? 'example_value' : 'val',
      val: encodeVal(valueOfNode(node), (meta) => this.options.fake(meta)),
      custom: node.meta.custom ? toDict(node.meta.custom) : null,
      additional: node.meta.additional ? toDict(node.meta.additional) : null,
    }
  }

  private create([op, target, args, kwargs, name, point, number]: Json[]): Json {
    const graph = this.current(number as number | null)
    const [as, ks] = this.argsOf(args!, kwargs!)
    const make = (): Node => graph.createNode(op as Node['op'], target as string, as, ks, (name as string) ?? undefined)
    const at = point as Point
    if (!at) return this.remember(make())
    const [side, beside] = at
    if (beside === null) return this.remember(graph.insertingBefore(side === 'before' ? graph.first : null, make))
    return this.remember(
      side === 'before'
        ? graph.insertingBefore(this.node(beside), make)
        : graph.insertingAfter(this.node(beside), make),
    )
  }

  private erase(node: Node): void {
    if (node.users.size > 0)
      throw new TorchError(
        'RuntimeError',
        `Tried to erase Node ${node.name} but it still had ${node.users.size} users in the graph: ` +
          `{${[...node.users].map((u) => `${u.name}: None`).join(', ')}}!`,
      )
    graphOf(node).eraseNode(node)
  }

  private argsOf(args: Json, kwargs: Json): [Arg[], Map<string, Arg>] {
    return [this.valuesOf(args), new Map((kwargs as [string, Json][]).map(([k, v]) => [k, this.valueOf(v)]))]
  }

  private valuesOf(data: Json): Arg[] {
    return (data as Json[]).map((d) => this.valueOf(d))
  }

  private valueOf(data: Json): Arg {
    return withoutTensors(this.options.decode(data))
  }

  /** The graph of this number; null: the shown one. */
  graphOf(number: number | null): Graph {
    return this.current(number)
  }

  encode(value: Arg): Json {
    return encode(value, (n) => ({ node: this.remember(n) }))
  }

  captured(value: unknown): Json {
    if (value !== null && typeof value === 'object' && 'kind' in value && value.kind === 'captured')
      return this.capturedItems(value as CapturedTuple)
    return this.encode(value as Arg)
  }

  private capturedItems({ items, keys }: CapturedTuple): Json {
    const shown = items.map((v) => this.captured(v))
    return keys ? { d: keys.map((k, i) => [k, shown[i]!]) } : { t: shown }
  }

  private remember(node: Node): string {
    const number = this.numbers.get(graphOf(node))
    const key = number === undefined ? node.name : `${number}/${node.name}`
    this.nodes.set(key, node)
    return key
  }

  private current(number: number | null = null): Graph {
    const traced = number === null ? undefined : this.traced.get(number)
    if (traced) return traced
    if (number !== null) throw new TorchError('RuntimeError', 'this graph was handed over: it can no longer be used')
    if (!this.graph) throw new TorchError('RuntimeError', 'the match is over: its graph can no longer be used')
    return this.graph
  }

  /** @param match the number of a match that Python found itself */
  private editing(match: Json | undefined = null): MatchEdit {
    if (match !== null) return this.options.editOf(match as number, this.current())
    if (!this.edit) throw new TorchError('RuntimeError', 'an extra_check cannot edit the graph; only a handler can')
    return this.edit
  }
}

/** Up to `limit` nodes of a graph, or after a node (before it); an erased node still knows what was beside it. */
function ahead(from: Graph | Node, backwards: boolean, limit: number): Node[] {
  const found: Node[] = []
  const step = (n: Node): Node => (backwards ? n.prev : n.next)
  const start = from instanceof Node ? step(from) : backwards ? from.last : from.first
  for (let n = start; n && !isRoot(n) && found.length < limit; n = step(n)) if (!n.erased) found.push(n)
  return found
}

/** Before the first node and after the last one. */
function isRoot(node: Node): boolean {
  return node.op === 'output' && node.target === 'root'
}

/** What a node's arguments may hold: nodes and constants. */
function withoutTensors(value: DispatchArg): Arg {
  if (Array.isArray(value)) (value as readonly DispatchArg[]).forEach(withoutTensors)
  else if (value !== null && typeof value === 'object' && 'kind' in value) {
    if (value.kind === 'fake')
      throw new TorchError('NotImplementedError', 'Fusescope puts no tensor into a graph: give nodes and constants')
    if (value.kind === 'tuple') (value.items as readonly DispatchArg[]).forEach(withoutTensors)
  }
  return value as Arg
}

/** A graph as Dynamo made it, before any pass: values are under another name there. */
function isOfDynamo(graph: Graph): boolean {
  for (const node of graph.nodes()) return node.op === 'placeholder' && /^L_\w+_$/.test(node.target)
  return false
}

/** Metadata of a fake tensor, or of several. */
export function valOf(arg: DispatchArg): Val | null {
  if (Array.isArray(arg)) return { kind: 'vals', items: (arg as readonly DispatchArg[]).map(valOf), list: true }
  if (typeof arg === 'object' && arg !== null && 'kind' in arg) {
    if (arg.kind === 'fake') return arg.meta
    if (arg.kind === 'tuple') return { kind: 'vals', items: (arg.items as readonly DispatchArg[]).map(valOf) }
    if (arg.kind === 'sym') return { kind: 'scalar', value: arg }
    return null
  }
  return typeof arg === 'string' ? null : { kind: 'scalar', value: arg as bigint | number | boolean | null }
}

/** Plain JSON data (node.meta["custom"]) as a Python dict. */
function toDict(value: unknown): Json {
  if (Array.isArray(value)) return value.map(toDict)
  if (typeof value === 'number' && !Number.isInteger(value)) return { f: value }
  if (value !== null && typeof value === 'object') return { d: Object.entries(value).map(([k, v]) => [k, toDict(v)]) }
  return (value ?? null) as Json
}

function plain(arg: DispatchArg): unknown {
  if (typeof arg === 'bigint') return Number(arg)
  if (Array.isArray(arg)) return (arg as readonly DispatchArg[]).map(plain)
  if (typeof arg === 'object' && arg !== null && 'kind' in arg && arg.kind === 'dict')
    return Object.fromEntries([...(arg.entries as ReadonlyMap<string, DispatchArg>)].map(([k, v]) => [k, plain(v)]))
  return arg
}
