/** Compares a graph of the workspace with the one that is shown. */
import type { Graph } from '../../fx'
import { explainPair } from '../../explain/explain'
import { graphsOf } from '../../workspace/graphs'
import type { GraphFile, Workspace } from '../../workspace/types'
import type { Tracer } from '../../trace/types'
import { readGraph } from '../cases/graph_file'
import { compareRuns } from '../compare/compare_runs'
import type { CompareReport } from '../compare/types'
import type { PipelineRun } from '../pipeline/run'
import type { ReportedPass } from '../report/pass_report'
import { shapedGraph } from '../shapes/shaped_graph'

export interface CompareSource {
  workspace: Workspace
  /** The shown graph, its run, and the reports of its passes. */
  graph: Graph
  pipeline: PipelineRun
  passes: readonly ReportedPass[]
  tracer: Tracer
  run(graph: Graph): PipelineRun
}

/** @throws Error if the workspace has no such graph */
export function otherFile(workspace: Workspace, name: string): GraphFile {
  const file = graphsOf(workspace).find((g) => g.name === name && g.name !== workspace.graph.name)
  if (!file) throw new Error(`The workspace has no other graph ${name} to compare with.`)
  return file
}

export const graphOfFile = (file: GraphFile, tracer: Tracer): Graph =>
  shapedGraph(readGraph(file).graph, file.inputShapes ?? {}, tracer).graph

/**
 * @param name of the other graph
 * @param role of the other graph
 * @throws Error if the workspace has no such graph
 */
export function compareWith(name: string, role: 'old' | 'new', from: CompareSource): CompareReport {
  const { workspace, graph, pipeline, passes, tracer, run } = from
  const other = graphOfFile(otherFile(workspace, name), tracer)
  const shown = { name: workspace.graph.name, graph, run: pipeline }
  const compared = { name, graph: other, run: run(other) }
  const [old, now] = role === 'old' ? [compared, shown] : [shown, compared]
  const byKey = new Map(passes.map((p) => [p.report.name, p]))
  return compareRuns(old, now, {
    rerun: run,
    titleOf: (pass, entry) => byKey.get(pass)?.report.entries[entry]?.title ?? pass,
    causeAt: (pass, entry, node) => {
      const applied = now.run.passes.find((p) => p.key === pass)
      const fold = applied?.toExplain.graph.find(node) ? explainPair(applied.toExplain, entry, node) : null
      return fold?.causes?.[0]?.sentence ?? null
    },
  })
}
