/** Reads a graph's text, and an optional second text with its shapes, into one Graph. */
import { mergeDifferences, mergeShapes, read, type Graph, type Problem } from '../../fx'
import type { GraphFile } from '../../workspace/types'
import { restoreStrings } from '../../ops/schema/string_arguments'
import type { GraphView } from '../report/graph_view'
import { viewOf } from '../report/views'

export function readGraph({ name, text, shapes }: GraphFile): { graph: Graph; problems: Problem[] } {
  const { graph, problems } = read(text, name)
  if (shapes) {
    const other = read(shapes.text, shapes.name)
    problems.push(...other.problems, ...mergeDifferences(graph, other.graph, { graph: name, other: shapes.name }))
    mergeShapes(graph, other.graph)
  }
  restoreStrings(graph)
  return { graph, problems }
}

/** The view of a graph that is not a file of the workspace, so that its nodes have no line. */
export function viewOfText(text: string): GraphView {
  const { graph, problems } = readGraph({ name: '', text })
  const view = viewOf(graph, problems)
  return { ...view, nodes: view.nodes.map((n) => ({ ...n, textLine: null })) }
}
