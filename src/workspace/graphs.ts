/** The graphs of a workspace, in order, with one of them shown. */
import type { GraphFile, Workspace } from './types'

type Graphs = Pick<Workspace, 'graph' | 'shapes' | 'graphs' | 'graphAt'>

/** All graphs in order, including the shown one. */
export function graphsOf(workspace: Graphs): GraphFile[] {
  const { graph, shapes, graphs = [] } = workspace
  return graphs.toSpliced(shownAt(workspace), 0, { name: graph.name, text: graph.text, ...(shapes && { shapes }) })
}

/** Index of the shown graph among all graphs. */
export const shownAt = ({ graphs = [], graphAt = 0 }: Graphs): number => Math.min(graphAt, graphs.length)

/** The workspace with these graphs, showing the graph at `at`. */
export function withGraphs(workspace: Workspace, all: readonly GraphFile[], at: number): Workspace {
  const { shapes: _shapes, graphs: _graphs, graphAt: _at, ...rest } = workspace
  const { shapes, ...graph } = all[at]!
  return {
    ...rest,
    graph,
    ...(shapes && { shapes }),
    ...(all.length > 1 && { graphs: all.toSpliced(at, 1), ...(at > 0 && { graphAt: at }) }),
  }
}

/** The workspace showing another of its graphs; the same object if no other graph has that name. */
export function withGraphShown(workspace: Workspace, name: string): Workspace {
  const all = graphsOf(workspace)
  const at = all.findIndex((g) => g.name === name)
  return at < 0 || name === workspace.graph.name ? workspace : withGraphs(workspace, all, at)
}
