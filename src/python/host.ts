/** The Python host on Pyodide: implements PythonHost (types.ts) for the engine. */
import type { Arg, Graph, Val } from '../fx'
import type { PatternExpr } from '../matcher/expr/pattern_expr'
import type { MatchResult } from '../matcher/match'
import type { MatchContext } from '../matcher/match_context'
import { PythonError, type CallableId, type MetaRead, type TraceOptions, type StubDecision } from '../matcher/types'
import type { MatchEdit, MatchView } from '../matcher/host'
import type { Tracer } from '../trace/types'
import { Channel } from './channel'
import { CompiledFiles } from './compiled_files'
import { Console } from './console'
import { ForwardTrace } from './forward_trace'
import { GraphRequests } from './graph_requests'
import { MatchCalls } from './match_calls'
import { Lowering } from './lowering'
import { OpenGraphs } from './open_graphs'
import { startPython, type Interpreter } from './start/interpreter'
import { Requests } from './requests'
import { decisionOf, failedRun, runOf, testsOf, type DecisionJson, type RunOutcome } from './run_json'
import type {
  CreatePythonHost,
  PythonEnvironment,
  PythonFile,
  PythonHost,
  PythonHostOptions,
  PythonRun,
  PythonTest,
  ModuleNames,
  SyntaxData,
} from './types'
import { SharedValues } from './values'
import { decode, encodeVal, type Json } from './wire'

export const createPythonHost: CreatePythonHost = async ({ assets, tracer, sink }) => {
  const output = new Console()
  const channel = new Channel((kind, payload) => host.answer(kind, payload))
  const host = new Host({ tracer, sink }, channel, output)
  const python = await startPython(assets, output, (text) => channel.receive(text))
  channel.toPython = python.call
  host.python = python
  return host
}

class Host implements PythonHost {
  private readonly tracer: Tracer
  private readonly values: SharedValues
  private readonly graphs: OpenGraphs
  private readonly forward: ForwardTrace
  private readonly lowering: Lowering
  private readonly matching: MatchCalls
  private readonly requests: Requests
  private readonly compiled = new CompiledFiles(({ name, text }) =>
    this.channel.call<string | null>('compiled', [name, text]),
  )
  /** Node metadata that the last extra_check read. */
  private reads: readonly MetaRead[] = []
  private decided: readonly StubDecision[] = []
  private precise = false
  python!: Interpreter

  constructor(
    { tracer, sink }: Pick<PythonHostOptions, 'tracer' | 'sink'>,
    private readonly channel: Channel,
    private readonly output: Console,
  ) {
    this.tracer = tracer
    const values = new SharedValues(tracer, (name) => this.graphs.node(name))
    this.values = values
    this.graphs = new OpenGraphs({
      contextNumber: (ctx) => this.matching.numberOf(ctx),
      editOf: (match, graph) => sink.editOf!(this.matching.match(match), graph),
    })
    this.forward = new ForwardTrace(tracer, values, channel)
    this.lowering = new Lowering(tracer, values, channel)
    this.matching = new MatchCalls({ sink, channel, values, graphs: this.graphs })
    const { graphs, forward, matching } = this
    const graphRequests = new GraphRequests({
      graphs,
      isMutable: (target) => tracer.schemaOf?.(target)?.mutable,
      decode: (data) => values.decode(data),
      fake: (meta) => values.fake(meta),
    })
    this.requests = new Requests({ tracer, sink, channel, values, graphs, graphRequests, forward, matching })
  }

  get broken(): boolean {
    return this.channel.broken
  }

  /** Handles a call from Python. */
  answer(kind: string, payload: Json[]): Json {
    return this.requests.answer(kind, payload)
  }

  run(files: readonly PythonFile[], environment?: PythonEnvironment): PythonRun {
    const started = performance.now()
    for (const kept of [this.values, this.graphs, this.requests, this.channel, this.matching, this.forward])
      kept.forget()
    this.tracer.reset()
    if (!this.broken) this.python.reset()
    const result = this.runFiles(files, environment)
    return { ...result, console: this.drainConsole(), ms: performance.now() - started }
  }

  private runFiles(files: readonly PythonFile[], environment: PythonEnvironment | undefined): RunOutcome {
    try {
      if (this.precise) this.channel.call<null>('positions', [true])
      return runOf(this.channel.call<unknown>('run', [this.compiled.of(files), (environment ?? null) as Json]))
    } catch (e) {
      if (!(e instanceof PythonError)) throw e
      return failedRun(e)
    }
  }

  drainConsole(): { stream: 'stdout' | 'stderr'; text: string }[] {
    return this.output.drain()
  }

  precisePlaces(on: boolean): void {
    this.precise = on
  }

  moduleNames(): ModuleNames {
    return this.channel.call<ModuleNames>('module_names', [])
  }

  syntax(text: string): SyntaxData | null {
    return this.channel.call<SyntaxData | null>('syntax', [text])
  }

  callablePlace(fn: CallableId): { file: string; line: number; name: string } | null {
    const place = this.channel.call<[string, number, string] | null>('callable_position', [fn])
    return place && { file: place[0], line: place[1], name: place[2] }
  }

  trace(fn: CallableId, argNames: readonly string[], args: readonly Val[], options?: TraceOptions): Graph {
    const traceFn = this.requests.traceFnOf(fn)
    if (traceFn === undefined || traceFn === 'joint_fwd_bwd') {
      const decompositions = this.requests.decompositionsOf(fn)
      return this.forward.run(fn, argNames, args, { ...options, joint: traceFn === 'joint_fwd_bwd', decompositions })
    }
    const payload = args.map((val) => encodeVal(val, (meta) => this.values.fake(meta)))
    return this.graphs.release(
      this.channel.call<number>('trace_by', [traceFn, fn, [...argNames], payload, options?.leadingSyms ?? 0]),
    )
  }

  lower(graph: Graph): Graph {
    return this.lowering.run(graph)
  }

  traceBody(call: Graph): Graph {
    return this.lowering.run(call, true)
  }

  extraCheck(fn: CallableId, match: MatchView): unknown {
    const [answer, reads, decided] = this.graphs.aside(() =>
      this.channel.call<[Json, MetaRead[], DecisionJson[]]>('extra_check', [fn, this.graphs.open(match)]),
    )
    this.reads = reads
    this.decided = decided.map(decisionOf)
    const value = decode(answer, (id) => this.values.tensor(id))
    if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'opaque') return value
    // The fields that pyTruth and pythonClass read.
    const truth = (answer as { true: boolean }).true
    return { type: value.text, __bool__: () => truth }
  }

  traceDecisions(fn: CallableId): readonly StubDecision[] {
    return this.forward.decisionsOf(fn)
  }

  stubDecisions(): readonly StubDecision[] {
    return this.decided
  }

  metaReads(): readonly MetaRead[] {
    return this.reads
  }

  handle(fn: CallableId, match: MatchEdit): void {
    this.graphs.aside(() => {
      try {
        this.channel.call<null>('handle', [fn, this.graphs.open(match, match)])
      } finally {
        this.graphs.close()
      }
    })
  }

  matchUser(fn: CallableId, node: Arg, ctx: MatchContext, pattern: PatternExpr): MatchResult {
    return this.matching.callUser(fn, node, ctx, pattern)
  }

  callPass(fn: CallableId, graph: Graph, apply?: (passId: number) => number): void {
    this.graphs.openGraph(graph)
    this.requests.applyToShown = apply ?? null
    try {
      this.channel.call<null>('call_pass', [fn])
    } finally {
      this.requests.applyToShown = null
      this.graphs.close()
    }
  }

  runTests(shown: Graph): { tests: PythonTest[]; stubs: PythonRun['stubs'] } {
    this.requests.shown = shown
    try {
      return testsOf(this.channel.call<unknown>('tests', []))
    } finally {
      this.requests.shown = null
    }
  }
}
