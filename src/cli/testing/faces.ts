/** The output of each interface for a workspace, in one common form: the page's report, `match --json`, `explain`, a table's cell. */
import { isDeepStrictEqual } from 'node:util'
import { expect } from 'vitest'
import {
  caseExplanation,
  caseRun,
  matchCase,
  type CaseAttempt,
  type CaseExplanation,
  type CaseInput,
  type CaseOutput,
} from '../../engine/cases/cases'
import { environmentOf } from '../../engine/cases/case_input'
import { caseStages, type CaseStage } from '../../engine/cases/case_output'
import type { PipelineStage } from '../../engine/pipeline/types'
import type { Report } from '../../engine/protocol'
import { errorText, type RunFacts } from '../../engine/report/run_facts'
import { printedDecision, stubDecisions } from '../../engine/report/stub_decisions'
import type { Interpreter } from '../../engine/run/interpreter'
import { KeptRegistrations } from '../../engine/run/kept_registrations'
import type { Session } from '../../engine/session/session'
import { countPlaces } from '../../engine/shapes/unshaped'
import { pythonFiles } from '../../workspace/python_files'
import type { Environment, Workspace } from '../../workspace/types'

export interface Engine {
  session: Session
  /** A different Python than the session's. */
  interpreter: Interpreter
}

export const caseOf = ({ name, graph, shapes, inputShapes, files, passes, environment }: Workspace): CaseInput => ({
  id: name,
  pattern_py: '',
  files: pythonFiles({ files }),
  graph: graph.text,
  ...(shapes && { readable: shapes.text }),
  ...(inputShapes && { shapes: inputShapes }),
  ...(passes && { passes }),
  ...(environment && { environment }),
})

export function workspaceOfCase(input: CaseInput): Workspace {
  const environment = environmentOf(input)
  return {
    name: input.id,
    graph: { name: 'graph.py', text: input.graph },
    files: [...(input.files ?? [{ name: 'user_pattern.py', text: input.pattern_py }])],
    options: { timeLimitS: 10 },
    ...(input.readable && { shapes: { name: 'readable.py', text: input.readable } }),
    ...(input.shapes && { inputShapes: input.shapes }),
    ...(input.passes && { passes: input.passes }),
    ...(environment && { environment: environment as Environment }),
  }
}

/** First the stages that ran, in order, then the others by name: the page shows those at their place in a compilation. */
const inOrder = <S extends { stage: string; at: number | null }>(stages: S[]): S[] =>
  stages.toSorted((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity) || (a.stage < b.stage ? -1 : 1))

/** The fields that both forms have besides the passes. */
const frameOf = (report: RunFacts, passes: Report['passes'], stages: CaseStage[]) => ({
  error: report.python && errorText(report.python),
  advice: report.python?.advice,
  stages: inOrder(stages),
  stubs: stubDecisions(report.stubs, passes).map(printedDecision),
  schemas: report.schemas ?? [],
  files: report.files ?? [],
  off: report.off ?? [],
})

const pageFrame = (report: Report, listed: readonly string[] | undefined) =>
  frameOf(report, report.passes, caseStages({ stages: [], ...report.pipeline, passes: report.passes }, listed))

/** A stage that ran, as in `match --json`; null for PyTorch's own stages. */
function passOf(report: Report, { kind, name, pass, searches = [], did }: PipelineStage) {
  if (kind === 'built-in' || kind === 'dead-code') return null
  const of = pass === null ? null : report.passes[pass]!
  const { applyError, count } = of ?? { applyError: did!.error, count: did!.count }
  return {
    pass: name,
    ...(applyError === null ? { count } : { apply_error: applyError }),
    keys: (of?.entries ?? searches.flatMap((i) => report.passes[i]!.entries)).map((e) => e.keys),
    attempts: of?.attempts.map(attemptOf) ?? [],
    unshaped: countPlaces(of?.unshaped ?? []),
    violations: of?.violations ?? [],
    ...(of === null && { edits: did!.edits ?? [], edits_left_out: did!.editsLeftOut }),
  }
}

const attemptOf = ({ entry, phase, node, ok, nodes }: CaseAttempt) => ({ entry, phase, node, ok, nodes })

/** The fields of `match --json`, derived from the page's report. */
const matchOf = (report: Report, { passes: listed }: Workspace, graph: (at: 'after' | number) => string) => ({
  ...pageFrame(report, listed),
  defines: report.pipeline?.defines,
  graph_after_dce: report.python ? null : graph('after'),
  passes: (report.pipeline?.stages ?? []).flatMap((stage) => {
    const pass = stage.at === null ? null : passOf(report, stage)
    return pass ? [{ ...pass, graph_after: graph(stage.at!) }] : []
  }),
})

const matchOfCase = (o: CaseOutput) => ({
  error: o.register_error,
  advice: o.advice,
  stages: inOrder(o.stages),
  stubs: o.stubs ?? [],
  schemas: o.schemas ?? [],
  files: o.files ?? [],
  off: o.off ?? [],
  defines: o.defines,
  graph_after_dce: o.graph_after_dce,
  passes: o.passes.map(({ entries, attempts, violations = [], ...p }) => ({
    ...p,
    keys: entries.map((e) => [...e.keys]),
    attempts: attempts.map(attemptOf),
    violations,
  })),
})

/** The fields of `explain` about passes. */
const explainedOf = (passes: Report['passes']) =>
  passes.map(({ name, count, entries, nearMisses, causes = [], lints = [], violations = [] }) => ({
    ...{ name, count, entries, nearMisses, causes, lints, violations },
  }))

const explainOf = (report: Report, { passes: listed }: Workspace) => ({
  ...pageFrame(report, listed),
  causes: report.causes,
  passes: explainedOf(report.passes),
})

function explainOfCase(e: CaseExplanation) {
  return { ...frameOf(e, e.passes, e.stages), causes: e.causes, passes: explainedOf(e.passes) }
}

/**
 * As JSON data, as the command line prints it. `toEqual` takes seconds on thousands of attempts, so it is used only to show a
 * difference.
 */
function expectEqual(found: unknown, expected: unknown, face: string): void {
  const [a, b] = [found, expected].map((value) => JSON.parse(JSON.stringify(value)) as unknown)
  if (!isDeepStrictEqual(a, b)) expect(a, face).toEqual(b)
}

/** Compares the output of all interfaces for a workspace, in every field. Returns the page's report. */
export function expectOneAnswer({ session, interpreter }: Engine, workspace: Workspace, given?: CaseInput): Report {
  const { report } = session.analyzeWhole(workspace)
  const page = matchOf(report, workspace, (at) => session.print(workspace, 'fx', at))
  const input = given ?? caseOf(workspace)
  // The first runs the files, the second has their registrations: conform answers so for cases with the same code.
  const kept = new KeptRegistrations(interpreter)
  expectEqual(matchOfCase(matchCase(interpreter, input, kept)), page, 'match --json')
  const explained = caseExplanation(interpreter, caseRun(interpreter, input, 'report', kept).run, {})
  expectEqual(explainOfCase(explained), explainOf(report, workspace), 'explain')
  const { stages, passes } = session.lastRun().pipeline
  const keys = new Map(stages.flatMap(({ pass }, i) => (pass === null ? [] : [[i + 1, passes[pass]!.key] as const])))
  const cell = session.counts(workspace)
  expect(cell.failure === null, 'a table').toBe(report.python === null && cell.passes.length > 0)
  if (cell.failure === null)
    expect(
      cell.passes.map(({ pass, count, error }) => ({ pass, count, error })),
      'a table',
    ).toEqual(
      page.stages
        .filter((s) => s.at !== null)
        .map(({ at, stage, count, apply_error }) => ({ pass: keys.get(at!) ?? stage, count, error: apply_error })),
    )
  return report
}
