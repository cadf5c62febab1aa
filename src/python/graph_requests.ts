/** Handles Python's calls on graphs and nodes: reads, edits and replacements by a handler. */
import type { TorchRules } from '../base/torch_version'
import {
  become,
  eliminateDeadCode,
  Graph,
  graphOf,
  Node,
  printForward,
  printGraph,
  printNode,
  printReadable,
  type Arg,
  type TensorMeta,
  type Val,
} from '../fx'
import type { SchemaLookup } from '../matcher'
import { isOfDynamo, valueOfNode } from '../matcher/node_value'
import { isImpure } from '../ops/purity'
import { TorchError, type DispatchArg, type FakeTensor } from '../trace/types'
import type { EditKind, EngineHandlers } from './calls/table'
import type { Point } from './calls/types'
import { plainJson, toDict, valOf, withoutTensors } from './node_values'
import type { OpenGraphs } from './open_graphs'
import { sourceRef } from './registration'
import { encode, encodeVal, type Json } from './wire'

export interface GraphRequestsOptions {
  graphs: OpenGraphs
  schemaOf: SchemaLookup
  rules(): TorchRules
  /** Decodes Python values that may contain graph nodes. */
  decode(data: Json): DispatchArg
  /** The value of a node, without unknown parts. */
  valOf(node: Node): Val | undefined
  /** A fake tensor for node.meta["val"]. */
  fake(meta: TensorMeta): FakeTensor
}

type Kinds =
  | EditKind
  | 'node'
  | 'node_text'
  | 'node_impure'
  | 'node_before'
  | 'node_rename'
  | 'node_type'
  | 'node_val'
  | 'node_custom'
  | 'graph_ahead'
  | 'graph_size'
  | 'graph_foreign'
  | 'graph_text'
  | 'graph_body'
  | 'graph_new'
  | 'graph_name'
  | 'graph_code'
  | 'graph_readable'
  | 'called_modules'
  | 'match_erase'
  | 'match_replace'
  | 'match_replace_graph'

export class GraphRequests {
  private readonly graphs: OpenGraphs

  constructor(private readonly options: GraphRequestsOptions) {
    this.graphs = options.graphs
  }

  /** The handlers of Python's calls on graphs and nodes. */
  get handlers(): Pick<EngineHandlers, Kinds> {
    return { ...this.reads, ...this.ofNodes, ...this.ofGraphs, ...this.ofMatches }
  }

  private readonly reads = {
    node: (key) => this.describe(this.graphs.node(key)),
    node_text: (key) => printNode(this.graphs.node(key)),
    node_impure: (key) => this.isImpure(this.graphs.node(key)),
    node_before: (key, other) => this.graphs.node(key).isBefore(this.graphs.node(other)),
    graph_body: (number, name) => {
      const body = this.graphs.current(number).subgraphs.get(name)
      return body ? this.graphs.adopt(body) : null
    },
    graph_ahead: (number, key, backwards, limit) =>
      ahead(key === null ? this.graphs.current(number) : this.graphs.node(key), backwards, limit).map((n) => [
        this.graphs.remember(n),
        this.describe(n),
      ]),
    graph_size: (number) => this.graphs.current(number).size,
    graph_foreign: (number) =>
      [...this.graphs.current(number).nodes()].flatMap((n) => {
        const foreign = n.inputs().find((i) => graphOf(i) !== graphOf(n))
        return foreign ? [[this.graphs.remember(n), foreign.name]] : []
      }),
    graph_text: (number) => printGraph(this.graphs.current(number)),
    graph_code: (number) => printForward(this.graphs.current(number)),
    graph_readable: (number, className, stride, device) =>
      printReadable(this.graphs.current(number), { className, stride, device }),
    called_modules: (number) =>
      [...this.graphs.current(number).nodes()].flatMap((n) =>
        n.op === 'call_module' ? [[n.target, n.meta.moduleClass ?? null]] : [],
      ),
  } satisfies Partial<EngineHandlers>

  private readonly ofNodes = {
    node_rename: (key, name, exact) => {
      const node = this.graphs.node(key)
      node.name = exact ? name : graphOf(node).namespace.createName(name)
      return node.name
    },
    node_type: (key, text) => void (this.graphs.node(key).type = text),
    node_val: (key, value) => void (this.graphs.node(key).meta.val = valOf(this.options.decode(value)) ?? undefined),
    node_custom: (key, value) => {
      this.graphs.node(key).meta.custom = plainJson(this.options.decode(value)) as Record<string, unknown>
    },
    node_target: (key, target) => void (this.graphs.node(key).target = target),
    node_args: (key, args, kwargs) => this.graphs.node(key).setArgs(...this.argsOf(args, kwargs)),
    node_replace: (key, value) => this.remembered(this.replaceUses(this.graphs.node(key), this.valueOf(value))),
    node_input: (key, old, is) => this.graphs.node(key).replaceInput(this.graphs.node(old), this.valueOf(is)),
    node_move: (key, after) => {
      const node = this.graphs.node(key)
      graphOf(node).move(node, after === null ? null : this.graphs.node(after))
    },
    node_erase: (key) => this.erase(this.graphs.node(key)),
    node_create: (...call) => {
      const [op, target, args, kwargs, name, point, number, type, place] = call
      const graph = this.graphs.current(number)
      const [as, ks] = this.argsOf(args, kwargs)
      return this.inserted(graph, point, () => {
        const node = graph.createNode(op as Node['op'], target, as, ks, name ?? undefined)
        node.type = type
        if (place) node.meta.source = sourceRef(place)
        return node
      })
    },
  } satisfies Partial<EngineHandlers>

  private readonly ofGraphs = {
    graph_new: () => this.graphs.adopt(new Graph()),
    graph_name: (number, candidate) => this.graphs.current(number).namespace.createName(candidate),
    graph_become: (number) => become(this.graphs.current(null), this.graphs.current(number)),
    graph_dead_code: (number) => this.eliminateDeadCode(number),
  } satisfies Partial<EngineHandlers>

  private readonly ofMatches = {
    match_erase: (match) => this.graphs.editing(...match).eraseNodes(),
    match_replace: (fn, names, args, _traceFn, match) =>
      this.remembered(this.graphs.editing(...match).replaceByExample(fn, names, this.valuesOf(args))),
    match_replace_graph: (number, args, match) =>
      this.remembered(this.graphs.editing(...match).replaceWithGraph(this.graphs.current(number), this.valuesOf(args))),
  } satisfies Partial<EngineHandlers>

  private remembered(nodes: readonly Node[]): string[] {
    return nodes.map((n) => this.graphs.remember(n))
  }

  /** True if the graph changed. */
  private eliminateDeadCode(number: number | null): boolean {
    if (number === null && !this.graphs.whole) this.graphs.editing()
    const graph = this.graphs.current(number)
    const before = graph.size
    const done = eliminateDeadCode(graph, (n) => this.isImpure(n))
    if (!done.ok) {
      const unordered = done.error.endsWith('topologically ordered')
      throw new TorchError('RuntimeError', unordered ? `${done.error}\n${printGraph(graph)}` : done.error)
    }
    return graph.size < before
  }

  private isImpure(node: Node): boolean {
    return isImpure(node, this.options.schemaOf, this.options.rules())
  }

  /** Node.replace_all_uses_with, which also accepts constants and lists. */
  private replaceUses(node: Node, value: Arg): Node[] {
    const changed = [...node.users]
    for (const user of changed) user.replaceInput(node, value)
    return changed
  }

  private describe(node: Node): Json {
    const ref = (n: Node): Json => ({ node: this.graphs.remember(n) })
    const beside = (n: Node): Json => (isRoot(n) ? null : this.graphs.remember(n))
    return {
      name: node.name,
      op: node.op,
      target: node.op === 'call_function' ? { fn: node.target } : node.target,
      args: node.args.map((a) => encode(a, ref)),
      kwargs: [...node.kwargs].map(([k, v]) => [k, encode(v, ref)]),
      users: [...node.users].map((n) => this.graphs.remember(n)),
      inputs: node.inputs().map((n) => this.graphs.remember(n)),
      next: beside(node.next),
      prev: beside(node.prev),
      erased: node.erased,
      type: node.type,
      valKey: isOfDynamo(node) ? 'example_value' : 'val',
      val: encodeVal(valueOfNode(node, this.options.valOf(node)), (meta) => this.options.fake(meta)),
      custom: node.meta.custom ? toDict(node.meta.custom) : null,
      additional: node.meta.additional ? toDict(node.meta.additional) : null,
      signature: node.meta.signature?.map((s) => [s.kind, s.target, s.persistent]) ?? null,
    }
  }

  /** The key of the node that `make` inserts. */
  private inserted(graph: Graph, point: Point, make: () => Node): string {
    if (!point) return this.graphs.remember(make())
    const [side, beside] = point
    const at = beside === null ? (side === 'before' ? graph.first : null) : this.graphs.node(beside)
    const isBefore = beside === null || side === 'before'
    return this.graphs.remember(isBefore ? graph.insertingBefore(at, make) : graph.insertingAfter(at!, make))
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

  private argsOf(args: readonly Json[], kwargs: readonly [string, Json][]): [Arg[], Map<string, Arg>] {
    return [this.valuesOf(args), new Map(kwargs.map(([k, v]) => [k, this.valueOf(v)]))]
  }

  private valuesOf(data: readonly Json[]): Arg[] {
    return data.map((d) => this.valueOf(d))
  }

  private valueOf(data: Json): Arg {
    return withoutTensors(this.options.decode(data))
  }
}

/** Up to `limit` nodes of a graph, from its start or after (before) a node; an erased node keeps its neighbors. */
function ahead(from: Graph | Node, backwards: boolean, limit: number): Node[] {
  const found: Node[] = []
  const step = (n: Node): Node => (backwards ? n.prev : n.next)
  const start = from instanceof Node ? step(from) : backwards ? from.last : from.first
  for (let n = start; n && !isRoot(n) && found.length < limit; n = step(n)) if (!n.erased) found.push(n)
  return found
}

/** The sentinel before the first node and after the last one. */
function isRoot(node: Node): boolean {
  return node.op === 'output' && node.target === 'root'
}
