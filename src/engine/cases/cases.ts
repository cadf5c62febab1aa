/** One graph with its patterns, through the whole engine: what `match --json`, `match --cases` and `explain` answer of a run. */
import { olderTorch } from '../../base/torch_version'
import { clone, printGraph } from '../../fx'
import { findFixes, FIX_BUDGET } from '../../explain/fixes/search'
import { complete } from '../../explain/pace'
import type { FileOutcome, PythonFailure, PythonFile } from '../../python/types'
import type { SchemaChoice } from '../../trace/types'
import { removeDeadCode } from '../pipeline/dead_code'
import type { PipelineContext } from '../pipeline/context'
import type { Cause, EntryReport, Lint, NearMiss, Report, Violation } from '../protocol'
import { printedDecision, stubDecisions, type PrintedDecision } from '../report/stub_decisions'
import { restrictedTo } from '../report/pattern_filter'
import { notableFiles } from '../report/file_outcomes'
import { FixTrials } from '../run/fix_trials'
import type { Interpreter } from '../run/interpreter'
import { makeRun, reportPasses, type Run } from '../run/run'
import { explainPasses } from '../session/explaining'
import { withExplained, withFixes } from '../session/merge_results'
import { shapedGraph } from '../shapes/shaped_graph'
import { switchedOff } from '../switches/switched_off'
import { turnedOn } from '../switches/turn_on'
import type { SwitchedOff } from '../switches/types'
import { environmentOf, readCase, type CaseInput } from './case_input'
import { casePasses, caseStages, type CaseOutput, type CaseStage } from './case_output'

export type { CaseInput } from './case_input'
export type { CaseAttempt, CaseOutput, CasePass, CaseStage } from './case_output'

export interface CaseExplanation {
  id: string
  /** Causes that prevent all attempts. */
  causes: Cause[]
  /** The exception that user code raised while registering; no pass is applied then. */
  error: string | null
  /** What to write instead; absent if unknown. */
  advice?: string
  /** The time limit for fixes was reached before every cause was tried. */
  cut?: true
  /** Number of changes that the search for fixes ran; absent if it did not search. */
  tried?: number
  stages: CaseStage[]
  /** What became of each Python file; absent if all ran and nothing registers late. */
  files?: FileOutcome[]
  /** What the environment turned off; with fixes, also what turns it on. */
  off: SwitchedOff[]
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
    /** Invariants of the graph that its rewrites break; absent if none. */
    violations?: Violation[]
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
export function errorText({ type, message, frames }: PythonFailure): string {
  const at = /^(?:SyntaxError|IndentationError|TabError)$/.test(type) ? frames.at(-1) : undefined
  if (!at) return `${type}: ${message}`
  return `${type}: ${message} (${at.file === RECORDED_AS ? RECORDED_FILE : at.file}, line ${at.line})`
}

/** The run of a case. */
export function caseRun(
  interpreter: Interpreter,
  input: CaseInput,
  detail: PipelineContext['detail'],
): { run: Run; parseMs: number } {
  const started = performance.now()
  const graph = readCase(input)
  const parseMs = performance.now() - started
  const { passes: listed } = input
  const environment = environmentOf(input)
  const shaped = () => shapedGraph(graph, input.shapes ?? {}, interpreter.tracer)
  return { run: makeRun(interpreter, { files: filesOf(input), environment, graph, shaped, listed, detail }), parseMs }
}

/** What matches in a case. */
export function matchCase(interpreter: Interpreter, input: CaseInput): CaseOutput {
  const { run, parseMs } = caseRun(interpreter, input, 'report')
  return caseOutput(interpreter, input.id, run, parseMs)
}

export interface ExplainOptions {
  /** Also search for fixes. */
  fixes?: boolean
  /** As isOnly. */
  only?: string | null
  /** As FixBudget.until. */
  until?: number
}

/** Why the patterns of a case do not fire. */
export const explainCase = (
  interpreter: Interpreter,
  input: CaseInput,
  options: ExplainOptions = {},
): CaseExplanation => caseExplanation(interpreter, input.id, caseRun(interpreter, input, 'report').run, options)

export function caseOutput(interpreter: Interpreter, id: string, run: Run, parseMs: number): CaseOutput {
  const { pipeline, failure, graph } = run
  return interpreter.with(run.registrations, () => {
    const files = notableFiles(run.outcomes)
    const off = switchedOff(run, (text) => interpreter.host.syntax(text))
    const swept = pipeline.graph === graph ? graph : clone(pipeline.graph).graph
    if (!failure) removeDeadCode(swept, interpreter.schemaOf, interpreter.tracer.rules)
    return {
      id,
      ...olderTorch(run.environment),
      register_error: failure && errorText(failure),
      ...(run.advice !== null && { advice: run.advice }),
      passes: casePasses(pipeline),
      stages: caseStages(pipeline, run.listed),
      graph_after_dce: failure ? null : printGraph(swept),
      ...(run.registrations.python.defines && { defines: run.registrations.python.defines }),
      ...(files && { files }),
      ...(off.length > 0 && { off }),
      ...decisionsOf(run),
      ...schemasOf(run),
      stats: {
        parse_ms: parseMs,
        python_ms: run.registrations.python.ms,
        apply_ms: pipeline.ms,
        check_ms: pipeline.passes.reduce((sum, p) => sum + p.checkMs, 0),
      },
    }
  })
}

export function caseExplanation(
  interpreter: Interpreter,
  id: string,
  run: Run,
  { fixes = false, only = null, until }: ExplainOptions,
): CaseExplanation {
  const reported = reportPasses(interpreter, run)
  const explained = complete(explainPasses(interpreter, run, reported))
  const passes = reported.map((p, i) => withExplained(p.report, explained[i]!))
  const report = {
    causes: [...run.causes],
    passes: only === null ? passes : passes.map((p) => restrictedTo(p, only)),
  }
  const files = notableFiles(run.outcomes)
  const off = switchedOff(run, (text) => interpreter.host.syntax(text))
  const { found, cut, tried } = fixes ? fix(interpreter, run, report, until) : { found: report, cut: false }
  return {
    id,
    error: run.failure && errorText(run.failure),
    ...(run.advice !== null && { advice: run.advice }),
    ...(cut && { cut: true as const }),
    ...(tried !== undefined && { tried }),
    causes: found.causes,
    stages: caseStages(run.pipeline, run.listed),
    ...(files && { files }),
    off: fixes && performance.now() < (until ?? Infinity) ? complete(turnedOn(interpreter, run, off)) : off,
    ...decisionsOf(run),
    ...schemasOf(run),
    passes: found.passes.map(
      ({ name, count, entries, nearMisses, causes = [], lints = [], violations, explainMs = 0, leftOut }) => ({
        pass: name,
        count,
        entries,
        nearMisses,
        causes,
        lints,
        ms: explainMs,
        ...(violations && { violations }),
        ...(leftOut !== undefined && { leftOut }),
      }),
    ),
  }
}

type Explained = Pick<Report, 'passes'> & { causes: Cause[] }

/** Searches for fixes. `cut`: the time limit was reached before every cause was tried. */
function fix(
  interpreter: Interpreter,
  run: Run,
  report: Explained,
  until: number | undefined,
): { found: Explained; cut: boolean; tried?: number } {
  const passes = report.passes.map(({ nearMisses, causes = [], lints = [] }, i) => ({
    key: run.pipeline.passes[i]!.key,
    nearMisses,
    causes,
    lints,
  }))
  const trials = new FixTrials(interpreter, run)
  const search = findFixes(
    trials,
    { files: run.files, causes: report.causes, passes },
    { ...FIX_BUDGET, ...(until !== undefined && { until }) },
  )
  let found = report
  let step = search.next()
  for (; !step.done; step = search.next()) found = (step.value ?? []).reduce(withFixes, found)
  return { found, cut: step.value.cut, tried: trials.tried }
}

function decisionsOf({ stubs, pipeline }: Run): { stubs?: PrintedDecision[] } {
  const found = stubDecisions(
    stubs,
    pipeline.passes.map((p) => p.toExplain),
  )
  return found.length > 0 ? { stubs: found.map(printedDecision) } : {}
}

const schemasOf = ({ schemas }: Run): { schemas?: SchemaChoice[] } =>
  schemas.length > 0 ? { schemas: [...schemas] } : {}

const filesOf = (input: CaseInput): readonly PythonFile[] =>
  input.files ?? [{ name: RECORDED_AS, text: input.pattern_py }]
