/**
 * Mutations divide a graph into regions. A match across two regions is discarded, because its values may have changed
 * in between. The mutating node itself starts the new region.
 */
import { isOverload, looksMutable, type Graph, type Node } from '../fx'
import type { SchemaLookup } from './schema_facts'

/** Matches copy_, relu_, _set_grad_enabled, manual_seed, _enter_autocast; not __rshift__. */
const MUTATION_NAME = /(?<!_)(_$|_[.]|(\b|_)(set|enter|exit|seed)(\b|_))(?!_)/

/**
 * is_mutation_op.
 * @param known cache of results by function name, for callers that ask often
 */
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

/** The result by function name alone; null if `out` decides. */
function functionMutates(target: string, schemaOf: SchemaLookup): boolean | null {
  if (isOverload(target) && target !== 'inductor.resize_storage_bytes_.default')
    return schemaOf(target)?.mutable ?? looksMutable(target)
  if (target === 'higher_order.auto_functionalized') return false
  return MUTATION_NAME.test(target.split('.').at(-1)!) || null
}

/** The region before any mutation. */
const START = 0

/**
 * Regions of one graph's nodes; later nodes are assigned on demand. A region is an opaque number, so an edit renumbers
 * only the nodes near it.
 */
export class MutationRegions {
  private readonly ids = new Map<Node, number>()
  /** Union-find by number: a region, or one it was merged with when the mutation between them was removed. */
  private joined: number[] = []
  private readonly byFunction = new Map<string, boolean | null>()

  constructor(
    private readonly graph: Graph,
    private readonly schemaOf: SchemaLookup,
    /** Edits renumber; before PyTorch 2.13 a node keeps its region. */
    private readonly refreshes = true,
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

  /** True if all nodes are in one region; false for no nodes. */
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
   * Runs an edit that replaces `nodes`. If it removes or adds mutations, the nodes from the first to the last of
   * `nodes` are renumbered, and so are those up to the next mutation.
   */
  around(nodes: readonly Node[], added: Iterable<Node>, edit: () => void): void {
    if (!this.refreshes) return edit()
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
      // The following nodes were in the region of the last replaced mutation, and so separate from all before.
      this.joined[this.regionOf(stop)] = this.find(id)
      return
    }
    if (id !== before) for (n = stop; n && !this.mutates(n); n = n === graph.last ? null : n.next) this.ids.set(n, id)
  }

  /** Runs a handler that may create and erase nodes freely; `onCreate` is called first for new nodes. */
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
    if (this.refreshes && (erased || created.some((n) => this.mutates(n)))) this.computeAll()
  }
}
