/** The Python host on Pyodide: implements PythonHost (types.ts) for the engine. */
import { type Node, type Arg, type Graph, type Val, isKind } from '../fx'
import type { PatternExpr } from '../matcher/expr/pattern_expr'
import type { MatchResult } from '../matcher/match'
import type { MatchContext } from '../matcher/match_context'
import { PythonError, type CallableId, type TraceOptions, type StubDecision } from '../matcher/types'
import type { CheckAnswer, MatchEdit, MatchView } from '../matcher/host'
import { completedVal } from '../trace/completed_val'
import type { Tracer } from '../trace/types'
import { answerCall } from './calls/answer'
import { Channel } from './channel'
import { CompiledFiles } from './compiled_files'
import { Console } from './console'
import { EditLog } from './edit_log'
import { ForwardTrace } from './forward_trace'
import { GraphRequests } from './graph_requests'
import { MatchCalls } from './match_calls'
import { Lowering } from './lowering'
import { OpenGraphs } from './open_graphs'
import { startPython, type Interpreter } from './start/interpreter'
import type { PassCall, RecordedCall } from './pass_call'
import { Requests } from './requests'
import { SearchLog } from './search_log'
import { decisionOf, failedRun, runOf, testsOf, type RunOutcome } from './run_json'
import type {
  ConsoleLine,
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
  readonly recorded = false
  private readonly tracer: Tracer
  private readonly values: SharedValues
  private readonly graphs: OpenGraphs
  private readonly forward: ForwardTrace
  private readonly lowering: Lowering
  private readonly matching: MatchCalls
  private readonly requests: Requests
  private readonly log: EditLog
  private readonly searches: SearchLog
  private readonly compiled = new CompiledFiles(({ name, text }) => this.channel.call('compiled', name, text))
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
      editOf: (match, graph) => sink().editOf(this.matching.match(match), graph),
    })
    this.forward = new ForwardTrace(tracer, values, channel)
    this.lowering = new Lowering(tracer, values, channel)
    tracer.python = this.lowering.callTorch
    this.matching = new MatchCalls({ sink, channel, values, graphs: this.graphs })
    const { graphs, forward, matching } = this
    const graphRequests = new GraphRequests({
      graphs,
      schemaOf: (target) => tracer.schemaOf(target),
      rules: () => tracer.rules,
      decode: (data) => values.decode(data),
      fake: (meta) => values.fake(meta),
      valOf: (node) => completedVal(node, tracer),
    })
    this.log = new EditLog({
      graphs,
      decode: (data) => values.decode(data),
      answer: (kind, payload) => answerCall(graphRequests.handlers, kind, payload),
    })
    const { log } = this
    const searches = (this.searches = new SearchLog(graphs, () => log.count))
    this.requests = new Requests({
      tracer,
      sink,
      channel,
      values,
      graphs,
      graphRequests,
      log,
      searches,
      forward,
      matching,
    })
  }

  get broken(): boolean {
    return this.channel.broken
  }

  /** Handles a call from Python. */
  answer(kind: string, payload: Json[]): Json {
    return answerCall(this.requests.handlers, kind, payload)
  }

  run(files: readonly PythonFile[], environment?: PythonEnvironment, precise = false): PythonRun {
    const started = performance.now()
    for (const kept of [this.values, this.graphs, this.requests, this.channel, this.matching, this.forward])
      kept.forget()
    this.tracer.reset()
    if (!this.broken) this.python.reset()
    const result = this.runFiles(files, environment, precise)
    return { ...result, console: this.takeOutput(), ms: performance.now() - started }
  }

  private runFiles(
    files: readonly PythonFile[],
    environment: PythonEnvironment | undefined,
    precise: boolean,
  ): RunOutcome {
    try {
      if (precise) this.channel.call('positions', true)
      return runOf(this.channel.call('run', this.compiled.of(files), (environment ?? null) as Json))
    } catch (e) {
      if (!(e instanceof PythonError)) throw e
      return failedRun(e)
    }
  }

  takeOutput(): ConsoleLine[] {
    return this.output.drain()
  }

  moduleNames(): ModuleNames {
    return this.channel.call('module_names')
  }

  patch({ name, text }: PythonFile): boolean {
    return this.channel.call('patch', name, text)
  }

  unpatch(): void {
    this.channel.call('unpatch')
  }

  edit(files: readonly PythonFile[]): CallableId[] | null {
    return this.channel.call(
      'edit',
      files.map(({ name, text }) => [name, text]),
    )
  }

  undoEdit(): void {
    this.channel.call('undo_edit')
  }

  registerAgain(search: CallableId): number | null {
    return this.channel.call('register_again', search)
  }

  syntax(text: string): SyntaxData | null {
    return this.channel.call('syntax', text)
  }

  callablePlace(fn: CallableId): { file: string; line: number; name: string } | null {
    const place = this.channel.call('callable_position', fn)
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
      this.channel.call('trace_by', traceFn, fn, [...argNames], payload, options?.leadingSyms ?? 0),
    )
  }

  lower(graph: Graph): Graph {
    return this.lowering.run(graph)
  }

  traceBody(call: Graph): Graph {
    return this.lowering.run(call, true)
  }

  extraCheck(fn: CallableId, match: MatchView): CheckAnswer {
    try {
      const [answer, reads, stubs, returned] = this.graphs.aside(() =>
        this.channel.call('extra_check', fn, this.graphs.open(match)),
      )
      return { result: { value: this.checked(answer) }, reads, stubs: stubs.map(decisionOf), returned }
    } catch (e) {
      if (!(e instanceof PythonError) || this.broken) throw e
      const [reads, stubs] = this.channel.call('check_facts')
      return { result: { raised: e }, reads, stubs: stubs.map(decisionOf), returned: null }
    }
  }

  /** The return value of an extra_check. */
  private checked(answer: Json): unknown {
    const value = decode(answer, (id) => this.values.tensor(id))
    if (!isKind(value, 'opaque')) return value
    // The fields that pyTruth and pythonClass read.
    const truth = (answer as { true: boolean }).true
    return { type: value.text, __bool__: () => truth }
  }

  traceDecisions(fn: CallableId): readonly StubDecision[] {
    return this.forward.decisionsOf(fn)
  }

  handle(fn: CallableId, match: MatchEdit): void {
    this.graphs.aside(() => {
      try {
        this.channel.call('handle', fn, this.graphs.open(match, match))
      } finally {
        this.graphs.close()
      }
    })
  }

  matchUser(fn: CallableId, node: Arg, ctx: MatchContext, pattern: PatternExpr): MatchResult {
    return this.matching.callUser(fn, node, ctx, pattern)
  }

  anchorsUser(fn: CallableId, ctx: MatchContext, searched: ReadonlySet<Node>): readonly Node[] {
    return this.matching.anchorsOfUser(fn, ctx, searched)
  }

  callPass(fn: CallableId, graph: Graph, apply?: (passId: number) => number, asks = false): PassCall {
    this.graphs.openGraph(graph)
    this.requests.applyToShown = apply ?? null
    try {
      const [replaced, missing, asked] = this.log.during(graph, () =>
        this.searches.during(() => this.channel.call('call_pass', fn, asks)),
      )
      return { replaced, missing, asked, ...this.lastCall() }
    } finally {
      this.requests.applyToShown = null
      this.graphs.close()
    }
  }

  lastCall(): RecordedCall {
    const { searches, leftOut: searchesLeftOut } = this.searches.last
    return { ...this.log.last, searches, searchesLeftOut }
  }

  runTests(shown: Graph): { tests: PythonTest[]; stubs: PythonRun['stubs'] } {
    this.requests.shown = shown
    try {
      return testsOf(this.channel.call('tests'))
    } finally {
      this.requests.shown = null
    }
  }
}
