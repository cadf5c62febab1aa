/** Runs a workspace for an export: on each of its graphs, with the operator calls that the tracer runs. */
import type { Graph } from '../../fx'
import type { PythonRun } from '../../python/types'
import type { ObservedCall } from '../../trace/operator_usage'
import type { Tracer } from '../../trace/types'
import { graphsOf } from '../../workspace/graphs'
import type { Workspace } from '../../workspace/types'
import { readGraph } from '../cases/graph_file'
import type { RecordedRun } from '../capture/types'
import { exportWorkspace } from '../export/export_workspace'
import { observedCall, type OperatorCall } from '../export/operator_calls'
import type { Exported, ExportKind } from '../export/types'
import type { PipelinePlan } from '../pipeline/plan'
import type { PipelineRun } from '../pipeline/run'
import { shapedGraph } from '../shapes/shaped_graph'

export interface ExportRun {
  workspace: Workspace
  tracer: Tracer
  /** Our Python files, by path. */
  library: Readonly<Record<string, string>>
  /** Runs the files and the passes on the shown graph. */
  execute(): { python: PythonRun; pipeline: PipelineRun; source: { graph: Graph } }
  run(graph: Graph, plan: PipelinePlan): PipelineRun
  /** After `execute`: the captured run whose patterns it applied; null if the files registered them. */
  recorded(): RecordedRun | null
  done(): void
}

/** Calls kept by operator: a formula for its shapes needs no more. */
const MAX_CALLS = 200

/** @throws Error, one plain sentence, if the Python failed */
export function exportOf(kind: ExportKind, from: ExportRun): Exported {
  const { workspace, tracer, library } = from
  const observed: OperatorCall[] = []
  const seen = new Map<string, number>()
  const { usage } = tracer
  const observe = (call: ObservedCall): void => {
    const { name } = call.schema
    // The result of an operator that nobody declared is a guess.
    if (/^(?:aten|prims)\./.test(name) || tracer.inferredOps.has(name)) return
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    if (count <= MAX_CALLS) observed.push(observedCall(call))
  }
  if (usage) usage.observer = observe
  try {
    const { python, pipeline, source } = from.execute()
    if (python.failure)
      throw new Error(
        `The workspace cannot be exported: its Python raises ${python.failure.type}: ${python.failure.message.split('\n')[0]}`,
      )
    const recorded = from.recorded()
    const graphs = (recorded ? [] : graphsOf(workspace)).map((file) => {
      if (file.name === workspace.graph.name) return { name: file.name, graph: source.graph, pipeline }
      const { graph } = shapedGraph(readGraph(file).graph, file.inputShapes ?? {}, tracer)
      return { name: file.name, graph, pipeline: from.run(graph, pipeline.plan) }
    })
    return exportWorkspace({ workspace, python, pipeline, graphs, tracer, observed, library, recorded }, kind)
  } finally {
    if (usage) usage.observer = null
    from.done()
  }
}
