/** Handles Python's calls on graphs and nodes: reads, edits and replacements by a handler. */
import {
  become,
  eliminateDeadCode,
  Graph,
  graphOf,
  isImpure,
  Node,
  printForward,
  printGraph,
  printNode,
  printReadable,
  type Arg,
  type TensorMeta,
} from '../fx'
import { valueOfNode } from '../matcher/node_value'
import { TorchError, type DispatchArg, type FakeTensor } from '../trace/types'
import { plainJson, toDict, valOf, withoutTensors } from './node_values'
import type { OpenGraphs } from './open_graphs'
import { encode, encodeVal, type Json } from './wire'

export interface GraphRequestsOptions {
  graphs: OpenGraphs
  /** True if an operator's schema says that it writes to an argument; undefined for an undeclared operator. */
  isMutable(target: string): boolean | undefined
  /** Decodes Python values that may contain graph nodes. */
  decode(data: Json): DispatchArg
  /** A fake tensor for node.meta["val"]. */
  fake(meta: TensorMeta): FakeTensor
}

type Point = [side: 'before' | 'after', node: string | null] | null

export class GraphRequests {
  private readonly graphs: OpenGraphs

  constructor(private readonly options: GraphRequestsOptions) {
    this.graphs = options.graphs
  }

  /** @returns undefined if the call is not one on a graph */
  answer(kind: string, payload: Json[]): Json | undefined {
    const read = this.read(kind, payload)
    if (read !== undefined) return read
    const whole = this.ofGraph(kind, payload)
    return whole === undefined ? this.write(kind, payload) : whole
  }

  /** Calls that leave the graph as it is. */
  private read(kind: string, payload: Json[]): Json | undefined {
    const [name, second] = payload as [string, Json]
    switch (kind) {
      case 'node':
        return this.describe(this.graphs.node(name))
      case 'node_text':
        return printNode(this.graphs.node(name))
      case 'node_impure':
        return this.isImpure(this.graphs.node(name))
      case 'node_before':
        return this.graphs.node(name).isBefore(this.graphs.node(second as string))
      case 'graph_ahead': {
        const [number, from, backwards, limit] = payload as [number | null, string | null, boolean, number]
        return ahead(from === null ? this.graphs.current(number) : this.graphs.node(from), backwards, limit).map(
          (n) => [this.graphs.remember(n), this.describe(n)],
        )
      }
      case 'graph_size':
        return this.graphs.current(payload[0] as number | null).size
      case 'graph_text':
        return printGraph(this.graphs.current(payload[0] as number | null))
      default:
        return undefined
    }
  }

  /** Calls on whole graphs and on names. */
  private ofGraph(kind: string, payload: Json[]): Json | undefined {
    const [name, second] = payload as [string, Json]
    switch (kind) {
      case 'graph_new':
        return this.graphs.adopt(new Graph())
      case 'graph_become':
        become(this.graphs.held(null), this.graphs.current(payload[0] as number))
        return null
      case 'graph_name':
        return this.graphs.current(payload[0] as number | null).namespace.createName(second as string)
      case 'node_rename': {
        const node = this.graphs.node(name)
        node.name = payload[2] ? (second as string) : graphOf(node).namespace.createName(second as string)
        return node.name
      }
      case 'node_type':
        this.graphs.node(name).type = second as string | null
        return null
      case 'graph_code':
        return printForward(this.graphs.current(payload[0] as number | null))
      case 'graph_readable': {
        const [number, className, stride, device] = payload as [number | null, string, boolean, boolean]
        return printReadable(this.graphs.current(number), { className, stride, device })
      }
      default:
        return undefined
    }
  }

  /** Calls that edit the graph. */
  private write(kind: string, payload: Json[]): Json | undefined {
    const [name, second] = payload as [string, Json]
    switch (kind) {
      case 'graph_dead_code':
        return this.eliminateDeadCode(payload[0] as number | null)
      case 'node_target':
        this.graphs.node(name).target = second as string
        return null
      case 'node_args':
        this.graphs.node(name).setArgs(...this.argsOf(second, payload[2]!))
        return null
      case 'node_val':
        this.graphs.node(name).meta.val = valOf(this.options.decode(second)) ?? undefined
        return null
      case 'node_custom':
        this.graphs.node(name).meta.custom = plainJson(this.options.decode(second)) as Record<string, unknown>
        return null
      case 'node_replace':
        return this.replaceUses(this.graphs.node(name), this.valueOf(second)).map((n) => this.graphs.remember(n))
      case 'node_input':
        this.graphs.node(name).replaceInput(this.graphs.node(second as string), this.valueOf(payload[2]!))
        return null
      case 'node_move':
        graphOf(this.graphs.node(name)).move(
          this.graphs.node(name),
          second === null ? null : this.graphs.node(second as string),
        )
        return null
      case 'node_erase':
        this.erase(this.graphs.node(name))
        return null
      case 'node_create':
        return this.create(payload)
      case 'match_erase':
        this.graphs.editing(payload[0]).eraseNodes()
        return null
      case 'match_replace':
        return this.graphs
          .editing(payload[4])
          .replaceByExample(payload[0] as number, second as string[], this.valuesOf(payload[2]!))
          .map((n) => this.graphs.remember(n))
      case 'match_replace_graph':
        return this.graphs
          .editing(payload[2])
          .replaceWithGraph(this.graphs.current(payload[0] as number), this.valuesOf(second))
          .map((n) => this.graphs.remember(n))
      default:
        return undefined
    }
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
    return isImpure(node, { isMutable: this.options.isMutable })
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
      val: encodeVal(valueOfNode(node), (meta) => this.options.fake(meta)),
      custom: node.meta.custom ? toDict(node.meta.custom) : null,
      additional: node.meta.additional ? toDict(node.meta.additional) : null,
    }
  }

  private create([op, target, args, kwargs, name, point, number, type]: Json[]): Json {
    const graph = this.graphs.current(number as number | null)
    const [as, ks] = this.argsOf(args!, kwargs!)
    const make = (): Node => {
      const node = graph.createNode(op as Node['op'], target as string, as, ks, (name as string) ?? undefined)
      node.type = type as string | null
      return node
    }
    const at = point as Point
    if (!at) return this.graphs.remember(make())
    const [side, beside] = at
    if (beside === null)
      return this.graphs.remember(graph.insertingBefore(side === 'before' ? graph.first : null, make))
    return this.graphs.remember(
      side === 'before'
        ? graph.insertingBefore(this.graphs.node(beside), make)
        : graph.insertingAfter(this.graphs.node(beside), make),
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

/** True for a node as Dynamo made it, which stores its value under another name than the nodes that passes insert. */
function isOfDynamo(node: Node): boolean {
  if (node.meta.textLine === undefined) return false
  for (const first of graphOf(node).nodes()) return first.op === 'placeholder' && /^L_\w+_$/.test(first.target)
  return false
}
