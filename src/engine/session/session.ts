/** One engine: the tracer, Python once it has loaded, and what the last analysis left to ask about. */
import { clone, printGraph, printReadable, type Graph, type Node, type Problem } from '../../fx'
import { noPass, registrationCause } from '../../explain/reasons/dropped'
import { findFixes, type FixBudget } from '../../explain/fixes/search'
import type { RunPrograms } from '../../gpu/types'
import { PatternRegistry, type PatternRegistryOptions } from '../../matcher'
import { createPythonHost } from '../../python/host'
import type { PythonAssets, PythonHost, PythonRun } from '../../python/types'
import { createTracer } from '../../trace'
import type { Tracer } from '../../trace/types'
import type { TextFile, Workspace } from '../../workspace/types'
import { act, lineOf, type LineResult } from '../pipeline/line'
import { countFired, passKeysOf, type AppliedPass } from '../pipeline/passes'
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
import { explainApplied } from './explaining'
import { EngineFixWorld } from './fixing'
import { withColumn, withExplained, withFixes } from './found'
import { GraphColumns } from './graph_columns'
import { graphKey, readGraph } from '../cases/graph_file'
import { hashText } from '../../base/hash'
import { pinAnswer } from './pin'
import { pipelineOf } from '../pipeline/pipeline'
import { Stages, type KeyedStage } from '../pipeline/stages'
import { timelineOf } from './steps'
import type { Timeline } from './steps_types'
import { registrationTree } from '../report/tree'
import { sweep } from '../pipeline/sweep'
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
  private applied: AppliedPass[] = []
  /** The graphs between the passes of the last analysis; null when its Python failed. */
  private stages: Stages | null = null
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
    const { run, result } = this.execute(host, workspace, source.graph)
    const after = run.failure ? null : this.finish(result.graph)
    const acted = after ? [...result.steps, { after: after.swept, copies: after.copies }] : []
    this.stages = after && new Stages(source.graph, acted, source, after)
    const { tests, stubs } = run.failure ? { tests: [], stubs: run.stubs } : host.runTests(source.graph)
    const files = pythonFiles(workspace)
    const syntaxOf = (text: string) => host.syntax(text)
    const python: PythonProblem | null = run.failure
    const report: Report = {
      v: 1,
      graph: source.view,
      after: after?.view ?? null,
      passes: result.passes,
      tree: registrationTree(result.passes),
      ...(this.stages && {
        pipeline: pipelineOf({
          workspace,
          files,
          run,
          result,
          stages: this.stages,
          registry: this.registry,
          syntaxOf,
        }),
      }),
      python,
      causes: earlyCauses(python, run.line.length),
      problems: source.problems,
      ...(tests.length > 0 && { tests }),
      console: [...run.console, ...host.drainConsole()],
      stubs,
      ...(run.asked.length > 0 && {
        asked: run.asked.map(({ question, answer, source }) => ({ question, answer, source })),
      }),
      inferredOps: [...this.tracer.inferredOps],
      timings: { parseMs: source.ms, pythonMs: run.ms, applyMs: result.ms, totalMs: performance.now() - started },
    }
    this.last = { workspace, causes: report.causes ?? [], explained: null }
    return { report, graphKey: source.key, afterKey: after?.key ?? null }
  }

  private execute(host: PythonHost, workspace: Workspace, graph: Graph): { run: PythonRun; result: LineResult } {
    this.registry = this.newRegistry()
    this.lent = false
    const run = host.run(pythonFiles(workspace), workspace.environment)
    const items = run.failure ? [] : lineOf(run.line, workspace.passes)
    const { registry, tracer } = this
    const result = act(graph, items, run.line, {
      registry,
      host,
      tracer,
      schemaOf: this.schemaOf,
    })
    this.applied = result.applied
    return { run, result }
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
    const slices = explainApplied(this.applied, () => this.registry)
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
    const { last } = this
    if (!last?.workspace.graphs || this.stages === null) return
    const { problems } = this.read(last.workspace)
    const shown = { graph: last.workspace.graph.name, problems, passes: this.applied.map((a) => a.report) }
    const count = (graph: Graph) => {
      this.reclaim()
      const ids = this.applied.map((a) => a.passId)
      return countFired(graph, this.registry, ids)
    }
    for (const found of this.columns.of(last.workspace, shown, count)) {
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
    const world = new EngineFixWorld({
      host,
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
    const keys = passKeysOf(this.applied.map((p) => p.report.name))
    const passes = (explained ?? []).map((e) => ({ ...e, key: keys[e.pass] ?? '' }))
    const search = findFixes(world, { files: pythonFiles(workspace), causes, passes }, budget)
    for (;;) {
      const step = search.next()
      if (step.done) return step.value
      yield step.value
      if (this.last !== last || host.broken) return { cut: true }
      if (!this.lent) world.forget()
    }
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
    return matchPrograms(this.applied, pass, match)
  }

  /**
   * The two sides of a registration, traced over inputs of these shapes (by argument; the example's where none is
   * given). @throws Error, one plain sentence
   */
  variantProgram(pass: string, entry: number, shapes: Record<string, number[]>): RunPrograms {
    this.reclaim()
    try {
      return registeredPrograms(this.applied, this.registry, pass, entry, shapes)
    } finally {
      this.host?.drainConsole()
    }
  }

  /** The whole graph before and after the passes of the last analysis. @throws Error, one plain sentence */
  graphProgram(): RunPrograms {
    const first = this.applied[0]
    if (!first || !this.last || !this.lastAfter) throw new Error('No pass has run, so there is no graph after it.')
    return graphPrograms(`${this.last.workspace.graph.name}, before and after`, first.before, this.lastAfter.graph)
  }

  /** What a pass of the last analysis did at one node, step by step. @throws Error when there is no such pass */
  steps(pass: string, entry: number | null, node: string): Timeline {
    this.reclaim()
    const applied = this.applied.find((p) => p.report.name === pass)
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
    return pinAnswer(this.applied, pass, entry, node)
  }

  /** Dead code goes, and an equal outcome keeps its view. */
  private finish(graph: Graph): { key: string; view: GraphView; swept: Graph; copies: ReadonlyMap<Node, Node> } {
    const { graph: swept, map: copies } = clone(graph)
    sweep(swept, this.schemaOf)
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

/** What keeps any pattern from being tried. */
function earlyCauses(python: PythonProblem | null, passes: number): Cause[] {
  const cause = python ? registrationCause(python) : passes === 0 ? noPass() : null
  return cause ? [cause] : []
}

export function createSession(assets: PythonAssets, onReady?: () => void): Session {
  return new Session(assets, onReady)
}
