/** Runs one case at a time through the whole engine: the user's Python, the pipeline, near misses and fixes. */
import { clone, printGraph, type Graph } from '../../fx'
import { findFixes } from '../../explain/fixes/search'
import { complete } from '../../explain/pace'
import { PatternRegistry, type PatternRegistryOptions } from '../../matcher'
import { createPythonHost } from '../../python/host'
import type {
  FileOutcome,
  PythonAssets,
  PythonFailure,
  PythonFile,
  PythonHost,
  PythonRun,
  Stub,
} from '../../python/types'
import { createTracer } from '../../trace'
import type { SchemaChoice, Tracer } from '../../trace/types'
import { removeDeadCode } from '../pipeline/dead_code'
import { planPipeline } from '../pipeline/plan'
import type { PipelineContext } from '../pipeline/context'
import { runPipeline, type PipelineRun } from '../pipeline/run'
import type { Cause, EntryReport, Lint, NearMiss, Report } from '../protocol'
import { reportPass } from '../report/pass_report'
import { decidedAtLoad, printedDecision, stubDecisions, type PrintedDecision } from '../report/stub_decisions'
import { restrictedTo } from '../report/only'
import { notableFiles } from '../report/file_outcomes'
import { earlyCauses, explainPasses } from '../session/explaining'
import { FixTrials } from '../session/fix_trials'
import { withExplained, withFixes } from '../session/merge_results'
import { registryOptions, schemasOf, sinkOf } from '../session/registering'
import { shapedGraph } from '../shapes/shaped_graph'
import { readCase, type CaseInput } from './case_input'
import { casePass, caseStages, type CaseOutput, type CaseStage } from './case_output'

export type { CaseInput } from './case_input'
export type { CaseAttempt, CaseOutput, CasePass, CaseStage } from './case_output'

export interface CaseExplanation {
  id: string
  /** Causes that prevent all attempts. */
  causes: Cause[]
  /** The exception that user code raised while registering; no pass is applied then. */
  error: string | null
  /** The time limit for fixes was reached before every cause was tried. */
  cut?: true
  stages: CaseStage[]
  /** Answers of stubs that decided a branch, a check or a registration; absent if none. */
  stubs?: PrintedDecision[]
  /** Versions of cataloged operators in use, where several are known; absent if none. */
  schemas?: SchemaChoice[]
  passes: {
    pass: string
    count: number
    entries: EntryReport[]
    nearMisses: NearMiss[]
    causes: Cause[]
    lints: Lint[]
    /** What explaining skipped for lack of time. */
    leftOut?: string
    ms: number
  }[]
}

/** The recorder runs a pattern's source as the module `user_pattern`, which appears in function names in graphs… */
const RECORDED_AS = 'user_pattern.py'
/** …compiled under this file name, which appears in str() of a SyntaxError. */
const RECORDED_FILE = 'pattern.py'

/** The text of str(error): a SyntaxError includes its file and line. */
function errorText({ type, message, frames }: PythonFailure): string {
  const at = /^(?:SyntaxError|IndentationError|TabError)$/.test(type) ? frames.at(-1) : undefined
  if (!at) return `${type}: ${message}`
  return `${type}: ${message} (${at.file === RECORDED_AS ? RECORDED_FILE : at.file}, line ${at.line})`
}

/** Starts Python once; each case runs in a fresh user environment. */
export class CaseRunner {
  private readonly tracer: Tracer = createTracer()
  private readonly schemaOf = schemasOf(this.tracer)
  private registry = this.newRegistry()
  /** The Python exception of the last case. */
  failure: PythonFailure | null = null
  /** Causes that prevented all attempts of the last case. */
  causes: readonly Cause[] = []
  /** Outcomes of the files of the last case; empty if all ran. */
  files: readonly FileOutcome[] = []

  private constructor(private host: PythonHost | null) {}

  static async create(assets: PythonAssets): Promise<CaseRunner> {
    const runner = new CaseRunner(null)
    runner.host = await createPythonHost({
      assets,
      tracer: runner.tracer,
      sink: sinkOf(() => runner.registry),
    })
    return runner
  }

  /** True if Python is unusable: create another runner. */
  get broken(): boolean {
    return this.host?.broken ?? false
  }

  run(input: CaseInput): CaseOutput {
    const started = performance.now()
    const graph = readCase(input)
    const parsed = performance.now()
    const python = this.execute(input, graph)
    const ran = performance.now()
    const stats = { parse_ms: parsed - started, python_ms: ran - parsed, apply_ms: 0, check_ms: 0 }
    const { id } = input
    const register_error = python.failure && errorText(python.failure)
    const files = notableFiles(python)
    this.files = files ?? []
    this.causes = earlyCauses(python, this.registry, this.tracer.guessedSchemas?.())
    if (register_error !== null)
      return {
        id,
        register_error,
        passes: [],
        stages: [],
        graph_after_dce: null,
        ...(files && { files }),
        ...decisionsOf(python.stubs, []),
        ...this.schemas(),
        stats,
      }
    const { graph: shaped } = shapedGraph(graph, input.shapes ?? {}, this.tracer)
    const run = runPipeline(shaped, planPipeline(python, input.passes), this.context('report'))
    stats.apply_ms = run.ms
    stats.check_ms = run.passes.reduce((sum, p) => sum + p.checkMs, 0)
    const swept = run.graph === shaped ? shaped : clone(run.graph).graph
    const passes = run.passes.map(casePass)
    removeDeadCode(swept, this.schemaOf)
    return {
      id,
      register_error,
      passes,
      stages: caseStages(run, input.passes),
      graph_after_dce: printGraph(swept),
      ...(files && { files }),
      ...decisionsOf(python.stubs, run.passes),
      ...this.schemas(),
      stats,
    }
  }

  /** Explains why the case's patterns do not fire, with fixes on request. */
  explain(
    input: CaseInput,
    { fixes = false, only = null }: { fixes?: boolean; /** As isOnly. */ only?: string | null } = {},
  ): CaseExplanation {
    const read = readCase(input)
    const python = this.execute(input, read)
    const { graph, missing } = shapedGraph(read, input.shapes ?? {}, this.tracer)
    const run = runPipeline(graph, planPipeline(python, input.passes), this.context('attempts'))
    const reported = run.passes.map((p) => reportPass(p, this.registry, missing))
    const explained = complete(explainPasses(reported, () => this.registry, decidedAtLoad(python.stubs)))
    const passes = reported.map((p, i) => withExplained(p.report, explained[i]!))
    const report = {
      causes: earlyCauses(python, this.registry, this.tracer.guessedSchemas?.()),
      passes: only === null ? passes : passes.map((p) => restrictedTo(p, only)),
    }
    const { found, cut } = fixes ? this.fix(input, graph, report, run) : { found: report, cut: false }
    return {
      id: input.id,
      error: python.failure && errorText(python.failure),
      ...(cut && { cut: true as const }),
      causes: found.causes,
      stages: caseStages(run, input.passes),
      ...decisionsOf(python.stubs, run.passes),
      ...this.schemas(),
      passes: found.passes.map(
        ({ name, count, entries, nearMisses, causes = [], lints = [], explainMs = 0, leftOut }) => ({
          pass: name,
          count,
          entries,
          nearMisses,
          causes,
          lints,
          ms: explainMs,
          ...(leftOut !== undefined && { leftOut }),
        }),
      ),
    }
  }

  /** Searches for fixes. `cut`: the time limit was reached before every cause was tried. */
  private fix(input: CaseInput, graph: Graph, report: Explained, run: PipelineRun): { found: Explained; cut: boolean } {
    const trials = new FixTrials({
      host: this.host!,
      tracer: this.tracer,
      schemaOf: this.schemaOf,
      options: this.registryOptions(),
      register: (registry) => {
        this.registry = registry
      },
      holds: (registry) => this.registry === registry,
      graph,
      passes: input.passes,
      environment: input.environment,
    })
    const passes = report.passes.map(({ nearMisses, causes = [] }, i) => ({
      key: run.passes[i]!.key,
      nearMisses,
      causes,
    }))
    const search = findFixes(trials, { files: filesOf(input), causes: report.causes, passes })
    let found = report
    let step = search.next()
    for (; !step.done; step = search.next()) found = (step.value ?? []).reduce(withFixes, found)
    return { found, cut: step.value.cut }
  }

  /** Runs the case's Python in a fresh user environment. */
  private execute(input: CaseInput, graph: Graph): PythonRun {
    this.registry = this.newRegistry()
    this.tracer.begins?.(graph)
    const python = this.host!.run(filesOf(input), input.environment)
    this.failure = python.failure
    return python
  }

  private schemas(): { schemas?: SchemaChoice[] } {
    const schemas = this.tracer.schemaChoices?.() ?? []
    return schemas.length > 0 ? { schemas } : {}
  }

  private context(detail: PipelineContext['detail']): PipelineContext {
    return { registry: this.registry, host: this.host!, tracer: this.tracer, schemaOf: this.schemaOf, detail }
  }

  private newRegistry(): PatternRegistry {
    return new PatternRegistry(this.registryOptions())
  }

  private registryOptions(): PatternRegistryOptions {
    return registryOptions(this.tracer, () => this.host!)
  }
}

function decisionsOf(stubs: readonly Stub[], passes: PipelineRun['passes']): { stubs?: PrintedDecision[] } {
  const attempted = passes.map((p) => p.toExplain)
  const found = stubDecisions(stubs, attempted)
  return found.length > 0 ? { stubs: found.map(printedDecision) } : {}
}

type Explained = Pick<Report, 'passes'> & { causes: Cause[] }

const filesOf = (input: CaseInput): readonly PythonFile[] =>
  input.files ?? [{ name: RECORDED_AS, text: input.pattern_py }]
