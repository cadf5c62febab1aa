/** A run: files that ran, and their passes applied to a graph. Every result on the page and in the terminal is a query over a run. */
import { complete } from '../../explain/pace'
import type { Graph } from '../../fx'
import type {
  ConsoleLine,
  FileOutcome,
  PythonEnvironment,
  PythonFailure,
  PythonFile,
  Stub,
  PythonRun,
} from '../../python/types'
import type { SchemaChoice } from '../../trace/types'
import type { Replay } from '../capture/replay'
import type { PipelineContext } from '../pipeline/context'
import { planPipeline } from '../pipeline/plan'
import { runStages, type PipelineRun } from '../pipeline/run'
import type { Cause } from '../protocol'
import { reportPass, type ReportedPass } from '../report/pass_report'
import type { MissingShapes, ShapedGraph } from '../shapes/shaped_graph'
import type { Code, Interpreter, Registrations } from './interpreter'
import { guessedCause, noPass, registrationCause } from '../../explain/reasons/dropped'
import type { PatternRegistry } from '../../matcher'
import type { GuessedSchema } from '../../matcher/schema_facts'
import { decidedAtLoad } from '../report/stub_decisions'

const NO_GUESSES: ReadonlyMap<string, GuessedSchema> = new Map()

/** Causes that prevent all attempts: the files raised, or define nothing that edits a graph. */
function earlyCauses(
  { failure, line, stubs }: Pick<PythonRun, 'failure' | 'line' | 'stubs'>,
  registry: PatternRegistry,
  guesses: ReadonlyMap<string, GuessedSchema> = NO_GUESSES,
): Cause[] {
  const cause = failure
    ? (registrationCause(registry.refusalOf(failure.message), failure.frames.at(-1) ?? null) ??
      causeOfGuess(failure, guesses))
    : line.length === 0
      ? noPass(decidedAtLoad(stubs), stubs.find((s) => s.asked.some((name) => MATCHER_NAMES.has(name)))?.module)
      : null
  return cause ? [cause] : []
}

/** Names that are often imported from the wrong module. */
const MATCHER_NAMES: ReadonlySet<string> = new Set(['PatternMatcherPass', 'register_replacement'])

/** Exceptions raised by unpacking or indexing a wrong number of outputs. */
const OF_GUESSES: ReadonlySet<string> = new Set(['ValueError', 'IndexError', 'TypeError', 'KeyError'])

function causeOfGuess(
  { type, message, frames }: PythonFailure,
  guesses: ReadonlyMap<string, GuessedSchema>,
): Cause | null {
  const at = frames.at(-1) ?? null
  const names = (g: GuessedSchema): boolean => at?.code?.includes(g.operator.split('::')[1] ?? '') ?? false
  const guessed = [...guesses.values()].sort((a, b) => Number(names(b)) - Number(names(a)))[0]
  return guessed && OF_GUESSES.has(type) ? guessedCause(`${type}: ${message}`, guessed, at) : null
}

export interface Run {
  readonly files: readonly PythonFile[]
  readonly environment: PythonEnvironment | undefined
  /** The graph; the passes were applied to a copy of it. */
  readonly graph: Graph
  /** For a graph without shapes: the inputs that a node's shape follows from. */
  readonly missing: MissingShapes
  /** Names of the stages to apply, in order; absent: every defined one. */
  readonly listed: readonly string[] | undefined
  readonly registrations: Registrations
  readonly pipeline: PipelineRun
  /** By file, in the order of import. */
  readonly outcomes: readonly FileOutcome[]
  /** The exception that kept the passes from being applied. */
  readonly failure: PythonFailure | null
  /** Causes that prevent all attempts. */
  readonly causes: readonly Cause[]
  readonly stubs: readonly Stub[]
  /** What the files and the functions that the passes called printed. */
  readonly console: readonly ConsoleLine[]
  /** Versions of cataloged operators in use, where several are known. */
  readonly schemas: readonly SchemaChoice[]
  /** Operators that were called with an inferred schema. */
  readonly inferredOps: readonly string[]
  /** The captured run whose patterns it applied; null if the files registered them. */
  readonly recorded: Replay | null
}

/** The input and the options of a pipeline. */
export interface Application {
  graph: Graph
  missing?: MissingShapes
  listed?: readonly string[] | undefined
  detail: PipelineContext['detail']
}

export interface RunInput extends Code, Application {
  /** The graph with shapes from the files' operators, once the files have run; absent: `graph`. */
  shaped?(): Pick<ShapedGraph, 'graph' | 'missing'>
}

/** Runs files, and applies their passes to a copy of the graph. User errors are in the result. */
export function makeRun(interpreter: Interpreter, input: RunInput): Run {
  return applyTo(interpreter, interpreter.load(input, input.graph), input)
}

/** A run of existing registrations: on another graph, or with other stages. */
export function applyTo(interpreter: Interpreter, registrations: Registrations, input: RunInput): Run {
  const { listed, detail } = input
  const applied = interpreter.printing(registrations, () => {
    const { graph, missing = NOTHING_MISSING } = input.shaped?.() ?? input
    const plan = planPipeline(registrations.python, listed)
    const pipeline = interpreter.applying(registrations, (registry) =>
      complete(runStages(graph, plan, contextOf(interpreter, registry, detail))),
    )
    return { graph, missing, pipeline, ...factsOf(interpreter, registrations) }
  })
  const { python } = registrations
  return {
    files: input.files,
    environment: input.environment,
    listed,
    registrations,
    outcomes: python.files,
    failure: python.failure,
    stubs: python.stubs,
    console: [...python.console, ...applied.console],
    recorded: null,
    ...applied.value,
  }
}

/** The pipeline of a run on another graph, which is not modified; yields after each stage. */
export const applyElsewhere = (
  interpreter: Interpreter,
  { registrations, pipeline: { plan } }: Run,
  graph: Graph,
  detail: PipelineContext['detail'],
): Generator<void, PipelineRun> =>
  interpreter.slices(registrations, () =>
    runStages(graph, plan, contextOf(interpreter, registrations.registry, detail)),
  )

/** The tracer's facts while it holds the registrations. */
export const factsOf = (
  { tracer }: Interpreter,
  { python, registry }: Registrations,
): Pick<Run, 'causes' | 'schemas' | 'inferredOps'> => ({
  causes: earlyCauses(python, registry, tracer.guessedSchemas()),
  schemas: tracer.schemaChoices(),
  inferredOps: [...tracer.inferredOps],
})

/** The passes of a run for a report, with their traced replacements. */
export const reportPasses = (interpreter: Interpreter, { registrations, pipeline, missing }: Run): ReportedPass[] =>
  interpreter.with(registrations, () => pipeline.passes.map((p) => reportPass(p, registrations.registry, missing)))

const contextOf = (
  interpreter: Interpreter,
  registry: PatternRegistry,
  detail: PipelineContext['detail'],
): PipelineContext => {
  const { host, tracer, schemaOf } = interpreter
  return { registry, host, tracer, schemaOf, detail }
}

export const NOTHING_MISSING: MissingShapes = new Map()
