/**
 * Counts the matches of a folder's passes on a graph, without a report. Python runs again only for other code, or for a graph
 * that calls custom operators otherwise: schemas are guessed and versions chosen by the calls of the graph.
 */
import { formatProblem, Node, type Graph } from '../../fx'
import type { PatternRegistry } from '../../matcher'
import { plainText } from '../../base/message'
import { hashText } from '../../base/hash'
import type { PythonHost, PythonRun } from '../../python/types'
import { callOf } from '../../trace/schema_versions'
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
  /** customCalls of the graph that it ran for. */
  calls: string
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
    const calls = customCalls(graph)
    if (known?.key === key && known.calls === calls && context.holds(known.registry)) return known
    const { host, tracer } = context
    tracer.begins?.(graph)
    const registry = context.register()
    const python = host.run(pythonFiles(workspace), environment)
    this.executed = { key, python, registry, calls }
    return this.executed
  }
}

/** The forms in which a graph calls operators other than aten's, and the items that it takes of them. */
function customCalls(graph: Graph): string {
  const forms = new Set<string>()
  for (const node of graph.nodes()) {
    const [of, index] = node.args
    const item = node.target === 'operator.getitem' && of instanceof Node
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

function placed(python: PythonRun, causes: ReturnType<typeof earlyCauses>): string {
  const at = python.failure!.frames.at(-1)
  return `${at ? `${at.file}:${at.line}: ` : ''}${failureText(python.failure!, causes)}`
}
