/** Counts the matches of a folder's passes on a graph, without a report. */
import { formatProblem } from '../../fx'
import { plainText } from '../../base/message'
import type { PythonFailure } from '../../python/types'
import { shownGraph } from '../../workspace/graphs'
import { pythonFiles } from '../../workspace/python_files'
import type { Workspace } from '../../workspace/types'
import { caseStages, ranStages } from '../cases/case_output'
import { readGraph } from '../cases/graph_file'
import type { Cause } from '../protocol'
import { failureText, outcomeText, uncalledIn } from '../report/file_outcomes'
import type { Interpreter } from '../run/interpreter'
import { KeptRegistrations } from '../run/kept_registrations'
import { applyTo } from '../run/run'
import { shapedGraph } from '../shapes/shaped_graph'
import { countPlaces, unshapedPlaces } from '../shapes/unshaped'
import type { FolderCounts } from '../table/types'

export class FolderCounter {
  private readonly kept: KeptRegistrations

  constructor(private readonly interpreter: Interpreter) {
    this.kept = new KeptRegistrations(interpreter)
  }

  /** @param workspace its passes are counted on its shown graph */
  count(workspace: Workspace): FolderCounts {
    const { tracer } = this.interpreter
    const source = readGraph(shownGraph(workspace))
    const code = { files: pythonFiles(workspace), environment: workspace.environment }
    const run = applyTo(this.interpreter, this.kept.of(code, source.graph), {
      ...code,
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
}

const NO_PASS = 'No pass runs: the files define no PatternMatcherPass, or none applies here.'

function placed(failure: PythonFailure, causes: readonly Cause[]): string {
  const at = failure.frames.at(-1)
  return `${at ? `${at.file}:${at.line}: ` : ''}${failureText(failure, causes)}`
}
