/** The graphs of a workspace, in order, with one of them shown. */
import { freeName } from './file_names'
import type { GraphFile, Workspace } from './types'

type Graphs = Pick<Workspace, 'graph' | 'shapes' | 'inputShapes' | 'capture' | 'graphs' | 'graphAt'>

/** All graphs in order, including the shown one. */
export function graphsOf(workspace: Graphs): GraphFile[] {
  const { graphs = [] } = workspace
  return graphs.toSpliced(shownAt(workspace), 0, shownGraph(workspace))
}

/** The shown graph with its shapes and its capture. */
export const shownGraph = ({ graph, shapes, inputShapes, capture }: Graphs): GraphFile => ({
  name: graph.name,
  text: graph.text,
  ...(shapes && { shapes }),
  ...(inputShapes && { inputShapes }),
  ...(capture && { capture }),
})

/** Index of the shown graph among all graphs. */
export const shownAt = ({ graphs = [], graphAt = 0 }: Graphs): number => Math.min(graphAt, graphs.length)

/** The workspace with these graphs, showing the graph at `at`. */
export function withGraphs(workspace: Workspace, all: readonly GraphFile[], at: number): Workspace {
  const { shapes: _s, inputShapes: _i, capture: _c, graphs: _graphs, graphAt: _at, ...rest } = workspace
  const { shapes, inputShapes, capture, ...graph } = all[at]!
  return {
    ...rest,
    graph,
    ...(shapes && { shapes }),
    ...(inputShapes && { inputShapes }),
    ...(capture && { capture }),
    ...(all.length > 1 && { graphs: all.toSpliced(at, 1), ...(at > 0 && { graphAt: at }) }),
  }
}

/** The workspace showing another of its graphs; the same object if no other graph has that name. */
export function withGraphShown(workspace: Workspace, name: string): Workspace {
  const all = graphsOf(workspace)
  const at = all.findIndex((g) => g.name === name)
  return at < 0 || name === workspace.graph.name ? workspace : withGraphs(workspace, all, at)
}

/**
 * The workspace with unique names: graphs and shapes whose name a file or another graph has are renamed, because an edit finds its
 * text by name. Files keep theirs, because Python imports them by it. The same object if no name is taken twice.
 */
export function withUniqueNames(workspace: Workspace): Workspace {
  const files = workspace.files.map((f) => f.name)
  const taken = new Set(files)
  const own = <F extends { name: string }>(file: F): F => {
    const name = freeName(file.name, taken)
    taken.add(name)
    return name === file.name ? file : { ...file, name }
  }
  const all = graphsOf(workspace)
  const at = shownAt(workspace)
  // If one of two graphs must be renamed, the shown graph keeps its name.
  const shown = own(all[at]!)
  const graphs = all.map((g, i) => (i === at ? shown : own(g)))
  // Shapes are a tab only beside their own graph.
  const shaped = graphs.map((g) => {
    if (!g.shapes) return g
    const name = freeName(g.shapes.name, [...files, ...graphs.map((x) => x.name)])
    return name === g.shapes.name ? g : { ...g, shapes: { ...g.shapes, name } }
  })
  return shaped.every((g, i) => g.name === all[i]!.name && g.shapes?.name === all[i]!.shapes?.name)
    ? workspace
    : withGraphs(workspace, shaped, at)
}
