/** Runs a workspace for an export: on each of its graphs, with the operator calls that the tracer runs. */
import { complete } from '../../explain/pace'
import type { ObservedCall } from '../../trace/operator_usage'
import { graphsOf } from '../../workspace/graphs'
import type { Workspace } from '../../workspace/types'
import { readGraph } from '../cases/graph_file'
import type { RecordedRun } from '../capture/records'
import { exportWorkspace } from '../export/export_workspace'
import { observedCall, type OperatorCall } from '../export/operator_calls'
import type { Exported, ExportKind } from '../export/types'
import type { Interpreter } from '../run/interpreter'
import { applyElsewhere, type Run } from '../run/run'
import { shapedGraph } from '../shapes/shaped_graph'

export interface ExportRun {
  interpreter: Interpreter
  workspace: Workspace
  /** The Python files of our library, by path. */
  library: Readonly<Record<string, string>>
  /** Runs the files and the passes on the shown graph. */
  run(): Run
  /** The captured run whose patterns a run applied; null if its files registered them. */
  recordedOf(run: Run): RecordedRun | null
}

/** Maximum number of calls kept per operator: a formula for its shapes needs no more. */
const MAX_CALLS = 200

/**
 * @param failing true to export files that raise too: PyTorch then shows whether they raise there
 * @throws Error, one plain sentence, if the Python failed
 */
export function exportOf(kind: ExportKind, from: ExportRun, failing = false): Exported {
  const { workspace, interpreter, library } = from
  const { tracer } = interpreter
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
  usage.observer = observe
  try {
    const run = from.run()
    const { failure, pipeline, registrations } = run
    if (failure && !failing)
      throw new Error(
        `The workspace cannot be exported: its Python raises ${failure.type}: ${failure.message.split('\n')[0]}`,
      )
    const recorded = from.recordedOf(run)
    return interpreter.with(registrations, () => {
      const graphs = (recorded ? [] : graphsOf(workspace)).map((file) => {
        if (file.name === workspace.graph.name) return { name: file.name, graph: run.graph, pipeline }
        const { graph } = shapedGraph(readGraph(file).graph, file.inputShapes ?? {}, tracer)
        return { name: file.name, graph, pipeline: complete(applyElsewhere(interpreter, run, graph, 'counts')) }
      })
      const { python } = registrations
      return exportWorkspace({ workspace, python, pipeline, graphs, tracer, observed, library, recorded }, kind)
    })
  } finally {
    usage.observer = null
  }
}
