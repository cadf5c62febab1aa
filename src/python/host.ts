/** The Python world on Pyodide: one string function each way, nothing of the page in Python's hands. */
import { loadPyodide } from 'pyodide'
import { clone, type Graph, type SourceRef, type TensorMeta, type Val } from '../fx'
import {
  PythonError,
  type CallableId,
  type MatchEdit,
  type MatchView,
  type MetaRead,
  type RegistrationSink,
} from '../matcher/types'
import { TorchError, type DispatchArg, type FakeTensor, type Tracer } from '../trace/types'
import { isSym, toDim } from '../ops/fake'
import { subDims } from '../ops/sym'
import { Console } from './console'
import { CLOSE_DOORS, closeSockets, START } from './boot'
import { GraphCalls, valOf } from './graph_calls'
import {
  readGraphRegistration,
  readRegistration,
  sourceRef,
  type GraphRegistrationJson,
  type Place,
  type RegistrationJson,
} from './registration'
import type {
  Asked,
  CreatePythonHost,
  FoundStage,
  PythonEnvironment,
  PythonFailure,
  PythonFile,
  PythonHost,
  PythonRun,
  PythonTest,
  SyntaxData,
} from './types'
import { decode, encode, encodeVal, type Json } from './wire'

interface PythonErrorJson {
  type: string
  message: string
  frames: [file: string, line: number, fn: string | null, code: string | null][]
  traceback: string
}

interface RunJson {
  line: StageJson[]
  failure: PythonErrorJson | null
  stubs: { module: string; asked: string[] }[]
  asked: AskedJson[]
}

type PlaceJson = [string, number, string] | null
type AskedJson = [question: string, answer: string, place: PlaceJson, also?: PlaceJson[]]
type StageJson = Omit<FoundStage, 'refused' | 'path'> & { refused: AskedJson | null; path: AskedJson | null }

interface TestsJson {
  tests: (Omit<PythonTest, 'error'> & { error: PythonErrorJson | null })[]
  stubs: PythonRun['stubs']
}

type Answer<T> = { ok: T } | { error: PythonErrorJson }

const LIB = '/fusescope/lib/'

export const createPythonHost: CreatePythonHost = async ({ assets, tracer, sink }) => {
  const output = new Console()
  const pyodide = await loadPyodide({
    indexURL: assets.indexURL,
    jsglobals: Object.create(null) as object,
    stdin: () => null,
  })
  pyodide.setStdout({ write: writer(output, 'stdout') })
  pyodide.setStderr({ write: writer(output, 'stderr') })
  for (const [path, text] of Object.entries(assets.lib)) {
    const folder = (LIB + path).replace(/\/[^/]*$/, '')
    pyodide.FS.mkdirTree(folder)
    pyodide.FS.writeFile(LIB + path, text)
  }
  const host = new Host(tracer, sink, output)
  const connect = pyodide.runPython(START.replace('LIB', LIB)) as (send: (text: string) => string) => unknown
  const receive = (text: string): string => host.receive(text)
  // Without a prototype, Python cannot get from our function to Function and so to code of its own.
  Object.setPrototypeOf(receive, null)
  const handle = connect(receive) as (text: string) => string
  pyodide.runPython(CLOSE_DOORS)
  pyodide.unregisterJsModule('js')
  pyodide.unregisterJsModule('pyodide_js')
  closeSockets((pyodide as unknown as { _module?: Parameters<typeof closeSockets>[0] })._module)
  host.toPython = handle
  return host
}

function askedOf([question, answer, place, more = []]: AskedJson): Asked {
  const also = more.flatMap((p) => sourceRef(p) ?? [])
  return { question, answer, source: sourceRef(place) ?? null, ...(also.length > 0 && { also }) }
}

/** Takes bytes as Python writes them. */
function writer(output: Console, stream: 'stdout' | 'stderr'): (bytes: Uint8Array) => number {
  const decoder = new TextDecoder()
  return (bytes) => {
    output.write(stream, decoder.decode(bytes, { stream: true }))
    return bytes.length
  }
}

class Host implements PythonHost {
  /** Python's one entry: [kind, …payload] as JSON → an Answer as JSON. */
  toPython: (text: string) => string = () => {
    throw new Error('Python is not connected')
  }
  private readonly tensors = new Map<number, FakeTensor>()
  private readonly graphs = new GraphCalls({
    decode: (data) => this.decode(data),
    fake: (meta) => this.keep(this.tracer.fake(meta)),
  })
  private nextPass = 0
  /** Functions that a trace_fn of the user's traces, and which. */
  private readonly traceFns = new Map<CallableId, CallableId>()
  broken = false
  /** By the last extra_check. */
  private reads: readonly MetaRead[] = []
  /** While tests run: the workspace's graph. */
  private shown: Graph | null = null
  /** A Python exception on its way through the tracer back into Python, where the original waits. */
  private passing: PythonError | null = null

  constructor(
    private readonly tracer: Tracer,
    private readonly sink: RegistrationSink,
    private readonly output: Console,
  ) {}

  run(files: readonly PythonFile[], environment?: PythonEnvironment): PythonRun {
    const started = performance.now()
    this.tracer.reset()
    this.tensors.clear()
    this.traceFns.clear()
    this.graphs.forget()
    this.nextPass = 0
    this.passing = null
    const result = this.runFiles(files, environment)
    return {
      line: result.line.map((s) => ({
        ...s,
        refused: s.refused && askedOf(s.refused),
        path: s.path && askedOf(s.path),
      })),
      passes: result.line.flatMap(({ variable, passId, refused, path }) =>
        passId === null ? [] : [{ variable, passId, idle: refused !== null || path !== null }],
      ),
      failure: result.failure && failureOf(result.failure),
      stubs: result.stubs,
      asked: result.asked.map(askedOf),
      console: this.drainConsole(),
      ms: performance.now() - started,
    }
  }

  private runFiles(files: readonly PythonFile[], environment: PythonEnvironment | undefined): RunJson {
    try {
      return this.call<RunJson>('run', [files.map((f) => [f.name, f.text]), (environment ?? null) as Json])
    } catch (e) {
      if (!this.broken) throw e
      const message = 'maximum recursion depth exceeded: Python has stopped and must be started again'
      const failure = { type: 'RecursionError', message, frames: [], traceback: `RecursionError: ${message}\n` }
      return { line: [], failure, stubs: [], asked: [] }
    }
  }

  drainConsole(): { stream: 'stdout' | 'stderr'; text: string }[] {
    return this.output.drain()
  }

  precisePlaces(on: boolean): void {
    this.call<null>('places', [on])
  }

  syntax(text: string): SyntaxData | null {
    return this.call<SyntaxData | null>('syntax', [text])
  }

  callablePlace(fn: CallableId): { file: string; line: number; name: string } | null {
    const place = this.call<[string, number, string] | null>('callable_place', [fn])
    return place && { file: place[0], line: place[1], name: place[2] }
  }

  trace(fn: CallableId, argNames: readonly string[], args: readonly Val[], leadingSyms = 0): Graph {
    const traceFn = this.traceFns.get(fn)
    if (traceFn === undefined) return this.traceForward(fn, argNames, args, leadingSyms)
    const payload = args.map((val) => encodeVal(val, (meta) => this.keep(this.tracer.fake(meta))))
    return this.graphs.release(this.call<number>('trace_by', [traceFn, fn, [...argNames], payload, leadingSyms]))
  }

  /** fwd_only. */
  private traceForward(
    fn: CallableId,
    argNames: readonly string[],
    args: readonly Val[],
    leadingSyms = 0,
    functionalPasses = true,
  ): Graph {
    const leaves = args.flatMap((val, i) => leavesOf(val, argNames[i] ?? `arg${i}`))
    const fakes = this.tracer.begin(leaves)
    let next = 0
    // The tracer answers input by input; scalars are passed as they are.
    const take = (val: Val | null): Json => {
      if (val?.kind === 'vals') return val.list ? val.items.map(take) : { t: val.items.map(take) }
      const fake = fakes[next++]
      return val?.kind === 'tensor'
        ? encode(this.keep(fake!))
        : encodeVal(val, (meta) => this.keep(this.tracer.fake(meta)))
    }
    const payload = args.map(take)
    let made: DispatchArg
    try {
      made = this.decode(this.call<Json>('trace', [fn, payload.slice(leadingSyms)]))
    } catch (e) {
      this.tracer.abort()
      throw e
    }
    return this.tracer.end(made, functionalPasses)
  }

  extraCheck(fn: CallableId, match: MatchView): unknown {
    const [answer, reads] = this.call<[Json, MetaRead[]]>('extra_check', [fn, this.graphs.open(match)])
    this.reads = reads
    const value = decode(answer, (id) => this.tensor(id))
    if (typeof value !== 'object' || value === null || !('kind' in value) || value.kind !== 'opaque') return value
    // What pyTruth and pythonClass read of an object.
    const truth = (answer as { true: boolean }).true
    return { type: value.text, __bool__: () => truth }
  }

  metaReads(): readonly MetaRead[] {
    return this.reads
  }

  handle(fn: CallableId, match: MatchEdit): void {
    try {
      this.call<null>('handle', [fn, this.graphs.open(match, match)])
    } finally {
      this.graphs.close()
    }
  }

  callPass(fn: CallableId, graph: Graph): void {
    this.graphs.openGraph(graph)
    try {
      this.call<null>('call_pass', [fn])
    } finally {
      this.graphs.close()
    }
  }

  runTests(shown: Graph): { tests: PythonTest[]; stubs: PythonRun['stubs'] } {
    this.shown = shown
    try {
      const told = this.call<TestsJson>('tests', [])
      return { ...told, tests: told.tests.map((t) => ({ ...t, error: t.error && failureOf(t.error) })) }
    } finally {
      this.shown = null
    }
  }

  /** A call from Python: [kind, …payload] → {ok} or what to raise. */
  receive(text: string): string {
    try {
      const [kind, ...payload] = JSON.parse(text) as [string, ...Json[]]
      return JSON.stringify({ ok: this.answer(kind, payload) ?? null })
    } catch (e) {
      if (e instanceof PythonError && e === this.passing) {
        this.passing = null
        return JSON.stringify({ pending: true, type: e.pythonType, message: e.message })
      }
      if (e instanceof PythonError || e instanceof TorchError)
        return JSON.stringify({ type: e.pythonType, message: e.message })
      // Python gave up while it was telling us of its error: only a stack that is used up does that.
      if (e instanceof Error && (e as { type?: unknown }).type === 'RecursionError')
        return JSON.stringify({ type: 'RecursionError', message: 'maximum recursion depth exceeded' })
      if (this.broken) throw e
      return JSON.stringify({
        type: 'SystemError',
        message: `Fusescope: ${e instanceof Error ? e.message : String(e)}`,
      })
    }
  }

  private answer(kind: string, payload: Json[]): Json {
    switch (kind) {
      case 'op': {
        const [name, args, kwargs, place] = payload as [string, Json[], [string, Json][], Place | null]
        const made = this.tracer.call(
          name,
          args.map((a) => this.decode(a)),
          new Map(kwargs.map(([k, v]) => [k, this.decode(v)])),
          sourceRef(place),
        )
        return this.encode(made)
      }
      case 'constant':
        return this.constant(payload)
      case 'define':
        this.tracer.define(payload[0] as string, payload[1] as string)
        return null
      case 'fake': {
        const fn = payload[1] as number
        this.tracer.registerFake(payload[0] as string, (args, kwargs) =>
          this.decode(
            this.call<Json>('fake', [
              fn,
              args.map((a) => this.encode(a)),
              [...kwargs].map(([k, v]) => [k, this.encode(v)]),
            ]),
          ),
        )
        return null
      }
      case 'pass':
        this.sink.newPass(this.nextPass, payload[0] as string | null)
        return this.nextPass++
      case 'fwd_only': {
        const [fn, names, args, passes] = payload as [number, string[], Json[], boolean]
        const vals = args.map((a) => valOf(this.decode(a)) ?? { kind: 'scalar' as const, value: null })
        return this.graphs.adopt(this.traceForward(fn, names, vals, 0, passes))
      }
      case 'apply':
        return this.apply(payload[0] as number, this.graphs.held(payload[1] as number | null))
      case 'shown_graph':
        return this.graphs.adopt(this.copyOfShown())
      case 'register':
        this.traceWith(payload[1] as unknown as RegistrationJson)
        this.sink.registerReplacement(
          payload[0] as number,
          readRegistration(payload[1] as unknown as RegistrationJson, (d) => this.decode(d)),
        )
        return null
      case 'patterns':
        return (this.sink.patternsOf?.(payload[0] as number) ?? []) as unknown as Json
      case 'register_graph':
        this.registerGraphPattern(payload[0] as number, payload[1] as unknown as GraphRegistrationJson)
        return null
      case 'sym':
        return this.symbolic(payload[0] as string, this.decode(payload[1]!), this.decode(payload[2]!))
      case 'schema':
        return this.schema(payload[0] as string)
      case 'overloads':
        return this.tracer.overloadsOf ? [...this.tracer.overloadsOf(payload[0] as string)] : null
      default: {
        if (kind === 'match_replace' && payload[3] !== null)
          this.traceFns.set(payload[0] as number, payload[3] as number)
        const answer = this.graphs.answer(kind, payload)
        if (answer === undefined) throw new Error(`unknown call ${kind}`)
        return answer
      }
    }
  }

  private apply(passId: number, graph: Graph): number {
    if (!this.sink.applyOrThrow) throw new TorchError('NotImplementedError', 'a pass cannot be applied here')
    return this.sink.applyOrThrow(passId, graph)
  }

  private copyOfShown(): Graph {
    if (!this.shown) throw new TorchError('RuntimeError', 'only tests are given the graph')
    return clone(this.shown).graph
  }

  private traceWith({ traceFn, search, replace }: RegistrationJson): void {
    if (traceFn === null) return
    this.traceFns.set(search, traceFn)
    this.traceFns.set(replace, traceFn)
  }

  private schema(target: string): Json {
    const facts = this.tracer.schemaOf?.(target)
    if (!facts) return null
    // The tracer's own schemas know how they were written.
    const declared = 'text' in facts && typeof facts.text === 'string' ? facts.text : null
    const args = facts.args.map(({ name, kwargOnly, written }) => ({ name, kwargOnly, written: written ?? false }))
    const shown = args.map((a) => `${a.written ? 'Tensor(!) ' : ''}${a.name}`)
    return {
      mutable: facts.mutable,
      args,
      text: declared ?? `${target.split('.')[1]}(${shown.join(', ')})`,
    }
  }

  private registerGraphPattern(passId: number, json: GraphRegistrationJson): void {
    if (!this.sink.registerGraphPattern)
      throw new TorchError('NotImplementedError', 'register_graph_pattern is not supported here')
    this.sink.registerGraphPattern(
      passId,
      readGraphRegistration(json, (d) => this.decode(d)),
    )
  }

  private constant([name, shape, type, index, values, place]: Json[]): Json {
    const meta: TensorMeta = {
      kind: 'tensor',
      dtype: name as string,
      shape: shape as number[],
      stride: null,
      device: { kind: 'device', type: type as string, index: index as number | null },
    }
    const plain = (v: DispatchArg): never => (Array.isArray(v) ? (v as DispatchArg[]).map(plain) : v) as never

    return this.encode(this.tracer.constant(meta, plain(this.decode(values!)), sourceRef(place as Place | null)))
  }

  /**
   * Arithmetic on symbolic sizes is the tracer's. Comparisons are decided as a guard would with a large hint: sizes are
   * equal when they provably are, and a symbol is greater than any number.
   */
  private symbolic(op: string, a: DispatchArg, b: DispatchArg): Json {
    const compare = COMPARE[op]
    if (!compare) return this.encode(this.tracer.call(`operator.${op}`, [a, b], new Map()))
    if (typeof a === 'number' || typeof b === 'number') return compare(isSym(a) ? 1 : -1)
    const difference = subDims(toDim(a), toDim(b))
    return compare(typeof difference === 'number' ? difference : difference.startsWith('-') ? -1 : 1)
  }

  private decode(data: Json): DispatchArg {
    return decode(
      data,
      (id) => this.tensor(id),
      (name) => this.graphs.node(name),
    )
  }

  private encode(arg: DispatchArg): Json {
    this.keepAll(arg)
    return encode(arg)
  }

  private keepAll(arg: DispatchArg): void {
    if (arg === null || typeof arg !== 'object') return
    if (Array.isArray(arg)) for (const a of arg as readonly DispatchArg[]) this.keepAll(a)
    else if ('kind' in arg && arg.kind === 'fake') this.keep(arg)
    else if ('kind' in arg && arg.kind === 'tuple') for (const a of arg.items as readonly DispatchArg[]) this.keepAll(a)
  }

  private keep(fake: FakeTensor): FakeTensor {
    this.tensors.set(fake.id, fake)
    return fake
  }

  private tensor(id: number): FakeTensor {
    const found = this.tensors.get(id)
    if (!found) throw new TorchError('RuntimeError', 'this tensor belongs to an earlier run')
    return found
  }

  private send(text: string): string {
    if (this.broken) throw new Error('Python has stopped and must be started again')
    try {
      return this.toPython(text)
    } catch (e) {
      // An exception of Python's never gets here but as an Answer: what does is the end of the interpreter.
      if ((e as { type?: unknown }).type === undefined) this.broken = true
      throw e
    }
  }

  private call<T>(kind: string, payload: Json[]): T {
    const answer = JSON.parse(this.send(JSON.stringify([kind, ...payload]))) as Answer<T>
    if ('ok' in answer) return answer.ok
    const { type, message, frames } = answer.error
    this.passing = new PythonError(type, message, frames.map(sourceOfFrame))
    throw this.passing
  }
}

function leavesOf(val: Val | null, name: string): { name: string; val: Val }[] {
  if (val?.kind === 'vals') return val.items.flatMap((v, i) => leavesOf(v, `${name}_${i}`))
  return [{ name, val: val ?? { kind: 'scalar', value: null } }]
}

function failureOf(e: PythonErrorJson): PythonFailure {
  return { type: e.type, message: e.message, frames: e.frames.map(sourceOfFrame), traceback: e.traceback }
}

function sourceOfFrame([file, line, fn, code]: PythonErrorJson['frames'][number]): SourceRef {
  return { file, line, ...(fn === null ? {} : { fn }), ...(code ? { code } : {}) }
}

/** By the sign of a - b. */
const COMPARE: Readonly<Record<string, (difference: number) => boolean>> = {
  eq: (d) => d === 0,
  ne: (d) => d !== 0,
  lt: (d) => d < 0,
  le: (d) => d <= 0,
  gt: (d) => d > 0,
  ge: (d) => d >= 0,
}
