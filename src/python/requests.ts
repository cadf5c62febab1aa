/** Handles Python's calls into the engine: operators of the tracer, passes, registrations and graphs. */
import { clone, type Graph, type TensorMeta } from '../fx'
import type { CallableId, EntryTable } from '../matcher/types'
import type { RegistrationSink } from '../matcher/host'
import { isFake } from '../ops/fake'
import type { SchemaType } from '../ops/schema/types'
import type { Bound } from '../ops/bind'
import { TorchError, type DecompositionTable, type DispatchArg, type Tracer } from '../trace/types'
import { valuesOf } from '../trace/propagate'
import type { Channel } from './channel'
import type { ForwardTrace } from './forward_trace'
import type { GraphRequests } from './graph_requests'
import { answerHigherOrder } from './higher_order'
import type { OpenGraphs } from './open_graphs'
import {
  readGraphRegistration,
  readRegistration,
  sourceRef,
  type GraphRegistrationJson,
  type SourceLocation,
  type RegistrationJson,
  type TraceFn,
} from './registration'
import { valOf } from './node_values'
import { symbolic } from './symbolic'
import type { MatchCalls } from './match_calls'
import type { SharedValues } from './values'
import type { Json } from './wire'

/** Options of a trace that user code starts. */
interface RequestedTrace {
  functionalPasses?: boolean
  joint?: boolean
  decompositions: number | null
}

export interface RequestsOptions {
  tracer: Tracer
  sink: RegistrationSink
  channel: Channel
  values: SharedValues
  graphs: OpenGraphs
  graphRequests: GraphRequests
  forward: ForwardTrace
  matching: MatchCalls
}

export class Requests {
  /** The workspace's graph, while tests run. */
  shown: Graph | null = null
  /** Applies a pass to the graph while an enclosing pass has it; null: applied as to any graph. */
  applyToShown: ((passId: number) => number) | null = null
  private nextPass = 0
  private readonly tables: DecompositionTable[] = []
  /** The table of functions that are traced with another than Inductor's. */
  private readonly tableOf = new Map<CallableId, DecompositionTable>()
  /** Functions that a trace_fn other than fwd_only traces, with that trace_fn. */
  private readonly traceFns = new Map<CallableId, TraceFn>()

  constructor(private readonly options: RequestsOptions) {}

  /** Resets the state for a new run. */
  forget(): void {
    this.traceFns.clear()
    this.tableOf.clear()
    this.tables.length = 0
    this.nextPass = 0
  }

  /** The trace_fn for this function; undefined: fwd_only. */
  traceFnOf(fn: CallableId): TraceFn | undefined {
    return this.traceFns.get(fn)
  }

  /** @throws TorchError the exception to raise in Python */
  answer(kind: string, payload: Json[]): Json {
    const { tracer, sink, values, graphs } = this.options
    switch (kind) {
      case 'op':
        return this.callOperator(payload)
      case 'constant':
        return this.constant(payload)
      case 'define':
        tracer.define(payload[0] as string, payload[1] as string)
        return null
      case 'fake':
        this.registerFake(payload[0] as string, payload[1] as CallableId)
        return null
      case 'pass':
        sink.newPass(this.nextPass, payload[0] as string | null)
        return this.nextPass++
      case 'decompositions':
        return this.tables.push(this.readTable(payload)) - 1
      case 'fwd_only':
        return this.forwardOnly(payload)
      case 'apply':
        return this.apply(payload[0] as number, payload[1] as number | null)
      case 'shown_graph':
        return graphs.adopt(this.copyOfShown())
      case 'register':
        return this.registerReplacement(payload[0] as number, payload[1] as unknown as RegistrationJson)
      case 'patterns':
        return (sink.patternsOf?.(payload[0] as number) ?? []) as unknown as Json
      case 'register_graph':
        return this.registerGraphPattern(payload[0] as number, payload[1] as unknown as GraphRegistrationJson)
      case 'set_patterns':
        sink.setPatterns?.(payload[0] as number, payload[1] as unknown as EntryTable)
        return null
      case 'sym':
        return values.encode(
          symbolic(tracer, payload[0] as string, values.decode(payload[1]!), values.decode(payload[2]!)),
        )
      case 'storage': {
        const of = payload[1] as string | null
        const shared = of === null ? null : graphs.storageOf(of, (graph) => valuesOf(graph, tracer))
        return shared ?? values.tensor(payload[0] as number).storage
      }
      case 'schema':
        return this.schema(payload[0] as string)
      case 'known_operator':
        return tracer.isKnown?.(payload[0] as string) ?? true
      case 'overloads':
        return tracer.overloadsOf ? [...tracer.overloadsOf(payload[0] as string)] : null
      default: {
        if (kind === 'match_replace' && payload[3] !== null)
          this.traceFns.set(payload[0] as number, payload[3] as TraceFn)
        const answer =
          answerHigherOrder(kind, payload, this.options) ??
          this.options.matching.answer(kind, payload) ??
          this.options.graphRequests.answer(kind, payload)
        if (answer === undefined) throw new Error(`unknown call ${kind}`)
        return answer
      }
    }
  }

  private callOperator(payload: Json[]): Json {
    const { tracer, values } = this.options
    const [name, args, kwargs, place] = payload as [string, Json[], [string, Json][], SourceLocation | null]
    const result = tracer.call(
      name,
      args.map((a) => values.decode(a)),
      new Map(kwargs.map(([k, v]) => [k, values.decode(v)])),
      sourceRef(place),
    )
    return values.encode(result)
  }

  /** Handles fwd_only called by user code. Returns the number of the traced graph. */
  private forwardOnly(payload: Json[]): number {
    const { values, graphs, forward } = this.options
    const [fn, names, args, options] = payload as [number, string[], Json[], RequestedTrace]
    const given = args.map((a) => values.decode(a))
    const vals = given.map((a) => valOf(a) ?? { kind: 'scalar' as const, value: a as null })
    const sameAs = given.map((a) => (isFake(a) ? given.indexOf(a) : -1))
    return graphs.adopt(
      forward.run(fn, names, vals, { ...options, sameAs, decompositions: this.table(options.decompositions) }),
    )
  }

  /** The table by which a function is traced; undefined: Inductor's own. */
  decompositionsOf(fn: CallableId): DecompositionTable | undefined {
    return this.tableOf.get(fn)
  }

  private table(number: number | null | undefined): DecompositionTable | undefined {
    return number === null || number === undefined ? undefined : this.tables[number]
  }

  private readTable([absent, registered, custom]: Json[]): DecompositionTable {
    const { values, channel } = this.options
    const call = (fn: number) => (bound: Bound) => {
      const args = bound.args.map((a) => values.encode(a))
      const kwargs = [...bound.kwargs].map(([k, v]) => [k, values.encode(v)])
      const [done, made] = channel.call<[boolean, Json]>('decompose', [fn, args, kwargs])
      return done ? values.decode(made) : undefined
    }
    return {
      absent: new Set(absent as string[]),
      registered: new Set(registered as string[]),
      custom: new Map((custom as [string, number][]).map(([name, fn]) => [name, call(fn)])),
    }
  }

  private registerFake(op: string, fn: CallableId): void {
    const { tracer, values, channel } = this.options
    tracer.registerFake(op, (args, kwargs) =>
      values.decode(
        channel.call<Json>('fake', [
          fn,
          args.map((a) => values.encode(a)),
          [...kwargs].map(([k, v]) => [k, values.encode(v)]),
        ]),
      ),
    )
  }

  private apply(passId: number, number: number | null): number {
    const { sink, graphs } = this.options
    const graph = graphs.held(number)
    if (number === null && this.applyToShown) return this.applyToShown(passId)
    if (!sink.applyOrThrow) throw new TorchError('NotImplementedError', 'a pass cannot be applied here')
    return sink.applyOrThrow(passId, graph)
  }

  private copyOfShown(): Graph {
    if (!this.shown) throw new TorchError('RuntimeError', 'the graph is available to tests only')
    return clone(this.shown).graph
  }

  private registerReplacement(passId: number, json: RegistrationJson): Json {
    const { sink, values } = this.options
    if (json.traceFn !== null) for (const fn of [json.search, json.replace]) this.traceFns.set(fn, json.traceFn)
    const table = this.table(json.decompositions)
    if (table) for (const fn of [json.search, json.replace]) this.tableOf.set(fn, table)
    return sink.registerReplacement(
      passId,
      readRegistration(json, (d) => values.decode(d)),
    ) as Json
  }

  private registerGraphPattern(passId: number, json: GraphRegistrationJson): Json {
    const { sink, values } = this.options
    if (!sink.registerGraphPattern)
      throw new TorchError('NotImplementedError', 'register_graph_pattern is not supported here')
    return sink.registerGraphPattern(
      passId,
      readGraphRegistration(json, (d) => values.decode(d)),
    ) as unknown as Json
  }

  private schema(target: string): Json {
    const { tracer, values } = this.options
    const facts = tracer.schemaOf?.(target)
    if (!facts) return null
    // The tracer's own schemas keep their source text.
    const declared = 'text' in facts && typeof facts.text === 'string' ? facts.text : null
    const args = facts.args.map((a) => ({
      name: a.name,
      kwargOnly: a.kwargOnly,
      written: a.written ?? false,
      aliased: a.aliased ?? false,
      type: 'type' in a ? typeText(a.type as SchemaType) : null,
      hasDefault: a.default !== undefined,
      default: a.default === undefined ? null : values.encode(defaultOf(a.default as DispatchArg, a.type)),
    }))
    const shown = args.map((a) => `${a.written ? 'Tensor(!) ' : ''}${a.name}`)
    return {
      mutable: facts.mutable,
      args,
      text: declared ?? `${target.split('.')[1]}(${shown.join(', ')})`,
    }
  }

  private constant([name, shape, type, index, data, place]: Json[]): Json {
    const { tracer, values } = this.options
    const meta: TensorMeta = {
      kind: 'tensor',
      dtype: name as string,
      shape: shape as number[],
      stride: null,
      device: { kind: 'device', type: type as string, index: index as number | null },
    }
    const plain = (v: DispatchArg): never => (Array.isArray(v) ? (v as DispatchArg[]).map(plain) : v) as never

    return values.encode(tracer.constant(meta, plain(values.decode(data!)), sourceRef(place as SourceLocation | null)))
  }
}

/** PyTorch expands the default of `int[2] padding=0` to a list of that length. */
function defaultOf(value: DispatchArg, type: { list: number | null } | undefined): DispatchArg {
  const length = type?.list ?? 0
  return length > 0 && value !== null && !Array.isArray(value) ? Array.from({ length }, () => value) : value
}

/** A schema's type in PyTorch's notation: `Tensor`, `Optional[int]`, `List[Tensor]`. */
function typeText({ base, optional, list, itemOptional }: SchemaType): string {
  const plain =
    base === 'SymInt' || ['ScalarType', 'Layout', 'MemoryFormat'].includes(base) ? 'int' : (PRINTED[base] ?? base)
  const item = list !== null && itemOptional ? `Optional[${plain}]` : plain
  const whole = list === null ? item : `List[${item}]`
  return optional ? `Optional[${whole}]` : whole
}

const PRINTED: Readonly<Record<string, string>> = { Scalar: 'number' }
