/**
 * A mutation divides a graph into regions; a match across two of them is discarded, for its values may have changed
 * in between. The mutating node itself starts the new region.
 */
import { isOverload, looksMutable, type Graph, type Node } from '../fx'
import type { SchemaLookup } from './schema_facts'

/** copy_, relu_, _set_grad_enabled, manual_seed, _enter_autocast; not __rshift__. */
const MUTATION_NAME = /(?<!_)(_$|_[.]|(\b|_)(set|enter|exit|seed)(\b|_))(?!_)/

export function isMutationOp(node: Node, schemaOf: SchemaLookup): boolean {
  if (node.op === 'call_function') {
    if (isOverload(node.target) && node.target !== 'inductor.resize_storage_bytes_.default')
      return schemaOf(node.target)?.mutable ?? looksMutable(node.target)
    if (node.target === 'higher_order.auto_functionalized') return false
    if (MUTATION_NAME.test(node.target.split('.').at(-1)!)) return true
  } else if (node.op === 'call_method' && MUTATION_NAME.test(node.target)) return true
  const out = node.kwargs.get('out')
  return out !== undefined && out !== null
}

/** Region numbers of one graph's nodes; nodes that came later get theirs when they are asked for. */
export class MutationRegions {
  private readonly ids = new Map<Node, number>()

  constructor(
    private readonly graph: Graph,
    private readonly schemaOf: SchemaLookup,
  ) {
    this.computeAll()
  }

  computeAll(): void {
    let id = 0
    for (const n of this.graph.nodes()) {
      if (this.mutates(n)) id++
      this.ids.set(n, id)
    }
  }

  mutates(node: Node): boolean {
    return isMutationOp(node, this.schemaOf)
  }

  regionOf(node: Node): number {
    const first = this.graph.first
    let n = node
    while (!this.ids.has(n) && n !== first) n = n.prev
    let id = this.ids.get(n) ?? 0
    while (n !== node) {
      n = n.next
      if (this.mutates(n)) id++
      this.ids.set(n, id)
    }
    return id
  }

  /**
   * Runs an edit that replaces `nodes`. When mutations are among what goes (`nodes`) or comes (`added`), the regions
   * from there on are numbered anew.
   */
  around(nodes: readonly Node[], added: Iterable<Node>, edit: () => void): void {
    const changes = nodes.some((n) => this.mutates(n)) || [...added].some((n) => this.mutates(n))
    edit()
    if (changes) this.computeAll()
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
