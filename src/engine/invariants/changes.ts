/**
 * Changes of a pass to a graph, derived from the graph alone: a node is edited if it has another target or a new `args` or `kwargs`
 * object, whether a replacement or a handler edited it.
 */
import { formatArg, Node, type Arg, type Graph, type Val } from '../../fx'

/** The positional and keyword arguments of a node. */
export type Arguments = readonly [readonly Arg[], ReadonlyMap<string, Arg>]

/** A node from before the pass whose target or arguments differ now. */
export interface ChangedNode {
  node: Node
  /** Replaced node → new value; null if the target or the structure of the arguments changed. */
  swaps: readonly Swap[] | null
}

export type Swap = readonly [was: Node, is: Arg]

/** Records a graph before a pass changes it, node by node, in order. */
export class Watch {
  readonly nodes: Node[] = []
  readonly args: (readonly Arg[])[] = []
  readonly kwargs: ReadonlyMap<string, Arg>[] = []
  readonly vals: (Val | undefined)[] = []
  private readonly targets: string[] = []

  constructor(readonly graph: Graph) {
    for (const node of graph.nodes()) {
      this.nodes.push(node)
      this.args.push(node.args)
      this.kwargs.push(node.kwargs)
      this.vals.push(node.meta.val)
      this.targets.push(node.target)
    }
  }

  /** Changes since the record; null if there are none. */
  changes(): Changes | null {
    const changed: ChangedNode[] = []
    let gone = 0
    for (const [i, node] of this.nodes.entries()) {
      const [args, kwargs] = [this.args[i]!, this.kwargs[i]!]
      if (node.erased) gone++
      else if (node.target !== this.targets[i]) changed.push({ node, swaps: null })
      else if (node.args !== args || node.kwargs !== kwargs) {
        const swaps = swapsOf([args, kwargs], argumentsNow(node))
        if (swaps === null || swaps.length > 0) changed.push({ node, swaps })
      }
    }
    const added = this.added()
    return gone > 0 || changed.length > 0 || added.length > 0 ? new Changes(this, changed, added) : null
  }

  /** The new nodes, in graph order. If no node moved, one pass over both orders finds them. */
  private added(): Node[] {
    const others: Node[] = []
    let at = 0
    for (const node of this.graph.nodes()) {
      while (this.nodes[at]?.erased) at++
      if (this.nodes[at] === node) at++
      else others.push(node)
    }
    while (this.nodes[at]?.erased) at++
    if (at === this.nodes.length) return others
    const known = new Set(this.nodes)
    return others.filter((n) => !known.has(n))
  }
}

/** Changes of one pass. */
export class Changes {
  private places: ReadonlyMap<Node, number> | null = null

  constructor(
    private readonly watch: Watch,
    readonly changed: readonly ChangedNode[],
    readonly added: readonly Node[],
  ) {}

  get graph(): Graph {
    return this.watch.graph
  }

  /** Nodes before the pass, in order, including erased nodes. */
  get before(): readonly Node[] {
    return this.watch.nodes
  }

  /** Position of a node before the pass; undefined for a node that the pass added. */
  placeBefore(node: Node): number | undefined {
    this.places ??= new Map(this.watch.nodes.map((n, i) => [n, i]))
    return this.places.get(node)
  }

  /** A node's arguments before the pass; for a node that the pass added, its current arguments. */
  readonly argumentsBefore = (node: Node): Arguments => {
    const at = this.placeBefore(node)
    return at === undefined ? argumentsNow(node) : [this.watch.args[at]!, this.watch.kwargs[at]!]
  }

  /** A node's `meta.val` before the pass. */
  readonly valBefore = (node: Node): Val | undefined => {
    const at = this.placeBefore(node)
    return at === undefined ? node.meta.val : this.watch.vals[at]
  }
}

export const argumentsNow = (node: Node): Arguments => [node.args, node.kwargs]

/** The nodes that differ between two versions of a node's arguments; null if their structure differs. */
export function swapsOf([args, kwargs]: Arguments, [argsNow, kwargsNow]: Arguments): Swap[] | null {
  const swaps: Swap[] = []
  if (!pairs(args, argsNow, swaps) || kwargs.size !== kwargsNow.size) return null
  for (const [name, was] of kwargs) {
    const is = kwargsNow.get(name)
    if (is === undefined || !pair(was, is, swaps)) return null
  }
  return swaps
}

/** Walks two arguments in parallel; false if their structure differs. */
function pair(was: Arg, is: Arg, swaps: Swap[]): boolean {
  if (was === is) return true
  if (was instanceof Node) return swaps.push([was, is]) > 0
  if (was === null || is === null || typeof was !== 'object' || typeof is !== 'object' || is instanceof Node)
    return false
  if (Array.isArray(was)) return Array.isArray(is) && pairs(was as readonly Arg[], is as readonly Arg[], swaps)
  if (!('kind' in was) || !('kind' in is)) return false
  if (was.kind === 'tuple') return is.kind === 'tuple' && pairs(was.items, is.items, swaps)
  if (was.kind === 'slice')
    return is.kind === 'slice' && pairs([was.start, was.stop, was.step], [is.start, is.stop, is.step], swaps)
  // A dtype or a device object that was created anew.
  if (was.kind !== 'dict' || is.kind !== 'dict') return was.kind === is.kind && formatArg(was) === formatArg(is)
  if (was.entries.size !== is.entries.size) return false
  return [...was.entries].every(([k, v]) => is.entries.has(k) && pair(v, is.entries.get(k)!, swaps))
}

const pairs = (was: readonly Arg[], is: readonly Arg[], swaps: Swap[]): boolean =>
  was.length === is.length && was.every((a, i) => pair(a, is[i]!, swaps))
