/**
 * One engine: the tracer, Python once it has loaded, and the state of the last analysis for later requests.
 * Reason for length: one method for each request of the worker.
 */
import type { Graph } from '../../fx'
import { findFixes, type FixBudget } from '../../explain/fixes/search'
import type { RunPrograms } from '../../gpu/types'
import { PatternRegistry, type PatternRegistryOptions } from '../../matcher'
import type { StubDecision } from '../../matcher/types'
import { createPythonHost } from '../../python/host'
import type { PythonAssets, PythonHost, PythonRun } from '../../python/types'
import { createTracer } from '../../trace'
import type { Tracer } from '../../trace/types'
import { pythonFiles } from '../../workspace/python_files'
import { DEFAULT_ENVIRONMENT, type Workspace } from '../../workspace/types'
import { reportAnalysis } from './analysis_report'
import { withGuesses } from '../shapes/with_guesses'
import { planPipeline } from '../pipeline/plan'
import type { PipelineContext } from '../pipeline/context'
import { Captures } from '../capture/captures'
import { isAsRecorded } from '../capture/workspace'
import { recordedPython, recordedSource } from '../capture/recorded_run'
import type { Replay } from '../capture/replay'
import { runPipeline, runStages, type PipelineRun } from '../pipeline/run'
import { withAdvice } from '../report/advice'
import { reportPass, type ReportedPass } from '../report/pass_report'
import { decidedAtLoad } from '../report/stub_decisions'
import { registryOptions, schemasOf, sinkOf } from './registering'
import { OperatorBodies } from '../programs/operator_bodies'
import { graphPrograms } from '../programs/run_program'
import { loweredText } from './lower'
import { matchPrograms, registeredPrograms } from './session_programs'
import type { Cause, FixesFound, GraphColumn, GraphShapes, PassExplained, PinAnswer, Report } from '../protocol'
import { complete } from '../../explain/pace'
import { explainPattern } from '../../explain/expressions/explain_pattern'
import type { ExplainedPattern } from '../../explain/expressions/types'
import { earlyCauses, explainPasses } from './explaining'
import { compareWith, graphOfFile, otherFile } from './comparing'
import { exportOf } from './exporting'
import type { CompareReport } from '../compare/types'
import { PatternTrials } from '../from_selection/pattern_trials'
import type { PatternOptions, SelectionAnswer } from '../from_selection/types'
import type { Exported, ExportKind } from '../export/types'
import { languageFacts } from '../language/facts'
import type { LanguageFacts } from '../language/types'
import type { FolderCounts } from '../table/types'
import { FixTrials } from './fix_trials'
import { FolderCounter } from './folder_counts'
import { withColumn, withExplained, withFixes } from './merge_results'
import { GraphCache, printAs, type ReadGraph } from './graph_cache'
import { GraphColumns } from './graph_columns'
import { pinAnswer } from './pin'
import { StageGraphs, type KeyedStage } from '../pipeline/stage_graphs'
import { timelineOf } from './steps'
import type { Timeline } from './steps_types'

export interface Analysis {
  report: Report
  /** Equal keys mean equal graph views. */
  graphKey: string
  afterKey: string | null
}

interface LastAnalysis {
  workspace: Workspace
  source: ReadGraph
  causes: readonly Cause[]
  explained: PassExplained[] | null
}

export class Session {
  readonly ready: Promise<void>
  private host: PythonHost | null = null
  private readonly tracer: Tracer = createTracer()
  private readonly schemaOf = schemasOf(this.tracer)
  private registry = this.newRegistry()
  private readonly graphs = new GraphCache(this.schemaOf, this.tracer)
  private passes: ReportedPass[] = []
  /** The registry of the last analysis, also while `registry` is that of a fix trial. */
  private analyzed = this.registry
  private pipeline: PipelineRun | null = null
  private readonly captures = new Captures()
  /** The captured passes of the last analysis; null if the workspace's Python ran. */
  private replayed: Replay | null = null
  /** The graphs between the passes of the last analysis; null when its Python failed. */
  private stages: StageGraphs | null = null
  private last: LastAnalysis | null = null
  /** Answers of stubs that decided what the files of the last analysis did as they were loaded. */
  private decided: readonly StubDecision[] = []
  /** Operators that functions of the last analysis compute: their definition sites, by target. */
  private bodies: PythonRun['bodies'] = new Map()
  private readonly columns = new GraphColumns()
  private readonly counter = new FolderCounter()
  /** True while Python holds the registrations of a fix trial instead of those of the last analysis. */
  private trialInPython = false

  /** @param onReady called once Python has loaded, before any user code runs */
  constructor(
    private readonly assets: PythonAssets,
    onReady?: () => void,
  ) {
    this.ready = createPythonHost({ assets, tracer: this.tracer, sink: sinkOf(() => this.registry) }).then((host) => {
      this.host = host
      onReady?.()
    })
  }

  pythonReady(): boolean {
    return this.host !== null
  }

  /** True if `analyze` runs no Python: the workspace is a capture, as it was recorded. */
  isRecorded(workspace: Workspace): boolean {
    return isAsRecorded(workspace)
  }

  /** Python is unusable: create another session. */
  broken(): boolean {
    return this.host?.broken ?? false
  }

  /** The workspace's graph; parsed again only when its text changes. */
  read(workspace: Workspace): ReadGraph {
    return this.graphs.read(workspace)
  }

  /**
   * Runs the workspace's Python and applies its passes to a copy of its graph. Python must be ready, unless the workspace
   * is as recorded. The report does not yet contain guesses of shapes, near misses and causes: see `guessShapes` and
   * `explain`, or `analyzeWhole`.
   */
  analyze(workspace: Workspace): Analysis {
    const { host } = this
    const started = performance.now()
    const { python: run, pipeline, source } = this.execute(workspace)
    const captured = this.captures.reportOf(workspace, this.passes, this.replayed)
    const after = run.failure ? null : this.graphs.finish(pipeline.graph)
    const copies = after ? [...pipeline.stages, { after: after.swept, copies: after.copies }] : []
    this.stages = after && new StageGraphs(source.graph, copies, source, after)
    const { tests, stubs } =
      run.failure || this.replayed ? { tests: [], stubs: run.stubs } : this.python().runTests(source.graph)
    const report = reportAnalysis({
      workspace,
      shapes: source.shapes,
      files: pythonFiles(workspace),
      source,
      python: { ...run, stubs, console: [...run.console, ...(host?.drainConsole() ?? [])] },
      early: earlyCauses(run, this.registry, this.tracer.guessedSchemas?.()),
      tests,
      pipeline,
      passes: this.passes.map((p) => p.report),
      graphs: this.stages,
      after: after?.view ?? null,
      entriesIn: (passId) => this.registry.pass(passId).entries.length,
      syntaxOf: (text) => (this.replayed ? null : this.python().syntax(text)),
      inferredOps: [...this.tracer.inferredOps],
      schemas: this.tracer.schemaChoices?.() ?? [],
      ...(captured && { capture: captured }),
    })
    report.timings.totalMs = performance.now() - started
    this.last = { workspace, source, causes: report.causes ?? [], explained: null }
    return { report, graphKey: source.key, afterKey: after?.key ?? null }
  }

  /** @throws Error before Python is ready */
  private python(): PythonHost {
    if (!this.host) throw new Error('Python is not ready yet.')
    return this.host
  }

  private execute(workspace: Workspace): { python: PythonRun; pipeline: PipelineRun; source: ReadGraph } {
    this.trialInPython = false
    this.tracer.begins?.(this.read(workspace).graph)
    const { tracer, schemaOf } = this
    this.replayed = this.captures.replay(workspace, { tracer, schemaOf, detail: 'report' })
    if (this.replayed) return this.takeReplay(this.replayed, workspace)
    const host = this.python()
    this.registry = this.newRegistry()
    const python = withAdvice(host.run(pythonFiles(workspace), workspace.environment))
    const source = this.graphs.readAfterPython(workspace)
    const plan = planPipeline(python, workspace.passes)
    const pipeline = runPipeline(source.graph, plan, this.context(host, 'report'))
    this.pipeline = pipeline
    this.decided = decidedAtLoad(python.stubs)
    this.bodies = python.bodies
    this.analyzed = this.registry
    this.passes = pipeline.passes.map((p) => reportPass(p, this.registry, source.missing))
    return { python, pipeline, source }
  }

  /** Passes of a capture, which need no Python. */
  private takeReplay(replayed: Replay, workspace: Workspace) {
    const { registry, pipeline } = replayed
    const source = recordedSource(this.read(workspace), replayed)
    this.registry = this.analyzed = registry
    this.pipeline = pipeline
    this.decided = []
    this.bodies = new Map()
    this.passes = pipeline.passes.map((p) => reportPass(p, registry))
    return { python: recordedPython(replayed), pipeline, source }
  }

  private context(host: PythonHost, detail: PipelineContext['detail']): PipelineContext {
    const { registry, tracer, schemaOf } = this
    return { registry, host, tracer, schemaOf, detail }
  }

  /** What the editor completes. The modules are as the user's files left them. */
  language(): LanguageFacts {
    return languageFacts(this.python(), this.tracer.declaredSchemas?.() ?? [])
  }

  /** Restores Python to the state after the last analysis: trials of fixes run other code in it. */
  private reclaim(): void {
    if (!this.trialInPython || !this.host || !this.last) return
    this.execute(this.last.workspace)
    this.host.drainConsole()
  }

  /** The shapes of the last analysis with guesses; null if its graph has all shapes. The caller may stop at a yield. */
  *guessShapes(): Generator<void, GraphShapes | null> {
    const { last } = this
    if (!last) return null
    return yield* withGuesses(last.source, this.passes, last.workspace.environment ?? DEFAULT_ENVIRONMENT)
  }

  /** Explains why patterns of the last analysis did not fire. The caller may stop at a yield; a new analysis ends it. */
  *explain(): Generator<void, PassExplained[]> {
    const { last } = this
    this.reclaim()
    const slices = explainPasses(
      this.passes,
      () => this.registry,
      this.decided,
      last ? pythonFiles(last.workspace).map((f) => f.text) : [],
    )
    for (;;) {
      const step = slices.next()
      if (step.done) {
        if (this.last === last && last) last.explained = step.value
        // Output of the search functions is already in the report.
        this.host?.drainConsole()
        return step.value
      }
      yield
      if (this.last !== last) return []
    }
  }

  /**
   * Counts of the last analysis's pipeline on each graph of its workspace; null at points where the caller may stop. A
   * new analysis ends it.
   */
  *graphColumns(): Generator<GraphColumn | null> {
    const { last, host } = this
    if (!last?.workspace.graphs || !host || this.stages === null || this.replayed) return
    const { problems } = this.read(last.workspace)
    const shown = { graph: last.workspace.graph.name, problems, passes: this.passes }
    const run = (graph: Graph) => {
      this.reclaim()
      return runStages(graph, this.pipeline!.plan, this.context(host, 'counts'))
    }
    for (const found of this.columns.of(last.workspace, shown, { run, tracer: this.tracer })) {
      this.host?.drainConsole()
      yield found
      if (this.last !== last) return
    }
  }

  /** Counts of the workspace's passes on its shown graph. Other requests about the last analysis still work. */
  counts(workspace: Workspace): FolderCounts {
    return this.counter.count(workspace, {
      host: this.python(),
      tracer: this.tracer,
      schemaOf: this.schemaOf,
      register: () => {
        this.registry = this.newRegistry()
        this.trialInPython = true
        return this.registry
      },
      holds: (registry) => this.registry === registry,
    })
  }

  /**
   * Fixes for the explained causes, as they are found; null between two trials, where the caller may stop. A new analysis
   * ends it. Other requests about the last analysis still work.
   * @returns true if the search ended before everything was tried
   */
  *fixes(budget?: FixBudget): Generator<FixesFound[] | null, { cut: boolean }> {
    const { host, last } = this
    // Recorded patterns have no code to edit.
    if (this.replayed) return { cut: false }
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
      if (!this.trialInPython) trials.forget()
    }
  }

  /** Trials of fixes for the last analysis. @throws Error when nothing was analyzed */
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
        this.trialInPython = true
      },
      holds: (registry) => this.registry === registry,
      graph: this.read(workspace).graph,
      passes: workspace.passes,
      environment: workspace.environment,
    })
  }

  /**
   * The complete report in one call, for the terminal and for stored reports.
   * @param fixes also search for fixes, which takes several runs of the workspace per cause
   */
  analyzeWhole(workspace: Workspace, { fixes = false }: { fixes?: boolean } = {}): Analysis {
    const analysis = this.analyze(workspace)
    const explained = complete(this.explain())
    const passes = analysis.report.passes.map((p, i) => withExplained(p, explained[i]!))
    const shapes = complete(this.guessShapes())
    let report: Report = { ...analysis.report, passes, ...(shapes && { shapes }) }
    for (const column of this.graphColumns()) if (column) report = withColumn(report, column)
    if (fixes) for (const found of this.fixes()) report = (found ?? []).reduce(withFixes, report)
    return { ...analysis, report }
  }

  /**
   * The graph of the last analysis with its calls traced as a pattern's are: Dynamo's functions and methods, and
   * operators that Inductor decomposes, become the operators that patterns hold.
   * @returns the text of print_readable
   * @throws Error, one plain sentence with the call that cannot be traced
   */
  lower(): string {
    if (!this.host || !this.last) throw new Error('Nothing has been analyzed yet.')
    this.reclaim()
    try {
      return loweredText(this.host, this.read(this.last.workspace).graph)
    } finally {
      this.host.drainConsole()
    }
  }

  /**
   * The workspace of the last analysis as text that runs on a real PyTorch. Runs the workspace again, on each graph.
   * @throws Error when nothing was analyzed, or its Python failed
   */
  exported(kind: ExportKind): Exported {
    const { last } = this
    if (!last) throw new Error('Nothing has been analyzed yet.')
    return exportOf(kind, {
      workspace: last.workspace,
      tracer: this.tracer,
      library: this.assets.lib(),
      execute: () => this.execute(last.workspace),
      run: (graph, plan) => runPipeline(graph, plan, this.context(this.python(), 'counts')),
      recorded: () => this.replayed && this.captures.recorded(last.workspace, this.replayed),
      done: () => void this.host?.drainConsole(),
    })
  }

  /**
   * Compares another graph of the last analysis's workspace with the shown one: matches lost and won, with the changes
   * that decide. @throws Error, one plain sentence
   */
  compare(other: string, role: 'old' | 'new'): CompareReport {
    const { host, last, tracer } = this
    if (!last || !this.pipeline) throw new Error('Nothing has been analyzed yet.')
    const { workspace } = last
    const file = otherFile(workspace, other)
    const recorded = this.captures.compare(workspace, file, role, (f) => graphOfFile(f, tracer))
    if (recorded) return recorded
    if (!host) throw new Error('Python is not ready yet.')
    this.reclaim()
    const { plan } = this.pipeline
    try {
      return compareWith(other, role, {
        workspace,
        graph: this.read(workspace).graph,
        pipeline: this.pipeline,
        passes: this.passes,
        tracer: this.tracer,
        run: (graph) => runPipeline(graph, plan, this.context(host, 'counts')),
      })
    } finally {
      host.drainConsole()
    }
  }

  /** A pattern for nodes of the workspace's graph, run beside the workspace's own code. */
  patternOf(workspace: Workspace, nodes: readonly string[], options: PatternOptions): SelectionAnswer {
    const host = this.python()
    const trials = new PatternTrials({
      host,
      tracer: this.tracer,
      register: (registry) => {
        this.registry = registry
        this.trialInPython = true
      },
    })
    const { graph } = this.read(workspace)
    try {
      const made = trials.make(graph, workspace.graph.name, nodes, options)
      if (!made.ok) return { made: null, choices: [], refused: made.error }
      return { made: made.value, choices: trials.choices(graph, made.value, nodes), refused: null }
    } finally {
      host.drainConsole()
    }
  }

  /** @throws Error, one plain sentence, if the last analysis has no such stage */
  print(workspace: Workspace, as: 'fx' | 'readable', which: 'before' | 'after' | number): string {
    return typeof which === 'number'
      ? printAs(this.ranStages().graph(which), as)
      : this.graphs.print(workspace, as, which)
  }

  program(pass: string, match: number): RunPrograms {
    return this.withBodies((bodies) => matchPrograms(this.passes, pass, match, bodies))
  }

  /**
   * The two sides of a registration, traced over inputs of these shapes (by argument; default: the example's). @throws
   * Error, one plain sentence
   */
  variantProgram(pass: string, entry: number, shapes: Record<string, number[]>): RunPrograms {
    this.reclaim()
    return this.withBodies((bodies) =>
      registeredPrograms(this.passes, { registry: this.registry, bodies }, pass, entry, shapes),
    )
  }

  /** The whole graph before and after the passes of the last analysis. @throws Error, one plain sentence */
  graphProgram(): RunPrograms {
    const first = this.passes[0]
    if (!first || !this.last || !this.graphs.after) throw new Error('No pass has run, so there is no graph after it.')
    const [title, { after }] = [`${this.last.workspace.graph.name}, before and after`, this.graphs]
    return this.withBodies((bodies) => graphPrograms(title, first.before, after!, bodies))
  }

  /** Makes programs with the bodies of the workspace's own operators, which are traced on demand. */
  private withBodies(make: (bodies: OperatorBodies) => RunPrograms): RunPrograms {
    try {
      return make(
        new OperatorBodies({
          place: (target) => this.bodies.get(target),
          schemaOf: this.schemaOf,
          trace: (call) => {
            this.reclaim()
            return this.host!.traceBody(call)
          },
        }),
      )
    } finally {
      // Output of traced functions is already in the report.
      this.host?.drainConsole()
    }
  }

  /** The match timeline of a pass at one node. @throws Error when there is no such pass */
  steps(pass: string, entry: number | null, node: string): Timeline {
    this.reclaim()
    const applied = this.passes.find((p) => p.report.name === pass)
    if (!applied) throw new Error(`The pass ${pass} is not in the last run. Run the patterns again.`)
    const { before, passId } = applied
    this.replayed?.again(this.passes.indexOf(applied))
    const timeline = timelineOf(this.registry, { name: pass, passId, before }, entry, node)
    this.replayed?.again(null)
    // Output of extra_checks and handlers is already in the report.
    this.host?.drainConsole()
    return timeline
  }

  /**
   * One pattern of the last analysis, expression by expression, with counts in the graph before its pass. Runs no Python.
   * @throws Error when there is no such pass or pattern
   */
  explainPattern(pass: string, entry: number): ExplainedPattern {
    const started = performance.now()
    const applied = this.passes.find((p) => p.report.name === pass)
    if (!applied) throw new Error(`The pass ${pass} is not in the last run. Run the patterns again.`)
    const explained = explainPattern(applied.toExplain, entry, this.analyzed.patternsIn(applied.passId, entry))
    return { ...explained, ms: performance.now() - started }
  }

  /** The graph after a stage of the last analysis; 0: the original graph. @throws Error, one plain sentence */
  stage(at: number): KeyedStage {
    return this.ranStages().view(at)
  }

  private ranStages(): StageGraphs {
    if (!this.stages) throw new Error('No pass has run, so there is no graph between passes.')
    return this.stages
  }

  /** One pattern at one node of the last analysis. @throws Error when there is no such pass, pattern or node */
  pin(pass: string, entry: number, node: string): PinAnswer {
    this.reclaim()
    return pinAnswer(this.passes, pass, entry, node)
  }

  private newRegistry(): PatternRegistry {
    return new PatternRegistry(this.registryOptions())
  }

  private registryOptions(): PatternRegistryOptions {
    return registryOptions(this.tracer, () => this.host!)
  }
}

export function createSession(assets: PythonAssets, onReady?: () => void): Session {
  return new Session(assets, onReady)
}
