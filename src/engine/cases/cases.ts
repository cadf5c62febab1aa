/** One graph with its patterns, through the whole engine: the answers of `match --json`, `match --cases` and `explain`. */
import { clone, printGraph } from '../../fx'
import { findFixes, FIX_BUDGET } from '../../explain/fixes/search'
import { complete } from '../../explain/pace'
import type { PythonFile } from '../../python/types'
import { removeDeadCode } from '../pipeline/dead_code'
import type { PipelineContext } from '../pipeline/context'
import type { Cause, PassReport, Report } from '../protocol'
import { restrictedTo } from '../report/pattern_filter'
import { errorText, printedFacts, RECORDED_AS, runFacts, type RunFacts } from '../report/run_facts'
import { stagesToFix } from '../run/code_stages'
import type { PipelineStage } from '../pipeline/types'
import { FixTrials } from '../run/fix_trials'
import type { Interpreter } from '../run/interpreter'
import type { KeptRegistrations } from '../run/kept_registrations'
import { applyTo, makeRun, reportPasses, type Run } from '../run/run'
import { explainPasses } from '../session/explaining'
import { withExplained, withFixes } from '../session/merge_results'
import { shapedGraph } from '../shapes/shaped_graph'
import { switchedOff } from '../switches/switched_off'
import { turnedOn } from '../switches/turn_on'
import type { SwitchedOff } from '../switches/types'
import { environmentOf, readCase, type CaseInput } from './case_input'
import { casePasses, caseStages, ranStages, type CaseOutput, type CaseStage } from './case_output'

export type { CaseInput } from './case_input'
export type { CaseAttempt, CaseOutput, CasePass, CaseStage } from './case_output'

/** A report with its explanations: the data that `explain` prints, and that `diagnosesOf` converts to JSON. */
export interface CaseExplanation extends RunFacts {
  /** Causes that prevent all attempts. */
  causes: Cause[]
  /** The list of what the environment turned off; with fixes, also the settings that turn it on. */
  off: SwitchedOff[]
  passes: ExplainedPass[]
  stages: CaseStage[]
  /** The time limit for fixes was reached before every cause was tried. */
  cut?: true
  /** Number of changes that the search for fixes ran; absent if it did not search. */
  tried?: number
}

type ExplainedPass = PassReport & Required<Pick<PassReport, 'causes' | 'lints'>>

/**
 * The run of a case.
 * @param kept serves the case if the case before it has the same code; otherwise its code runs
 */
export function caseRun(
  interpreter: Interpreter,
  input: CaseInput,
  detail: PipelineContext['detail'],
  kept?: KeptRegistrations,
): { run: Run; parseMs: number } {
  const started = performance.now()
  const graph = readCase(input)
  const parseMs = performance.now() - started
  const code = { files: filesOf(input), environment: environmentOf(input) }
  const shaped = () => shapedGraph(graph, input.shapes ?? {}, interpreter.tracer)
  const application = { ...code, graph, shaped, listed: input.passes, detail }
  const run = kept ? applyTo(interpreter, kept.of(code, graph), application) : makeRun(interpreter, application)
  return { run, parseMs }
}

/** The matches of a case. */
export function matchCase(interpreter: Interpreter, input: CaseInput, kept?: KeptRegistrations): CaseOutput {
  const { run, parseMs } = caseRun(interpreter, input, 'report', kept)
  return caseOutput(interpreter, input.id, run, parseMs)
}

export interface ExplainOptions {
  /** Also search for fixes. */
  fixes?: boolean
  /** See isOnly. */
  only?: string | null
  /** See FixBudget.until. */
  until?: number
}

/** Why the patterns of a case do not fire. */
export const explainCase = (
  interpreter: Interpreter,
  input: CaseInput,
  options: ExplainOptions = {},
): CaseExplanation => caseExplanation(interpreter, caseRun(interpreter, input, 'report').run, options)

export function caseOutput(interpreter: Interpreter, id: string, run: Run, parseMs: number): CaseOutput {
  const { pipeline, failure, graph } = run
  return interpreter.with(run.registrations, () => {
    const off = switchedOff(run, (text) => interpreter.host.syntax(text))
    const { python, causes: _causes, inferredOps: _inferred, stubs, schemas, ...facts } = runFacts(run, off)
    const swept = pipeline.graph === graph ? graph : clone(pipeline.graph).graph
    if (!failure) removeDeadCode(swept, interpreter.schemaOf, interpreter.tracer.rules)
    return {
      id,
      ...facts,
      register_error: python && errorText(python),
      ...(python?.advice !== undefined && { advice: python.advice }),
      passes: casePasses(pipeline),
      stages: caseStages(ranStages(pipeline), run.listed),
      graph_after_dce: failure ? null : printGraph(swept),
      ...(run.registrations.python.defines && { defines: run.registrations.python.defines }),
      ...printedFacts(
        { stubs, ...(schemas && { schemas }) },
        pipeline.passes.map((p) => p.toExplain),
      ),
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
  run: Run,
  { fixes = false, only = null, until }: ExplainOptions,
): CaseExplanation {
  const reported = reportPasses(interpreter, run)
  const explained = complete(explainPasses(interpreter, run, reported))
  const passes = reported.map((p, i) => withExplained(p.report, explained[i]!))
  const report = {
    causes: [...run.causes],
    passes: only === null ? passes : passes.map((p) => restrictedTo(p, only)),
    pipeline: ranStages(run.pipeline),
  }
  const off = switchedOff(run, (text) => interpreter.host.syntax(text))
  const { found, cut, tried } = fixes ? fix(interpreter, run, report, until) : { found: report, cut: false }
  return {
    ...runFacts(run, off),
    causes: found.causes,
    off: fixes && performance.now() < (until ?? Infinity) ? complete(turnedOn(interpreter, run, off)) : off,
    passes: found.passes.map((p) => ({ ...p, causes: p.causes ?? [], lints: p.lints ?? [] })),
    stages: caseStages({ ...report.pipeline, ...found.pipeline }, run.listed),
    ...(cut && { cut: true as const }),
    ...(tried !== undefined && { tried }),
  }
}

type Explained = Pick<Report, 'passes'> & { causes: Cause[]; pipeline: { stages: readonly PipelineStage[] } }

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
    { files: run.files, causes: report.causes, passes, stages: stagesToFix(run) },
    { ...FIX_BUDGET, ...(until !== undefined && { until }) },
  )
  let found = report
  let step = search.next()
  for (; !step.done; step = search.next()) found = (step.value ?? []).reduce(withFixes, found)
  return { found, cut: step.value.cut, tried: trials.tried }
}

const filesOf = (input: CaseInput): readonly PythonFile[] =>
  input.files ?? [{ name: RECORDED_AS, text: input.pattern_py }]
