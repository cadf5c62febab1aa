/** One engine: the tracer, Python once it has loaded, and what the last analysis left to ask about. */
import { clone, printGraph, printReadable, type Graph, type Node, type Problem } from '../../fx'
import { findFixes, type FixBudget } from '../../explain/fixes/search'
import type { RunPrograms } from '../../gpu/types'
import { PatternRegistry, type PatternRegistryOptions } from '../../matcher'
import { createPythonHost } from '../../python/host'
import type { PythonAssets, PythonHost, PythonRun } from '../../python/types'
import { createTracer } from '../../trace'
import type { Tracer } from '../../trace/types'
import type { TextFile, Workspace } from '../../workspace/types'
import { planPipeline } from '../pipeline/plan'
import { runPipeline, runStages, type PipelineContext, type PipelineRun } from '../pipeline/run'
import { reportPass, type ReportedPass } from '../report/pass_report'
import { registryOptions, schemasOf, sinkOf } from './registering'
import { graphPrograms } from '../programs/run_program'
import { matchPrograms, registeredPrograms } from './session_programs'
import type {
  Cause,
  FixesFound,
  GraphColumn,
  GraphView,
  PassExplained,
  PinAnswer,
  PythonProblem,
  Report,
} from '../protocol'
import { complete } from '../../explain/pace'
import { earlyCauses, explainPasses } from './explaining'
import { FixTrials } from './fix_trials'
import { withColumn, withExplained, withFixes } from './found'
import { GraphColumns } from './graph_columns'
import { graphKey, readGraph } from '../cases/graph_file'
import { hashText } from '../../base/hash'
import { pinAnswer } from './pin'
import { reportPipeline } from '../pipeline/pipeline_report'
import { StageGraphs, type KeyedStage } from '../pipeline/stage_graphs'
import { timelineOf } from './steps'
import type { Timeline } from './steps_types'
import { registrationTree } from '../report/tree'
import { removeDeadCode } from '../pipeline/dead_code'
import { viewOf } from '../report/views'

export interface ReadGraph {
  key: string
  graph: Graph
  view: GraphView
  problems: Problem[]
  ms: number
}

export interface Analysis {
  report: Report
  /** Equal keys mean equal graph views. */
  graphKey: string
  afterKey: string | null
}

export class Session {
  readonly ready: Promise<void>
  private host: PythonHost | null = null
  private readonly tracer: Tracer = createTracer()
  private readonly schemaOf = schemasOf(this.tracer)
  private registry = this.newRegistry()
  private lastRead: ReadGraph | null = null
  private lastAfter: { key: string; graph: Graph; view: GraphView } | null = null
  private passes: ReportedPass[] = []
  private pipeline: PipelineRun | null = null
  /** The graphs between the passes of the last analysis; null when its Python failed. */
  private stages: StageGraphs | null = null
  /** What the last analysis was of, and what has been found out about it. */
  private last: { workspace: Workspace; causes: readonly Cause[]; explained: PassExplained[] | null } | null = null
  private readonly columns = new GraphColumns()
  /** Python holds a trial's registrations and not the last analysis's. */
  private lent = false

  /** @param onReady Python has loaded; runs before any user code */
  constructor(assets: PythonAssets, onReady?: () => void) {
    this.ready = createPythonHost({
      assets,
      tracer: this.tracer,
      sink: sinkOf(() => this.registry),
    }).then((host) => {
      this.host = host
      onReady?.()
    })
  }

  pythonReady(): boolean {
    return this.host !== null
  }

  /** Python cannot run anything any more: end this session and make another. */
  broken(): boolean {
    return this.host?.broken ?? false
  }

  /** The workspace's graph; read again only when its text changed. */
  read(workspace: Workspace): ReadGraph {
    const file = { ...workspace.graph, shapes: workspace.shapes }
    const key = graphKey(file)
    if (this.lastRead?.key === key) return this.lastRead
    const started = performance.now()
    const { graph, problems } = readGraph(file)
    const view = viewOf(graph, problems)
    this.lastRead = { key, graph, view, problems, ms: performance.now() - started }
    return this.lastRead
  }

  /**
   * Runs the workspace's Python and applies its passes to a copy of its graph. Python must be ready. Why the rest did
   * not fire is not in the report yet: see `explain`, or `analyzeWhole`.
   */
  analyze(workspace: Workspace): Analysis {
    const host = this.host
    if (!host) throw new Error('analyze before Python is ready')
    const started = performance.now()
    const source = this.read(workspace)
    const { python: run, pipeline } = this.execute(host, workspace, source.graph)
    const after = run.failure ? null : this.finish(pipeline.graph)
    const copies = after ? [...pipeline.stages, { after: after.swept, copies: after.copies }] : []
    this.stages = after && new StageGraphs(source.graph, copies, source, after)
    const reports = this.passes.map((p) => p.report)
    const { tests, stubs } = run.failure ? { tests: [], stubs: run.stubs } : host.runTests(source.graph)
    const files = pythonFiles(workspace)
    const syntaxOf = (text: string) => host.syntax(text)
    const python: PythonProblem | null = run.failure
    const report: Report = {
      v: 1,
      graph: source.view,
      after: after?.view ?? null,
      passes: reports,
      tree: registrationTree(reports),
      ...(this.stages && {
        pipeline: reportPipeline({
          workspace,
          files,
          asked: run.asked,
          run: pipeline,
          reports,
          graphs: this.stages,
          entriesIn: (passId) => this.registry.pass(passId).entries.length,
          syntaxOf,
        }),
      }),
      python,
      causes: earlyCauses(run),
      problems: source.problems,
      ...(tests.length > 0 && { tests }),
      console: [...run.console, ...host.drainConsole()],
      stubs,
      ...(run.asked.length > 0 && {
        asked: run.asked.map(({ question, answer, source }) => ({ question, answer, source })),
      }),
      inferredOps: [...this.tracer.inferredOps],
      timings: { parseMs: source.ms, pythonMs: run.ms, applyMs: pipeline.ms, totalMs: performance.now() - started },
    }
    this.last = { workspace, causes: report.causes ?? [], explained: null }
    return { report, graphKey: source.key, afterKey: after?.key ?? null }
  }

  private execute(host: PythonHost, workspace: Workspace, graph: Graph): { python: PythonRun; pipeline: PipelineRun } {
    this.registry = this.newRegistry()
    this.lent = false
    const python = host.run(pythonFiles(workspace), workspace.environment)
    const plan = planPipeline(python, workspace.passes)
    const pipeline = runPipeline(graph, plan, this.context(host, 'report'))
    this.pipeline = pipeline
    this.passes = pipeline.passes.map((p) => reportPass(p, this.registry))
    return { python, pipeline }
  }

  private context(host: PythonHost, detail: PipelineContext['detail']): PipelineContext {
    const { registry, tracer, schemaOf } = this
    return { registry, host, tracer, schemaOf, detail }
  }

  /** Python as the last analysis left it: trying fixes runs other code in it. */
  private reclaim(): void {
    if (!this.lent || !this.host || !this.last) return
    this.execute(this.host, this.last.workspace, this.read(this.last.workspace).graph)
    this.host.drainConsole()
  }

  /** Why the patterns of the last analysis did not fire. Yields where it may be left; a new analysis ends it. */
  *explain(): Generator<void, PassExplained[]> {
    const { last } = this
    this.reclaim()
    const slices = explainPasses(this.passes, () => this.registry)
    for (;;) {
      const step = slices.next()
      if (step.done) {
        if (this.last === last && last) last.explained = step.value
        // What search functions print has been told with the report.
        this.host?.drainConsole()
        return step.value
      }
      yield
      if (this.last !== last) return []
    }
  }

  /**
   * What the passes of the last analysis do on each graph of its workspace, one after the other; null where it may be
   * left. A new analysis ends it.
   */
  *graphColumns(): Generator<GraphColumn | null> {
    const { last, host } = this
    if (!last?.workspace.graphs || !host || this.stages === null) return
    const { problems } = this.read(last.workspace)
    const shown = { graph: last.workspace.graph.name, problems, passes: this.passes }
    const run = (graph: Graph) => {
      this.reclaim()
      return runStages(graph, this.pipeline!.plan, this.context(host, 'counts'))
    }
    for (const found of this.columns.of(last.workspace, shown, run)) {
      this.host?.drainConsole()
      yield found
      if (this.last !== last) return
    }
  }

  /**
   * Repairs of what was explained, as they are found; null between two tries, where it may be left. A new analysis
   * ends it. Later questions about the last analysis are answered as before.
   * @returns whether the search ended before everything was tried
   */
  *fixes(budget?: FixBudget): Generator<FixesFound[] | null, { cut: boolean }> {
    const { host, last } = this
    if (!host || !last) return { cut: true }
    const { workspace, causes, explained } = last
    const trials = this.fixTrials()
    const passes = (explained ?? []).map((e) => ({ ...e, key: this.passes[e.pass]?.key ?? '' }))
    const search = findFixes(trials, { files: pythonFiles(workspace), causes, passes }, budget)
    for (;;) {
      const step = search.next()
      if (step.done) return step.value
      yield step.value
      if (this.last !== last || host.broken) return { cut: true }
      if (!this.lent) trials.forget()
    }
  }

  /** What tries fixes of the last analysis. @throws Error when nothing was analyzed */
  fixTrials(): FixTrials {
    if (!this.host || !this.last) throw new Error('Nothing has been analyzed yet.')
    const { workspace } = this.last
    return new FixTrials({
      host: this.host,
      tracer: this.tracer,
      schemaOf: this.schemaOf,
      options: this.registryOptions(),
      register: (registry) => {
        this.registry = registry
        this.lent = true
      },
      holds: (registry) => this.registry === registry,
      graph: this.read(workspace).graph,
      passes: workspace.passes,
      environment: workspace.environment,
    })
  }

  /**
   * The whole report at once, for the terminal and for reports that are stored.
   * @param fixes whether repairs are looked for too: some runs of the workspace for each cause
   */
  analyzeWhole(workspace: Workspace, { fixes = false }: { fixes?: boolean } = {}): Analysis {
    const analysis = this.analyze(workspace)
    const explained = complete(this.explain())
    const passes = analysis.report.passes.map((p, i) => withExplained(p, explained[i]!))
    let report: Report = { ...analysis.report, passes }
    for (const column of this.graphColumns()) if (column) report = withColumn(report, column)
    if (fixes) for (const found of this.fixes()) report = (found ?? []).reduce(withFixes, report)
    return { ...analysis, report }
  }

  print(workspace: Workspace, as: 'fx' | 'readable', which: 'before' | 'after'): string {
    const graph = which === 'after' ? (this.lastAfter?.graph ?? this.read(workspace).graph) : this.read(workspace).graph
    return as === 'fx' ? printGraph(graph) : printReadable(graph, { stride: true, device: true })
  }

  program(pass: string, match: number): RunPrograms {
    return matchPrograms(this.passes, pass, match)
  }

  /**
   * The two sides of a registration, traced over inputs of these shapes (by argument; the example's where none is
   * given). @throws Error, one plain sentence
   */
  variantProgram(pass: string, entry: number, shapes: Record<string, number[]>): RunPrograms {
    this.reclaim()
    try {
      return registeredPrograms(this.passes, this.registry, pass, entry, shapes)
    } finally {
      this.host?.drainConsole()
    }
  }

  /** The whole graph before and after the passes of the last analysis. @throws Error, one plain sentence */
  graphProgram(): RunPrograms {
    const first = this.passes[0]
    if (!first || !this.last || !this.lastAfter) throw new Error('No pass has run, so there is no graph after it.')
    return graphPrograms(`${this.last.workspace.graph.name}, before and after`, first.before, this.lastAfter.graph)
  }

  /** What a pass of the last analysis did at one node, step by step. @throws Error when there is no such pass */
  steps(pass: string, entry: number | null, node: string): Timeline {
    this.reclaim()
    const applied = this.passes.find((p) => p.report.name === pass)
    if (!applied) throw new Error(`The pass ${pass} is not in the last run. Run the patterns again.`)
    const { before, passId } = applied
    const timeline = timelineOf(this.registry, { name: pass, passId, before }, entry, node)
    // What extra_checks and handlers print has been told with the report.
    this.host?.drainConsole()
    return timeline
  }

  /** The graph after a stage of the last analysis; 0: as it was given. @throws Error, one plain sentence */
  stage(at: number): KeyedStage {
    if (!this.stages) throw new Error('No pass has run, so there is no graph between passes.')
    return this.stages.view(at)
  }

  /** One pattern at one node of the last analysis. @throws Error when there is no such pass, pattern or node */
  pin(pass: string, entry: number, node: string): PinAnswer {
    this.reclaim()
    return pinAnswer(this.passes, pass, entry, node)
  }

  /** Dead code goes, and an equal outcome keeps its view. */
  private finish(graph: Graph): { key: string; view: GraphView; swept: Graph; copies: ReadonlyMap<Node, Node> } {
    const { graph: swept, map: copies } = clone(graph)
    removeDeadCode(swept, this.schemaOf)
    const key = `${this.lastRead!.key}:${hashText(printGraph(swept))}`
    if (this.lastAfter?.key !== key) this.lastAfter = { key, graph: swept, view: viewOf(swept) }
    return { key, view: this.lastAfter.view, swept, copies }
  }

  private newRegistry(): PatternRegistry {
    return new PatternRegistry(this.registryOptions())
  }

  private registryOptions(): PatternRegistryOptions {
    return registryOptions(this.tracer, () => this.host!)
  }
}

/** What Python runs: a `.wgsl` file is a kernel for src/gpu. */
const pythonFiles = (workspace: Workspace): TextFile[] => workspace.files.filter((f) => !f.name.endsWith('.wgsl'))

export function createSession(assets: PythonAssets, onReady?: () => void): Session {
  return new Session(assets, onReady)
}
