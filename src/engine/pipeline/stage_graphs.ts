/**
 * The graphs between the stages of a pipeline run. A node is identified across the copies by object identity:
 * a replacement may give a new node the name of the node it removed.
 */
import { printGraph, type Graph, type Node } from '../../fx'
import { sha256 } from '../../base/sha256'
import type { StageView } from './types'
import type { GraphView } from '../report/graph_view'
import { viewOf } from '../report/views'

/** A copy of a graph, and the changes that a stage made to it. */
export interface GraphCopy {
  after: Graph
  /** Maps each node of the graph before to its copy, which is in `after` unless it was erased. */
  copies: ReadonlyMap<Node, Node>
}

/** A stage's view, with the cache keys of its graphs. */
export interface KeyedStage {
  view: StageView
  key: string
  beforeKey: string | null
}

interface KeyedView {
  key: string
  view: GraphView
}

export class StageGraphs {
  private readonly graphs: Graph[]
  private readonly views: (KeyedView | undefined)[] = []
  /** By graph: the stage that added each node. */
  private readonly from: Map<Node, number>[]
  private until: Map<Node, number | null>[] | null = null

  /** @param first @param last existing views of the original and of the final graph */
  constructor(
    source: Graph,
    private readonly active: readonly GraphCopy[],
    first: KeyedView,
    last: KeyedView,
  ) {
    this.graphs = [source, ...active.map((a) => a.after)]
    this.views[0] = first
    this.views[active.length] = last
    const own = new Map<Node, number>()
    for (const n of source.nodes()) own.set(n, 0)
    this.from = [own]
    for (const [i, { after, copies }] of active.entries()) {
      const from = new Map<Node, number>()
      for (const [n, c] of copies) if (!c.erased) from.set(c, this.from[i]!.get(n) ?? 0)
      for (const n of after.nodes()) if (!from.has(n)) from.set(n, i + 1)
      this.from.push(from)
    }
  }

  /** Number of nodes after stage `at`, and the numbers of nodes that it added and removed. */
  counts(at: number): { nodes: number; added: number; removed: number } {
    const nodes = this.from[at]!.size
    return { nodes, added: this.added(at).length, removed: this.removed(at).length }
  }

  /** The graph after stage `at`. @throws Error, one plain sentence, if there is no such stage */
  graph(at: number): Graph {
    const graph = this.graphs[at]
    if (!graph) throw new Error(`The last run has ${this.active.length} stages, and no stage ${at}.`)
    return graph
  }

  /** @throws Error, one plain sentence, if there is no such stage */
  view(at: number): KeyedStage {
    const graph = this.graph(at)
    const { key, view } = this.viewAt(at)
    const before = at > 0 ? this.viewAt(at - 1) : null
    const nodes = [...graph.nodes()]
    return {
      key,
      beforeKey: before?.key ?? null,
      view: {
        at,
        graph: view,
        before: before?.view ?? null,
        added: this.added(at),
        removed: this.removed(at),
        from: nodes.map((n) => this.from[at]!.get(n) ?? 0),
        until: nodes.map((n) => this.ends()[at]!.get(n) ?? null),
      },
    }
  }

  private added(at: number): string[] {
    if (at === 0) return []
    const added: string[] = []
    for (const [n, from] of this.from[at]!) if (from === at) added.push(n.name)
    return added
  }

  private removed(at: number): string[] {
    if (at === 0) return []
    const removed: string[] = []
    for (const [n, c] of this.active[at - 1]!.copies) if (c.erased) removed.push(n.name)
    return removed
  }

  /** By graph: the stage that removes each node, or null. */
  private ends(): Map<Node, number | null>[] {
    if (this.until) return this.until
    const until = this.graphs.map(() => new Map<Node, number | null>())
    for (const n of this.graphs.at(-1)!.nodes()) until.at(-1)!.set(n, null)
    for (let at = this.graphs.length - 2; at >= 0; at--) {
      const { copies } = this.active[at]!
      for (const n of this.graphs[at]!.nodes()) {
        const copy = copies.get(n)
        until[at]!.set(n, !copy || copy.erased ? at + 1 : (until[at + 1]!.get(copy) ?? null))
      }
    }
    return (this.until = until)
  }

  private viewAt(at: number): KeyedView {
    const known = this.views[at]
    if (known) return known
    const graph = this.graphs[at]!
    const key = `${this.views[0]!.key}:s:${sha256(printGraph(graph))}`
    return (this.views[at] = { key, view: viewOf(graph) })
  }
}
