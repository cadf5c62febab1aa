/** Handles Python's calls into the engine: operators of the tracer, passes, registrations and graphs. */
import { clone, type Graph, type TensorMeta } from '../fx'
import type { CallableId } from '../matcher/types'
import { nameClasses } from '../matcher/expr/module_class'
import type { RegistrationSink } from '../matcher/host'
import { dimArg, isFake } from '../ops/fake'
import { tagsOf } from '../ops/schema/tags'
import type { SchemaType } from '../ops/schema/types'
import type { Bound } from '../ops/bind'
import { TorchError, type DecompositionTable, type DispatchArg, type Tracer } from '../trace/types'
import { removeNoops } from '../trace/noop'
import { valuesOf } from '../trace/propagate'
import type { EngineHandlers, TO_ENGINE } from './calls/table'
import type { ArgumentsOf, RequestedTrace } from './calls/types'
import type { Channel } from './channel'
import type { EditLog } from './edit_log'
import type { ForwardTrace } from './forward_trace'
import type { GraphRequests } from './graph_requests'
import { higherOrderHandlers } from './higher_order'
import type { OpenGraphs } from './open_graphs'
import type { SearchLog } from './search_log'
import {
  readGraphRegistration,
  readRegistration,
  sourceRef,
  type GraphRegistrationJson,
  type RegistrationJson,
  type TraceFn,
} from './registration'
import { valOf } from './node_values'
import { symbolic, type Hints } from './symbolic'
import type { MatchCalls } from './match_calls'
import type { SharedValues } from './values'
import type { Json } from './wire'

export interface RequestsOptions {
  tracer: Tracer
  sink(): RegistrationSink
  channel: Channel
  values: SharedValues
  graphs: OpenGraphs
  graphRequests: GraphRequests
  log: EditLog
  searches: SearchLog
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
  /** The decomposition table of functions that are traced with another table than Inductor's. */
  private readonly tableOf = new Map<CallableId, DecompositionTable>()
  /** Functions that are traced with a trace_fn other than fwd_only, with that trace_fn. */
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

  /** The handlers of Python's calls. A TorchError is the exception to raise in Python. */
  get handlers(): EngineHandlers {
    return (this.made ??= this.allHandlers())
  }

  private made: EngineHandlers | null = null

  private allHandlers(): EngineHandlers {
    const { tracer, values, matching, graphRequests, log, searches } = this.options
    const ofGraphs = graphRequests.handlers
    return {
      ...this.ofOperators(),
      ...this.ofPasses(),
      ...higherOrderHandlers(tracer, values),
      ...matching.handlers,
      ...searches.handlers,
      ...ofGraphs,
      match_replace: (fn, names, args, traceFn, match) => {
        if (traceFn !== null) this.traceFns.set(fn, traceFn)
        return ofGraphs.match_replace(fn, names, args, traceFn, match)
      },
      edit: (lines, kind, payload) => log.answer(lines, kind, payload),
    }
  }

  private ofOperators() {
    const { tracer, values, graphs } = this.options
    const decoded = (args: readonly Json[]): DispatchArg[] => args.map((a) => values.decode(a))
    return {
      op: (name, args, kwargs, place) =>
        values.encode(
          tracer.call(name, decoded(args), new Map(kwargs.map(([k, v]) => [k, values.decode(v)])), sourceRef(place)),
        ),
      constant: (...args) => this.constant(...args),
      sym: (target, args, hints) => values.encode(symbolic(tracer, target, decoded(args), new Map(hints as Hints))),
      define: (namespace, schema, overwrite) => tracer.define(namespace, schema, overwrite),
      fake: (op, fn) => this.registerFake(op, fn),
      storage: (tensor, node) => this.storage(tensor, node),
      schema: (overload) => this.schema(overload),
      known_operator: (name) => tracer.isKnown(name),
      graph_noops: (number) => {
        const { graph } = clone(graphs.current(number))
        return removeNoops({ graph, values: valuesOf(graph, tracer) }, tracer.rules).flat()
      },
      overloads: (packet) => [...tracer.overloadsOf(packet)],
    } satisfies Partial<EngineHandlers>
  }

  private ofPasses() {
    const { sink, graphs } = this.options
    return {
      new_pass: (name) => {
        sink().newPass(this.nextPass, name)
        return this.nextPass++
      },
      patterns: (pass) => sink().patternsOf(pass) as unknown as Json,
      set_patterns: (pass, entries) => sink().setPatterns(pass, entries),
      register: (pass, registration) => this.registerReplacement(pass, registration),
      register_graph: (pass, registration) => this.registerGraphPattern(pass, registration),
      apply: (pass, number, classes) => this.apply(pass, number, classes),
      decompositions: (...table) => this.tables.push(this.readTable(...table)) - 1,
      fwd_only: (...args) => this.forwardOnly(...args),
      shown_graph: () => graphs.adopt(this.copyOfShown()),
    } satisfies Partial<EngineHandlers>
  }

  /** [the number of a tensor's storage, its offset there]; `of` names the node that has the value. */
  private storage(id: number, of: string | null): Json {
    const { tracer, values, graphs } = this.options
    const ofNode = of === null ? null : graphs.tensorOf(of, (graph) => valuesOf(graph, tracer))
    const { storage, meta } = ofNode ?? values.tensor(id)
    return [storage, values.encode(dimArg(meta.storageOffset ?? 0))]
  }

  /** Handles fwd_only called by user code. Returns the number of the traced graph. */
  private forwardOnly(fn: CallableId, names: string[], args: Json[], options: RequestedTrace): number {
    const { values, graphs, forward } = this.options
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

  private readTable(absent: string[], registered: string[], custom: [string, CallableId][]): DecompositionTable {
    const { values, channel } = this.options
    const call = (fn: number) => (bound: Bound) => {
      const args = bound.args.map((a) => values.encode(a))
      const kwargs = [...bound.kwargs].map(([k, v]): [string, Json] => [k, values.encode(v)])
      const [done, made] = channel.call('decompose', fn, args, kwargs)
      return done ? values.decode(made) : undefined
    }
    return {
      absent: new Set(absent),
      registered: new Set(registered),
      custom: new Map(custom.map(([name, fn]) => [name, call(fn)])),
    }
  }

  private registerFake(op: string, fn: CallableId): void {
    const { tracer, values, channel } = this.options
    tracer.registerFake(op, (args, kwargs) =>
      values.decode(
        channel.call(
          'fake',
          fn,
          args.map((a) => values.encode(a)),
          [...kwargs].map(([k, v]) => [k, values.encode(v)]),
        ),
      ),
    )
  }

  private apply(passId: number, number: number | null, classes: readonly (readonly [string, string])[]): number {
    const { sink, graphs } = this.options
    const graph = graphs.current(number)
    nameClasses(graph, classes)
    if (number === null && this.applyToShown) return this.applyToShown(passId)
    return sink().applyOrThrow(passId, graph)
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
    return sink().registerReplacement(
      passId,
      readRegistration(json, (d) => values.decode(d)),
    ) as Json
  }

  private registerGraphPattern(passId: number, json: GraphRegistrationJson): Json {
    const { sink, values } = this.options
    return sink().registerGraphPattern(
      passId,
      readGraphRegistration(json, (d) => values.decode(d)),
    ) as unknown as Json
  }

  private schema(target: string): Json {
    const { tracer, values } = this.options
    const facts = tracer.schemaOf(target)
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
      tags: tagsOf(target, facts.args),
      text: declared ?? `${target.split('.')[1]}(${shown.join(', ')})`,
    }
  }

  private constant(...[dtype, shape, type, index, data, place]: ArgumentsOf<typeof TO_ENGINE.constant>): Json {
    const { tracer, values } = this.options
    const device: TensorMeta['device'] = { kind: 'device', type, index }
    const meta: TensorMeta = { kind: 'tensor', dtype, shape, stride: null, device }
    const plain = (v: DispatchArg): never => (Array.isArray(v) ? (v as DispatchArg[]).map(plain) : v) as never
    return values.encode(tracer.constant(meta, plain(values.decode(data)), sourceRef(place)))
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
