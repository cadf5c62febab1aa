/**
 * The graphs that Python code holds: the shown graph while an extra_check or a handler runs, and graphs that fwd_only
 * traced for a trace function. A node's key is its name, prefixed with the graph's number in a traced graph.
 */
import { graphOf, Node, type Arg, type Graph, isKind } from '../fx'
import type { MatchEdit, MatchView } from '../matcher/host'
import type { CapturedTuple } from '../matcher/match'
import type { MatchContext } from '../matcher/match_context'
import { isFake } from '../ops/fake'
import { TorchError, type DispatchArg, type FakeTensor } from '../trace/types'
import { encode, type Json } from './wire'

export interface OpenGraphsOptions {
  contextNumber(ctx: MatchContext): number
  /** The operations on a match found by a call from Python. */
  editOf(match: number, graph: Graph): MatchEdit
}

export class OpenGraphs {
  private nodes = new Map<string, Node>()
  private graph: Graph | null = null
  private edit: MatchEdit | null = null
  /** A pass gets the whole graph, not only a match in it. */
  whole = false
  private readonly traced = new Map<number, Graph>()
  /** The key of each node that Python has seen: user code may rename a node. */
  private keys = new WeakMap<Node, string>()
  private readonly numbers = new Map<Graph, number>()
  private next = 0
  private storages: { graph: Graph; order: string; values: ReadonlyMap<Node, DispatchArg> } | null = null

  constructor(private readonly options: OpenGraphsOptions) {}

  /** Makes `match` the subject of the next calls, and describes it. */
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

  /** Opens a match while a pass or a handler has a graph; afterwards, that graph is current again. */
  aside<T>(body: () => T): T {
    const { nodes, graph, edit, whole } = this
    if (!whole && !edit) return body()
    Object.assign(this, { nodes: new Map(), edit: null, whole: false })
    try {
      return body()
    } finally {
      Object.assign(this, { nodes, graph, edit, whole })
    }
  }

  /** Makes a graph the subject of the calls in `body`. */
  within<T>(graph: Graph | null, body: () => T): T {
    const before = { nodes: this.nodes, graph: this.graph }
    if (graph !== this.graph) Object.assign(this, { nodes: new Map(), graph })
    try {
      return body()
    } finally {
      Object.assign(this, before)
    }
  }

  /** Makes a whole graph the subject of the next calls; a pass may edit it. */
  openGraph(graph: Graph): void {
    this.close()
    this.graph = graph
    this.whole = true
  }

  /** Passes a traced graph to Python. */
  adopt(graph: Graph): number {
    this.traced.set(this.next, graph)
    this.numbers.set(graph, this.next)
    return this.next++
  }

  /** Takes the edited graph back. */
  release(number: number): Graph {
    const graph = this.current(number)
    this.traced.delete(number)
    this.numbers.delete(graph)
    for (const [key, node] of this.nodes) if (node.graph === graph) this.nodes.delete(key)
    return graph
  }

  /** Resets the state for a new run. */
  forget(): void {
    this.close()
    this.traced.clear()
    this.numbers.clear()
    this.keys = new WeakMap()
    this.storages = null
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
    if (!found) throw new TorchError('RuntimeError', `node ${name} belongs to a graph that is no longer available`)
    return found
  }

  /** A node's tensor with its storage and offset: its graph is run over fake tensors, once for each state of the graph. */
  tensorOf(name: string, values: (graph: Graph) => ReadonlyMap<Node, DispatchArg>): FakeTensor | null {
    const node = this.node(name)
    const graph = graphOf(node)
    const order = [...graph.nodes()].map((n) => n.name).join()
    if (this.storages?.graph !== graph || this.storages.order !== order)
      this.storages = { graph, order, values: values(graph) }
    const value = this.storages.values.get(node)
    return value !== undefined && isFake(value) ? value : null
  }

  /** The graph with this number; null: the shown graph. */
  graphOf(number: number | null): Graph {
    return this.current(number)
  }

  encode(value: Arg): Json {
    return encode(value, (n) => ({ node: this.remember(n) }))
  }

  captured(value: unknown): Json {
    if (value !== null && isKind(value, 'captured')) return this.capturedItems(value as CapturedTuple)
    return this.encode(value as Arg)
  }

  private capturedItems({ items, keys }: CapturedTuple): Json {
    const shown = items.map((v) => this.captured(v))
    return keys ? { d: keys.map((k, i) => [k, shown[i]!]) } : { t: shown }
  }

  /** The key of a node: its name, prefixed with the graph's number in a traced graph. */
  remember(node: Node): string {
    const number = this.numbers.get(graphOf(node))
    const key = this.keys.get(node) ?? (number === undefined ? node.name : `${number}/${node.name}`)
    this.keys.set(node, key)
    this.nodes.set(key, node)
    return key
  }

  /** @throws TorchError if the graph is closed */
  current(number: number | null = null): Graph {
    const traced = number === null ? undefined : this.traced.get(number)
    if (traced) return traced
    if (number !== null)
      throw new TorchError('RuntimeError', 'this graph was returned to the matcher and can no longer be used')
    if (!this.graph) throw new TorchError('RuntimeError', 'the match is over: its graph can no longer be used')
    return this.graph
  }

  /**
   * @param match the number of a match that Python found itself
   * @param nodes the nodes of the match, where user code changed the list
   */
  editing(match: number | null = null, nodes: readonly string[] | null = null): MatchEdit {
    const edit = match === null ? this.edit : this.options.editOf(match, this.current())
    if (!edit) throw new TorchError('RuntimeError', 'an extra_check cannot edit the graph; only a handler can')
    if (nodes) edit.nodes = nodes.map((key) => this.node(key))
    return edit
  }
}
