/** Caches the workspace's graph and the graph after its passes, and rebuilds their views only after a change. */
import { sha256 } from '../../base/sha256'
import { RecentValues } from '../../base/recent_values'
import {
  clone,
  formatVal,
  isUnchangedCopy,
  printGraph,
  printReadable,
  type Graph,
  type Node,
  type Problem,
} from '../../fx'
import type { SchemaLookup } from '../../matcher'
import type { Tracer } from '../../trace/types'
import { shownGraph } from '../../workspace/graphs'
import type { GraphFile, Workspace } from '../../workspace/types'
import { readGraph } from '../cases/graph_file'
import { graphKey } from '../cases/graph_key'
import { hasNoDeadCode, removeDeadCode } from '../pipeline/dead_code'
import type { GraphView } from '../report/graph_view'
import { outlinedView } from '../report/outlined_view'
import { viewOf } from '../report/views'
import { shapedGraph, type ShapedGraph } from '../shapes/shaped_graph'

export interface ReadGraph extends ShapedGraph {
  /** Equal keys mean equal graph views. */
  key: string
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

/** The graph as in its text, and with its shapes. */
interface Read {
  /** Key of the texts. */
  key: string
  /** Without the shapes that operators compute. */
  unfilled: Graph
  /** True if the user's Python operators may compute shapes that are still missing. */
  needsPython: boolean
  read: ReadGraph
}

/** Number of cached graphs, so that returning to one reads nothing; fewer if they are large. */
const MAX_GRAPHS = 4
const MAX_NODES = 60_000

export class GraphCache {
  private last: Read | null = null
  private readonly recent = new RecentValues<Read>(MAX_NODES, MAX_GRAPHS)
  private lastAfter: { key: string; view: GraphView } | null = null
  /** Graphs after the passes, by their texts: an edit often produces an earlier one again. */
  private readonly afters = new RecentValues<{ key: string; view: GraphView }>(MAX_NODES, MAX_GRAPHS)
  /** Assigns numbers to texts: hashing them would take as long as printing them. */
  private count = 0
  private lastFile: { file: GraphFile; key: string } | null = null

  constructor(
    private readonly schemaOf: SchemaLookup,
    private readonly tracer: Tracer,
  ) {}

  read(workspace: Workspace): ReadGraph {
    const file = shownGraph(workspace)
    const key = this.keyOf(file)
    if (this.last?.key === key) return this.last.read
    const known = this.recent.get(key)
    if (known) return (this.last = known).read
    const started = performance.now()
    const { graph: unfilled, problems } = readGraph(file)
    const shaped = shapedGraph(unfilled, file.inputShapes ?? {}, this.tracer, false)
    const view = outlinedView(shaped.graph, problems)
    const read = { ...shaped, key: viewKey(key, shaped), view, problems, ms: performance.now() - started }
    this.last = { key, unfilled, needsPython: shaped.heldBack, read }
    this.recent.set(key, this.last, unfilled.size)
    return read
  }

  /** The key of a graph's texts. Each run asks several times; comparing the texts takes a hundredth of hashing them. */
  private keyOf(file: GraphFile): string {
    if (!this.lastFile || !sameTexts(this.lastFile.file, file)) this.lastFile = { file, key: graphKey(file) }
    return this.lastFile.key
  }

  /** The graph with shapes computed by user-defined operators, which Python holds after a run. */
  readAfterPython(workspace: Workspace): ReadGraph {
    const read = this.read(workspace)
    const { key, unfilled, needsPython } = this.last!
    if (!needsPython) return read
    const shaped = shapedGraph(unfilled, workspace.inputShapes ?? {}, this.tracer)
    const shapedKey = viewKey(key, shaped)
    const view = shapedKey === read.key ? read.view : outlinedView(shaped.graph, read.problems)
    this.last!.read = { ...read, ...shaped, key: shapedKey, view }
    return this.last!.read
  }

  /**
   * Removes dead code from a copy of the graph. An equal result keeps its view; a graph that the passes left unchanged shares the
   * nodes of its own view.
   */
  finish(graph: Graph): FinishedGraph {
    const { read } = this.last!
    if (isUnchangedCopy(graph, read.graph) && hasNoDeadCode(graph, this.schemaOf, this.tracer.rules)) {
      const key = `${read.key}:same`
      if (this.lastAfter?.key !== key) this.lastAfter = { key, view: { nodes: read.view.nodes, problems: [] } }
      return { key, view: this.lastAfter.view, swept: graph, copies: new Map([...graph.nodes()].map((n) => [n, n])) }
    }
    const { graph: swept, map: copies } = clone(graph)
    removeDeadCode(swept, this.schemaOf, this.tracer.rules)
    // Nodes of a replacement carry source lines, which the graph's text does not print.
    const text = `${read.key}${printGraph(swept)}${sourcesOf(swept)}`
    this.lastAfter = this.afters.get(text) ?? { key: `${read.key}:${this.count++}`, view: viewOf(swept) }
    this.afters.set(text, this.lastAfter, swept.size)
    return { ...this.lastAfter, swept, copies }
  }
}

const sourcesOf = (graph: Graph): string =>
  Array.from(graph.nodes(), ({ meta: { source: at } }) => (at ? `${at.file}:${at.line}:${at.fn ?? ''}` : '')).join()

const sameTexts = (a: GraphFile, b: GraphFile): boolean =>
  a.text === b.text &&
  a.shapes?.text === b.shapes?.text &&
  JSON.stringify(a.inputShapes) === JSON.stringify(b.inputShapes)

/** print(graph), or print_readable with strides and devices. */
export const printAs = (graph: Graph, as: 'fx' | 'readable'): string =>
  as === 'fx' ? printGraph(graph) : printReadable(graph, { stride: true, device: true })

/** Shapes that operators compute are part of the view. */
function viewKey(key: string, { graph, shapes }: ShapedGraph): string {
  if (!shapes) return key
  const format = { stride: true, device: true }
  return `${key}:${sha256([...graph.nodes()].map((n) => (n.meta.val ? formatVal(n.meta.val, format) : '')).join())}`
}
