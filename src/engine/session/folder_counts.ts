/**
 * Counts the matches of a folder's passes on a graph, without a report. Python runs again only for different code, or for a graph
 * that calls custom operators differently, because its calls decide guessed schemas and versions.
 */
import { formatProblem, Node, type Graph, isGetitem } from '../../fx'
import { plainText } from '../../base/message'
import { sha256 } from '../../base/sha256'
import type { PythonFailure } from '../../python/types'
import { callOf } from '../../trace/schema_versions'
import { shownGraph } from '../../workspace/graphs'
import { pythonFiles } from '../../workspace/python_files'
import type { Workspace } from '../../workspace/types'
import { caseStages, ranStages } from '../cases/case_output'
import { readGraph } from '../cases/graph_file'
import type { Cause } from '../protocol'
import { failureText, outcomeText, uncalledIn } from '../report/file_outcomes'
import type { Interpreter, Registrations } from '../run/interpreter'
import { applyTo } from '../run/run'
import { shapedGraph } from '../shapes/shaped_graph'
import { countPlaces, unshapedPlaces } from '../shapes/unshaped'
import type { FolderCounts } from '../table/types'

/** Code whose registrations are kept. */
interface Known {
  key: string
  /** The customCalls of the graph that it ran for. */
  calls: string
  registrations: Registrations
}

export class FolderCounter {
  private known: Known | null = null

  constructor(private readonly interpreter: Interpreter) {}

  /** @param workspace its passes are counted on its shown graph */
  count(workspace: Workspace): FolderCounts {
    const { tracer } = this.interpreter
    const source = readGraph(shownGraph(workspace))
    const run = applyTo(this.interpreter, this.registered(workspace, source.graph), {
      files: pythonFiles(workspace),
      environment: workspace.environment,
      graph: source.graph,
      shaped: () => shapedGraph(source.graph, workspace.inputShapes ?? {}, tracer),
      listed: workspace.passes,
      detail: 'attempts',
    })
    const failedFiles = run.outcomes.filter((f) => f.failure ?? f.stoppedBy).map((f) => `${f.file}: ${outcomeText(f)}`)
    const notes = [...failedFiles]
    const uncalled = uncalledIn(run.outcomes)
    const [problem] = source.problems
    if (problem) notes.push(formatProblem(problem))
    if (run.failure) return { passes: [], failure: placed(run.failure, run.causes), notes: [], uncalled }
    const passes = caseStages(ranStages(run.pipeline))
      .filter((s) => s.at !== null)
      .map(({ stage, at, count, apply_error }) => {
        const { pass } = run.pipeline.stages[at! - 1]!
        const applied = pass === null ? null : run.pipeline.passes[pass]!
        return {
          pass: applied?.key ?? stage,
          patterns: applied?.toExplain.entries.length ?? 0,
          count,
          unshaped: applied ? countPlaces(unshapedPlaces(applied, new Map())) : 0,
          error: apply_error,
        }
      })
    const none = failedFiles[0] ?? (run.causes[0] ? plainText(run.causes[0].parts) : NO_PASS)
    return { passes, failure: passes.length > 0 ? null : none, notes, uncalled }
  }

  private registered(workspace: Workspace, graph: Graph): Registrations {
    const { files, environment } = workspace
    const key = sha256(JSON.stringify([files, environment]))
    const calls = customCalls(graph)
    if (this.known?.key !== key || this.known.calls !== calls) {
      const code = { files: pythonFiles(workspace), environment }
      this.known = { key, calls, registrations: this.interpreter.load(code, graph) }
    }
    return this.known.registrations
  }
}

/** The forms of the graph's calls of operators other than aten's, and the items that it takes from them. */
function customCalls(graph: Graph): string {
  const forms = new Set<string>()
  for (const node of graph.nodes()) {
    const [of, index] = node.args
    const item = isGetitem(node) && of instanceof Node
    const call = callOf(item ? of : node)
    if (!call || /^(aten|prims)\./.test(call.target)) continue
    const { positional, keywords, functionalized } = call.shape
    forms.add(
      item ? `${call.target}[${String(index)}]` : JSON.stringify([call.target, positional, keywords, functionalized]),
    )
  }
  return [...forms].sort().join('\n')
}

const NO_PASS = 'No pass runs: the files define no PatternMatcherPass, or none applies here.'

function placed(failure: PythonFailure, causes: readonly Cause[]): string {
  const at = failure.frames.at(-1)
  return `${at ? `${at.file}:${at.line}: ` : ''}${failureText(failure, causes)}`
}
