/** The sources that determine the shapes of nodes without a shape. */
import type { Node } from '../fx'

/**
 * Stores edges only: in a text without shapes most nodes depend on most inputs, and a set for each would take quadratic
 * time and space. Sets are made on the first query, and nodes with equal sets share one.
 */
export class MissingSources {
  /** Nodes without a shape, in the order they were added: the inputs without a shape, or the node's own sources. */
  private readonly edges = new Map<Node, { inputs: readonly Node[] } | { sources: readonly Node[] }>()
  private sets: Map<Node, ReadonlySet<Node>> | null = null

  /** Number of nodes without a shape. */
  get size(): number {
    return this.edges.size
  }

  has(node: Node): boolean {
    return this.edges.has(node)
  }

  nodes(): IterableIterator<Node> {
    return this.edges.keys()
  }

  /** @param sources the nodes that need a given shape: the node itself, or the items of its result */
  addSource(node: Node, sources: readonly Node[]): void {
    this.edges.set(node, { sources })
  }

  /** @param inputs inputs without a shape, added before */
  addDependent(node: Node, inputs: readonly Node[]): void {
    this.edges.set(node, { inputs })
  }

  /** In the order of the node's inputs; undefined for a node that has a shape. Equal sets may be one object. */
  sourcesOf(node: Node): ReadonlySet<Node> | undefined {
    return (this.sets ??= this.collect()).get(node)
  }

  private collect(): Map<Node, ReadonlySet<Node>> {
    const sets = new Map<Node, ReadonlySet<Node>>()
    for (const [node, edge] of this.edges)
      sets.set(node, 'sources' in edge ? new Set(edge.sources) : union(edge.inputs.map((i) => sets.get(i)!)))
    return sets
  }
}

/** The first set, if it contains all elements. */
function union([first, ...rest]: readonly ReadonlySet<Node>[]): ReadonlySet<Node> {
  let all: Set<Node> | null = null
  for (const set of rest) {
    if (set === first) continue
    for (const s of set) if (!(all ?? first!).has(s)) (all ??= new Set(first)).add(s)
  }
  return all ?? first!
}
