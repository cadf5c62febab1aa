/** Caches the workspace's graph and the graph after its passes, and rebuilds their views only after a change. */
import { hashText } from '../../base/hash'
import { clone, printGraph, printReadable, type Graph, type Node, type Problem } from '../../fx'
import type { SchemaLookup } from '../../matcher'
import type { Workspace } from '../../workspace/types'
import { graphKey, readGraph } from '../cases/graph_file'
import { removeDeadCode } from '../pipeline/dead_code'
import type { GraphView } from '../report/graph_view'
import { viewOf } from '../report/views'

export interface ReadGraph {
  /** Equal keys mean equal graph views. */
  key: string
  graph: Graph
  view: GraphView
  problems: Problem[]
  ms: number
}

/** The graph after all passes and dead-code elimination. */
export interface FinishedGraph {
  key: string
  view: GraphView
  swept: Graph
  /** Maps each node of the graph before dead-code elimination to its copy in `swept`, or to an erased node. */
  copies: ReadonlyMap<Node, Node>
}

export class GraphCache {
  private lastRead: ReadGraph | null = null
  private lastAfter: { key: string; graph: Graph; view: GraphView } | null = null

  constructor(private readonly schemaOf: SchemaLookup) {}

  /** The graph after the passes of the last run; null before the first. */
  get after(): Graph | null {
    return this.lastAfter?.graph ?? null
  }

  read(workspace: Workspace): ReadGraph {
    const file = { ...workspace.graph, shapes: workspace.shapes }
    const key = graphKey(file)
    if (this.lastRead?.key === key) return this.lastRead
    const started = performance.now()
    const { graph, problems } = readGraph(file)
    const view = viewOf(graph, problems)
    this.lastRead = { key, graph, view, problems, ms: performance.now() - started }
    return this.lastRead
  }

  /** Removes dead code from a copy of the graph. An equal result keeps its view. */
  finish(graph: Graph): FinishedGraph {
    const { graph: swept, map: copies } = clone(graph)
    removeDeadCode(swept, this.schemaOf)
    const key = `${this.lastRead!.key}:${hashText(printGraph(swept))}`
    if (this.lastAfter?.key !== key) this.lastAfter = { key, graph: swept, view: viewOf(swept) }
    return { key, view: this.lastAfter.view, swept, copies }
  }

  print(workspace: Workspace, as: 'fx' | 'readable', which: 'before' | 'after'): string {
    const graph = which === 'after' ? (this.after ?? this.read(workspace).graph) : this.read(workspace).graph
    return as === 'fx' ? printGraph(graph) : printReadable(graph, { stride: true, device: true })
  }
}
