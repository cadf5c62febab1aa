/** The graphs of a workspace, in order; one of them is shown. */
import type { GraphFile, Workspace } from './types'

type Graphs = Pick<Workspace, 'graph' | 'shapes' | 'graphs' | 'graphAt'>

/** All graphs, the shown one in its place. */
export function graphsOf(workspace: Graphs): GraphFile[] {
  const { graph, shapes, graphs = [] } = workspace
  return graphs.toSpliced(shownAt(workspace), 0, { name: graph.name, text: graph.text, ...(shapes && { shapes }) })
}

/** The place of the shown graph among all. */
export const shownAt = ({ graphs = [], graphAt = 0 }: Graphs): number => Math.min(graphAt, graphs.length)

/** The workspace with these graphs, of which the one at `at` is shown. */
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

/** The workspace with another of its graphs shown; the same object when there is none of that name to change to. */
export function withGraphShown(workspace: Workspace, name: string): Workspace {
  const all = graphsOf(workspace)
  const at = all.findIndex((g) => g.name === name)
  return at < 0 || name === workspace.graph.name ? workspace : withGraphs(workspace, all, at)
}
