/** Compares a graph of the workspace with the shown graph. */
import type { Graph } from '../../fx'
import { explainPair } from '../../explain/explain'
import { graphsOf } from '../../workspace/graphs'
import type { GraphFile, Workspace } from '../../workspace/types'
import type { Tracer } from '../../trace/types'
import { readGraph } from '../cases/graph_file'
import { compareRuns } from '../compare/compare_runs'
import type { CompareReport } from '../compare/types'
import { complete } from '../../explain/pace'
import type { Interpreter } from '../run/interpreter'
import { applyElsewhere, type Run } from '../run/run'
import type { ReportedPass } from '../report/pass_report'
import { shapedGraph } from '../shapes/shaped_graph'

export interface CompareSource {
  /** Leases Python for the run. */
  interpreter: Interpreter
  workspace: Workspace
  /** The run of the shown graph, and the reports of its passes. */
  run: Run
  passes: readonly ReportedPass[]
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
  const { workspace, interpreter, run, passes } = from
  const rerun = (graph: Graph) => complete(applyElsewhere(interpreter, run, graph, 'counts'))
  const other = graphOfFile(otherFile(workspace, name), interpreter.tracer)
  const shown = { name: workspace.graph.name, graph: run.graph, run: run.pipeline }
  const compared = { name, graph: other, run: rerun(other) }
  const [old, now] = role === 'old' ? [compared, shown] : [shown, compared]
  const byKey = new Map(passes.map((p) => [p.report.name, p]))
  return compareRuns(old, now, {
    rerun,
    titleOf: (pass, entry) => byKey.get(pass)?.report.entries[entry]?.title ?? pass,
    causeAt: (pass, entry, node) => {
      const applied = now.run.passes.find((p) => p.key === pass)
      const fold = applied?.toExplain.graph.find(node) ? explainPair(applied.toExplain, entry, node) : null
      return fold?.causes?.[0]?.sentence ?? null
    },
  })
}
