/**
 * A mutation divides a graph into regions; a match across two of them is discarded, for its values may have changed
 * in between. The mutating node itself starts the new region.
 */
import { isOverload, looksMutable, type Graph, type Node } from '../fx'
import type { SchemaLookup } from './schema_facts'

/** copy_, relu_, _set_grad_enabled, manual_seed, _enter_autocast; not __rshift__. */
const MUTATION_NAME = /(?<!_)(_$|_[.]|(\b|_)(set|enter|exit|seed)(\b|_))(?!_)/

/** is_mutation_op. @param known what functions' names said before, to be kept by who asks often */
export function isMutationOp(
  node: Node,
  schemaOf: SchemaLookup,
  known: Map<string, boolean | null> = new Map(),
): boolean {
  if (node.op === 'call_function') {
    let mutates = known.get(node.target)
    if (mutates === undefined) known.set(node.target, (mutates = functionMutates(node.target, schemaOf)))
    if (mutates !== null) return mutates
  } else if (node.op === 'call_method' && MUTATION_NAME.test(node.target)) return true
  const out = node.kwargs.get('out')
  return out !== undefined && out !== null
}

/** What a function's name alone says; null: its `out` decides. */
function functionMutates(target: string, schemaOf: SchemaLookup): boolean | null {
  if (isOverload(target) && target !== 'inductor.resize_storage_bytes_.default')
    return schemaOf(target)?.mutable ?? looksMutable(target)
  if (target === 'higher_order.auto_functionalized') return false
  return MUTATION_NAME.test(target.split('.').at(-1)!) || null
}

/** The region before any mutation. */
const START = 0

/**
 * Regions of one graph's nodes; nodes that came later get theirs when they are asked for. A region is a number that
 * means nothing but itself, so that an edit renumbers what is near it and not the rest of the graph.
 */
export class MutationRegions {
  private readonly ids = new Map<Node, number>()
  /** By number: itself, or a number of the region it was joined with when the mutation between them went. */
  private joined: number[] = []
  private readonly byFunction = new Map<string, boolean | null>()

  constructor(
    private readonly graph: Graph,
    private readonly schemaOf: SchemaLookup,
  ) {
    this.computeAll()
  }

  computeAll(): void {
    this.joined = [START]
    let id = START
    for (const n of this.graph.nodes()) {
      if (this.mutates(n)) id = this.newRegion()
      this.ids.set(n, id)
    }
  }

  mutates(node: Node): boolean {
    return isMutationOp(node, this.schemaOf, this.byFunction)
  }

  /** True when all nodes lie in one region; false for no nodes. */
  areOne(nodes: readonly Node[]): boolean {
    const [first] = nodes
    if (!first) return false
    const region = this.regionOf(first)
    return nodes.every((n) => this.regionOf(n) === region)
  }

  regionOf(node: Node): number {
    const known = this.ids.get(node)
    if (known !== undefined) return this.find(known)
    const first = this.graph.first
    let n = node
    while (!this.ids.has(n) && n !== first) n = n.prev
    let id = this.ids.get(n) ?? START
    while (n !== node) {
      n = n.next
      if (this.mutates(n)) id = this.newRegion()
      this.ids.set(n, id)
    }
    return this.find(id)
  }

  private newRegion(): number {
    return this.joined.push(this.joined.length) - 1
  }

  private find(id: number): number {
    while (this.joined[id] !== id) id = this.joined[id] = this.joined[this.joined[id]!]!
    return id
  }

  /**
   * Runs an edit that replaces `nodes`. When mutations are among what goes (`nodes`) or comes (`added`), the nodes from
   * the first to the last of `nodes` get regions anew, and what follows up to the next mutation goes with them.
   */
  around(nodes: readonly Node[], added: Iterable<Node>, edit: () => void): void {
    const hadMutation = nodes.some((n) => this.mutates(n))
    if (!hadMutation && ![...added].some((n) => this.mutates(n))) return edit()
    const { graph } = this
    const first = nodes.reduce((a, b) => (b.isBefore(a) ? b : a))
    const last = nodes.reduce((a, b) => (a.isBefore(b) ? b : a))
    const anchor = first === graph.first ? null : first.prev
    const stop = last === graph.last ? null : last.next
    const before = anchor ? this.regionOf(anchor) : this.find(START)
    edit()
    if (anchor?.erased || stop?.erased) return this.computeAll()
    let id = before
    let n = anchor ? anchor.next : graph.first
    for (; n && n !== stop; n = n === graph.last ? null : n.next) {
      if (this.mutates(n)) id = this.newRegion()
      this.ids.set(n, id)
    }
    if (!stop || this.mutates(stop)) return
    if (hadMutation) {
      // What follows lay in the region of the last mutation replaced, and so apart from all that comes before.
      this.joined[this.regionOf(stop)] = this.find(id)
      return
    }
    if (id !== before) for (n = stop; n && !this.mutates(n); n = n === graph.last ? null : n.next) this.ids.set(n, id)
  }

  /** Runs a handler that may create and erase nodes at will; new nodes get `onCreate` first. */
  tracking(onCreate: (node: Node) => void, edit: () => void): void {
    const { graph } = this
    const { createNode, eraseNode } = graph
    const created: Node[] = []
    let erased = false
    graph.createNode = (...args) => {
      const node = createNode.apply(graph, args)
      onCreate(node)
      created.push(node)
      return node
    }
    graph.eraseNode = (node) => {
      erased ||= !node.erased && this.mutates(node)
      eraseNode.call(graph, node)
    }
    try {
      edit()
    } finally {
      graph.createNode = createNode
      graph.eraseNode = eraseNode
    }
    if (erased || created.some((n) => this.mutates(n))) this.computeAll()
  }
}
