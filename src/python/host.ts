/** The Python world on Pyodide: one string function each way, nothing of the page in Python's hands. */
import { loadPyodide } from 'pyodide'
import { Node, type Arg, type Graph, type SourceRef, type TensorMeta, type Val } from '../fx'
import { PythonError, type CallableId, type MatchView, type RegistrationSink } from '../matcher/types'
import { TorchError, type DispatchArg, type FakeTensor, type Tracer } from '../trace/types'
import { Console } from './console'
import { CLOSE_DOORS, START } from './boot'
import { readRegistration, sourceRef, type Place, type RegistrationJson } from './registration'
import type { CreatePythonHost, PythonFailure, PythonFile, PythonHost, PythonRun } from './types'
import { decode, encode, encodeVal, type Json } from './wire'

interface PythonErrorJson {
  type: string
  message: string
  frames: [file: string, line: number, fn: string | null, code: string | null][]
  traceback: string
}

type Answer<T> = { ok: T } | { error: PythonErrorJson }

const LIB = '/fusescope/lib/'

export const createPythonHost: CreatePythonHost = async ({ assets, tracer, sink }) => {
  const output = new Console()
  const pyodide = await loadPyodide({
    indexURL: assets.indexURL,
    jsglobals: Object.create(null) as object,
    stdout: (text: string) => output.write('stdout', text),
    stderr: (text: string) => output.write('stderr', text),
    stdin: () => null,
  })
  for (const [path, text] of Object.entries(assets.lib)) {
    const folder = (LIB + path).replace(/\/[^/]*$/, '')
    pyodide.FS.mkdirTree(folder)
    pyodide.FS.writeFile(LIB + path, text)
  }
  const host = new Host(tracer, sink, output)
  const connect = pyodide.runPython(START.replace('LIB', LIB)) as (send: (text: string) => string) => unknown
  const handle = connect((text) => host.receive(text)) as (text: string) => string
  pyodide.runPython(CLOSE_DOORS)
  pyodide.unregisterJsModule('js')
  pyodide.unregisterJsModule('pyodide_js')
  host.toPython = handle
  return host
}

class Host implements PythonHost {
  /** Python's one entry: [kind, …payload] as JSON → an Answer as JSON. */
  toPython: (text: string) => string = () => {
    throw new Error('Python is not connected')
  }
  private readonly tensors = new Map<number, FakeTensor>()
  private readonly nodes = new Map<string, Node>()
  private nextPass = 0
  /** A Python exception on its way through the tracer back into Python, where the original waits. */
  private passing: PythonError | null = null

  constructor(
    private readonly tracer: Tracer,
    private readonly sink: RegistrationSink,
    private readonly output: Console,
  ) {}

  run(files: readonly PythonFile[]): PythonRun {
    const started = performance.now()
    this.tracer.reset()
    this.tensors.clear()
    this.nodes.clear()
    this.nextPass = 0
    this.passing = null
    const result = this.call<{
      passes: [string, number][]
      failure: PythonErrorJson | null
      stubs: { module: string; asked: string[] }[]
    }>('run', [files.map((f) => [f.name, f.text])])
    return {
      passes: result.passes.map(([variable, passId]) => ({ variable, passId })),
      failure: result.failure && failureOf(result.failure),
      stubs: result.stubs,
      console: this.drainConsole(),
      ms: performance.now() - started,
    }
  }

  drainConsole(): { stream: 'stdout' | 'stderr'; text: string }[] {
    return this.output.drain()
  }

  trace(fn: CallableId, argNames: readonly string[], args: readonly Val[], leadingSyms = 0): Graph {
    const leaves = args.flatMap((val, i) => leavesOf(val, argNames[i] ?? `arg${i}`))
    const fakes = this.tracer.begin(leaves)
    let next = 0
    const take = (val: Val | null): Json => {
      if (val?.kind === 'vals') return { t: val.items.map(take) }
      // A tracer may answer for tensors only, or for each input: take the next tensor either way.
      if (val?.kind === 'tensor') {
        while (next < fakes.length && !fakes[next]) next++
        return encode(this.keep(fakes[next++]!))
      }
      return encodeVal(val, (meta) => this.keep(this.tracer.fake(meta)))
    }
    const payload = args.map(take)
    try {
      const made = this.call<Json>('trace', [fn, payload.slice(leadingSyms)])
      return this.tracer.end(this.decode(made))
    } catch (e) {
      this.tracer.abort()
      throw e
    }
  }

  extraCheck(fn: CallableId, match: MatchView): unknown {
    for (const n of match.nodes) this.remember(n)
    const outputs = match.outputs.map((n) => this.remember(n))
    const view = {
      nodes: match.nodes.map((n) => n.name),
      outputs,
      args: match.args.map((a) => this.captured(a)),
      kwargs: [...match.kwargs].map(([k, v]) => [k, this.captured(v)] as const),
    }
    const answer = this.call<Json>('extra_check', [fn, view as unknown as Json])
    const value = decode(answer, (id) => this.tensor(id))
    return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'opaque'
      ? value.text
      : value
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
      case 'register':
        this.sink.registerReplacement(
          payload[0] as number,
          readRegistration(payload[1] as unknown as RegistrationJson, (d) => this.decode(d)),
        )
        return null
      case 'node':
        return this.describe(payload[0] as string)
      case 'sym':
        return this.symbolic(payload[0] as string, this.decode(payload[1]!), this.decode(payload[2]!))
      case 'schema':
        return `${payload[0] as string}(...)`
      case 'overloads':
        return [...(this.tracer.overloadsOf?.(payload[0] as string) ?? [])]
      default:
        throw new Error(`unknown call ${kind}`)
    }
  }

  private constant([name, shape, type, index, values]: Json[]): Json {
    const meta: TensorMeta = {
      kind: 'tensor',
      dtype: name as string,
      shape: shape as number[],
      stride: null,
      device: { kind: 'device', type: type as string, index: index as number | null },
    }
    const plain = (v: DispatchArg): never => (Array.isArray(v) ? (v as DispatchArg[]).map(plain) : v) as never

    return this.encode(this.tracer.constant(meta, plain(this.decode(values!))))
  }

  /** Arithmetic on symbolic sizes, as text; sizes compare equal when their text is. */
  private symbolic(op: string, a: DispatchArg, b: DispatchArg): Json {
    const text = (v: DispatchArg): string =>
      typeof v === 'object' && v !== null && 'kind' in v && v.kind === 'sym' ? v.expr : String(v)
    const [x, y] = [text(a), text(b)]
    switch (op) {
      case '==':
      case '!=':
        return (x === y) === (op === '==')
      case '<':
      case '<=':
        return x !== y ? typeof a === 'bigint' : op === '<='
      case '>':
      case '>=':
        return x !== y ? typeof b === 'bigint' : op === '>='
      case '*':
        return x === '1'
          ? { s: y }
          : y === '1'
            ? { s: x }
            : { s: /^\d+$/.test(y) ? `${y}*${atom(x)}` : `${atom(x)}*${atom(y)}` }
      case '//':
        return y === '1' ? { s: x } : { s: `(${x}//${atom(y)})` }
      default:
        return { s: `${atom(x)} ${op} ${atom(y)}` }
    }
  }

  private describe(name: string): Json {
    const node = this.nodes.get(name)
    if (!node) throw new Error(`no node ${name}`)
    const ref = (n: Node): Json => ({ node: this.remember(n) })
    return {
      name: node.name,
      op: node.op,
      target: node.op === 'call_function' ? { fn: node.target } : node.target,
      args: node.args.map((a) => encode(a, ref)),
      kwargs: [...node.kwargs].map(([k, v]) => [k, encode(v, ref)]),
      users: [...node.users].map((n) => this.remember(n)),
      inputs: node.inputs().map((n) => this.remember(n)),
      val: encodeVal(node.meta.val, (meta) => this.keep(this.tracer.fake(meta))),
      custom: node.meta.custom ? { d: [['custom', asDict(node.meta.custom)]] } : null,
    }
  }

  private captured(value: unknown): Json {
    if (value !== null && typeof value === 'object' && 'kind' in value && value.kind === 'captured')
      return { t: (value as unknown as { items: unknown[] }).items.map((v) => this.captured(v)) }
    return encode(value as Arg, (n) => ({ node: this.remember(n) }))
  }

  private remember(node: Node): string {
    this.nodes.set(node.name, node)
    return node.name
  }

  private decode(data: Json): DispatchArg {
    return decode(data, (id) => this.tensor(id))
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

  private call<T>(kind: string, payload: Json[]): T {
    const answer = JSON.parse(this.toPython(JSON.stringify([kind, ...payload]))) as Answer<T>
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

const atom = (text: string): string => (/^[\w.]+$/.test(text) || /^\(.*\)$/.test(text) ? text : `(${text})`)

/** Plain JSON data (node.meta["custom"]) as a Python dict. */
function asDict(value: unknown): Json {
  if (Array.isArray(value)) return value.map(asDict)
  if (value !== null && typeof value === 'object') return { d: Object.entries(value).map(([k, v]) => [k, asDict(v)]) }
  return (value ?? null) as Json
}
