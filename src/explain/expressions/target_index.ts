/** Nodes of a graph by op and target, so that counting visits only candidates. */
import { isCall, operatorOf, type Graph, type Node } from '../../fx'
import { GraphIndex } from '../align/anchors'

export class TargetIndex {
  private readonly byTarget = new Map<string, Node[]>()
  private byKey: GraphIndex | null = null
  private names: ReadonlySet<string> | null = null
  readonly size: number

  private constructor(readonly graph: Graph) {
    let size = 0
    for (const node of graph.nodes()) {
      size++
      const list = this.byTarget.get(node.target)
      if (list) list.push(node)
      else this.byTarget.set(node.target, [node])
    }
    this.size = size
  }

  private static readonly known = new WeakMap<Graph, TargetIndex>()

  /** @param graph must not be modified later, because its index is kept */
  static of(graph: Graph): TargetIndex {
    let index = TargetIndex.known.get(graph)
    if (!index) TargetIndex.known.set(graph, (index = new TargetIndex(graph)))
    return index
  }

  /** Targets of all nodes, in the order of their first nodes. */
  get targets(): Iterable<string> {
    return this.byTarget.keys()
  }

  /** Nodes with one of the targets, of any op. */
  nodesOf(targets: Iterable<string>): Node[] {
    return [...new Set(targets)].flatMap((t) => this.byTarget.get(t) ?? [])
  }

  /** The operators of the calls; for auto_functionalized, the wrapped operator. */
  get operatorNames(): ReadonlySet<string> {
    return (this.names ??= new Set(this.operators.nodes.flatMap((n) => (isCall(n) ? [operatorOf(n)] : []))))
  }

  /** By operator, regardless of overload and functionalization; made on first use. */
  get operators(): GraphIndex {
    return (this.byKey ??= GraphIndex.of(this.graph))
  }
}
