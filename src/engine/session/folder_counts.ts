/**
 * Counts the matches of a folder's passes on a graph, without a report. Python runs again only for other code, or where
 * the registrations may depend on the graph: operators were guessed from its calls.
 */
import type { Graph } from '../../fx'
import { formatProblem } from '../../fx'
import type { PatternRegistry } from '../../matcher'
import { plainText } from '../../base/message'
import { hashText } from '../../base/hash'
import type { PythonHost, PythonRun } from '../../python/types'
import type { Tracer } from '../../trace/types'
import { shownGraph } from '../../workspace/graphs'
import { pythonFiles } from '../../workspace/python_files'
import type { Workspace } from '../../workspace/types'
import { caseStages } from '../cases/case_output'
import { readGraph } from '../cases/graph_file'
import { planPipeline } from '../pipeline/plan'
import type { PipelineContext } from '../pipeline/context'
import { runPipeline } from '../pipeline/run'
import { failureText, outcomeText, uncalledIn } from '../report/file_outcomes'
import { shapedGraph } from '../shapes/shaped_graph'
import { countPlaces, unshapedPlaces } from '../shapes/unshaped'
import type { FolderCounts } from '../table/types'
import { earlyCauses } from './explaining'

interface CountingContext {
  host: PythonHost
  tracer: Tracer
  schemaOf: PipelineContext['schemaOf']
  /** A fresh registry, which the host registers into from now on. */
  register(): PatternRegistry
  /** True while the host's registrations are those of a registry. */
  holds(registry: PatternRegistry): boolean
}

/** Code that Python holds. */
interface Executed {
  key: string
  python: PythonRun
  registry: PatternRegistry
  /** The registrations do not depend on the graph. */
  anyGraph: boolean
}

export class FolderCounter {
  private executed: Executed | null = null

  /** @param workspace its passes are counted on its shown graph */
  count(workspace: Workspace, context: CountingContext): FolderCounts {
    const { host, tracer } = context
    const source = readGraph(shownGraph(workspace))
    const { python, registry } = this.execute(workspace, source.graph, context)
    const early = earlyCauses(python, registry, tracer.guessedSchemas?.())
    const failedFiles = python.files.filter((f) => f.failure ?? f.stoppedBy).map((f) => `${f.file}: ${outcomeText(f)}`)
    const notes = [...failedFiles]
    const uncalled = uncalledIn(python.files)
    const [problem] = source.problems
    if (problem) notes.push(formatProblem(problem))
    host.drainConsole()
    if (python.failure) return { passes: [], failure: placed(python, early), notes: [], uncalled }
    const graph = shapedGraph(source.graph, workspace.inputShapes ?? {}, tracer).graph
    const run = runPipeline(graph, planPipeline(python, workspace.passes), {
      registry,
      host,
      tracer,
      schemaOf: context.schemaOf,
      detail: 'attempts',
    })
    host.drainConsole()
    const passes = caseStages(run)
      .filter((s) => s.at !== null)
      .map(({ stage, pass, count, apply_error }) => {
        const applied = pass === null ? null : run.passes[pass]!
        return {
          pass: applied?.key ?? stage,
          patterns: applied?.toExplain.entries.length ?? 0,
          count,
          unshaped: applied ? countPlaces(unshapedPlaces(applied, new Map())) : 0,
          error: apply_error,
        }
      })
    const none = failedFiles[0] ?? (early[0] ? plainText(early[0].parts) : NO_PASS)
    return { passes, failure: passes.length > 0 ? null : none, notes, uncalled }
  }

  private execute(workspace: Workspace, graph: Graph, context: CountingContext): Executed {
    const { files, environment } = workspace
    const key = hashText(JSON.stringify([files, environment]))
    const known = this.executed
    if (known?.key === key && known.anyGraph && context.holds(known.registry)) return known
    const { host, tracer } = context
    tracer.begins?.(graph)
    const registry = context.register()
    const python = host.run(pythonFiles(workspace), environment)
    const guessed = (tracer.guessedSchemas?.().size ?? 0) + (tracer.schemaChoices?.().length ?? 0)
    this.executed = { key, python, registry, anyGraph: guessed === 0 && !python.failure }
    return this.executed
  }
}

const NO_PASS = 'No pass runs: the files define no PatternMatcherPass, or none applies here.'

function placed(python: PythonRun, causes: ReturnType<typeof earlyCauses>): string {
  const at = python.failure!.frames.at(-1)
  return `${at ? `${at.file}:${at.line}: ` : ''}${failureText(python.failure!, causes)}`
}
