/**
 * make_fx on fake tensors, as torch._inductor.pattern_matcher.fwd_only uses it: the dispatcher, Inductor's
 * decompositions, then remove_noop_ops and dead-code elimination.
 */
import {
  device as deviceOf,
  eliminateDeadCode,
  isHigherOrder,
  isImpure,
  isOverload,
  sym,
  type ConstantValues,
  type Dim,
  type Graph,
  type SourceRef,
  type TensorMeta,
} from '../fx'
import { asBinding } from '../ops/bindings'
import { bind, overloadsOf, rebound, resolve, type Bound } from '../ops/bind'
import { dimArg, isFake, visitFakes, type DispatchArg, type FakeTensor } from '../ops/fake'
import { inferSchema } from '../ops/infer'
import { OpCall, type Dispatcher } from '../ops/op_call'
import { lookupOp } from '../ops/registry'
import { catalogSchema, mutatedArgs, parseSchema, type OpSchema } from '../ops/schema'
import { contiguousStrides } from '../ops/strides'
import { TorchError } from '../ops/torch_error'
import { autoFunctionalized } from './auto_functionalized'
import { checkInPlace } from '../ops/in_place_dtype'
import { removeNoops } from './noop'
import { refuseOut } from './no_out'
import { callOperator } from './operators'
import { materialized } from './lazy_bits'
import { Recorder } from './recorder'
import { SIZE_OPERATORS } from './size_operators'
import type { TraceInput, Tracer } from './types'

type FakeImpl = (args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>) => DispatchArg

export function createTracer(): TracerImpl {
  return new TracerImpl()
}

export class TracerImpl implements Tracer, Dispatcher {
  readonly inferredOps = new Set<string>()
  /** User-defined schemas by packet. */
  private readonly user = new Map<string, OpSchema[]>()
  private readonly fakes = new Map<string, FakeImpl>()
  private recorders: Recorder[] = []
  /** Values of constants created outside any trace. */
  private readonly outer = new WeakMap<FakeTensor, ConstantValues>()
  /** Above zero while nothing is recorded: in shape rules, fake implementations and higher-order bodies. */
  private quiet = 0
  private ids = 0

  fake(meta: TensorMeta): FakeTensor {
    return this.fresh(meta)
  }

  fresh(meta: TensorMeta): FakeTensor {
    const id = ++this.ids
    return { kind: 'fake', id, meta: complete(meta), storage: id }
  }

  view(base: FakeTensor, meta: TensorMeta): FakeTensor {
    const { storage, conj, neg } = base
    return { kind: 'fake', id: ++this.ids, meta: complete(meta), storage, ...(conj && { conj }), ...(neg && { neg }) }
  }

  readSize(size: Dim): void {
    if (typeof size === 'string') this.recording?.arg(sym(size))
  }

  constant(meta: TensorMeta, values: ConstantValues, source?: SourceRef): FakeTensor {
    const made = this.fresh(meta)
    const recorder = this.recording
    if (!recorder) {
      this.outer.set(made, values)
      return made
    }
    recorder.constant(made, values)
    return this.call('aten.lift_fresh_copy.default', [made], new Map(), source) as FakeTensor
  }

  private get recording(): Recorder | undefined {
    return this.quiet > 0 ? undefined : this.recorders.at(-1)
  }

  call(
    name: string,
    args: readonly DispatchArg[],
    kwargs: ReadonlyMap<string, DispatchArg> | Readonly<Record<string, DispatchArg>> = new Map(),
    source?: SourceRef,
  ): DispatchArg {
    const named = kwargs instanceof Map ? (kwargs as ReadonlyMap<string, DispatchArg>) : new Map(Object.entries(kwargs))
    if (source) this.recording?.at(source)
    if (isHigherOrder(name)) return this.higherOrder(name, args, named)
    if (/^_?(operator|math|torch)\./.test(name))
      return callOperator(name, args, (n, a) => this.call(n, a), this.recording)
    if (name in SIZE_OPERATORS) return this.sizeOf(name, args)
    return this.dispatch(this.bound(name, args, named))
  }

  private bound(
    given: string,
    givenArgs: readonly DispatchArg[],
    givenKwargs: ReadonlyMap<string, DispatchArg>,
  ): Bound {
    const { name, args, kwargs } = isOverload(given)
      ? { name: given, args: givenArgs, kwargs: givenKwargs }
      : asBinding(given, givenArgs, givenKwargs)
    const schemas = overloadsOf(name, this.user)
    if (isOverload(name)) {
      const schema = schemas.find((s) => s.name === name) ?? catalogSchema(name)
      if (schema) return bind(schema, args, kwargs)
      const [ns, op, overload] = name.split('.') as [string, string, string]
      if (schemas.length > 0)
        throw new TorchError('AttributeError', `The underlying op of '${ns}.${op}' has no overload name '${overload}'`)
    } else if (schemas.length > 0) return resolve(name, schemas, args, kwargs)
    const [ns, op] = name.split('.') as [string, string]
    if (ns === 'aten' || ns === 'prims')
      throw new TorchError('AttributeError', `'_OpNamespace' '${ns}' object has no attribute '${op}'`)
    const schema = inferSchema(isOverload(name) ? name : `${name}.default`, args, kwargs)
    this.inferredOps.add(schema.name)
    return bind(schema, args, kwargs)
  }

  /** x.numel(), x.stride(i), x.size(i): creates a node only if the result is symbolic. */
  private sizeOf(name: string, args: readonly DispatchArg[]): DispatchArg {
    const x = args[0]
    if (!isFake(x)) throw new TorchError('TypeError', `${name}: argument 'self' must be a Tensor`)
    const value = SIZE_OPERATORS[name]!(x.meta, args.length > 1 ? Number(args[1]) : 0)
    if (typeof value === 'number') return dimArg(value)
    const recorder = this.recording
    if (recorder)
      recorder.symbolic(value, name, args, name === 'aten.sym_numel.default' ? 'sym_numel_default' : undefined)
    return sym(value)
  }

  private dispatch(bound: Bound): DispatchArg {
    const target = bound.schema.name
    const packet = target.slice(0, target.lastIndexOf('.'))
    const own = this.user.has(packet)
    const def = own ? undefined : lookupOp(target)
    const c = new OpCall(this, bound.schema, bound.values)
    const implicit = def?.implicit?.(c)
    if (implicit !== undefined) return implicit
    const recorder = this.recording
    if (recorder && !own) refuseOut(target)
    const read = materialized(packet.slice(packet.indexOf('.') + 1), bound.values, (x) =>
      this.call('aten.clone.default', [x]),
    )
    if (read) return this.dispatch(rebound(bound.schema, read))
    if (recorder || !def?.meta) {
      const decomposed = def?.decomp?.(c)
      if (decomposed !== undefined) return decomposed
    }
    const name = magic(packet.slice(packet.indexOf('.') + 1))
    const finish = recorder?.record(target, bound.args, bound.kwargs, name)
    const out = this.quietly(() => this.run(bound, def?.meta, c))
    finish?.(out)
    return out
  }

  /** The fake result of one operator. */
  private run(bound: Bound, meta: ((c: OpCall) => DispatchArg) | undefined, c: OpCall): DispatchArg {
    const { schema } = bound
    if (meta) return meta(c)
    const packet = schema.name.slice(0, schema.name.lastIndexOf('.'))
    const impl = this.fakes.get(schema.name) ?? (schema.name.endsWith('.default') ? this.fakes.get(packet) : undefined)
    if (impl) return impl(bound.args, bound.kwargs)
    if (schema.mutable && schema.returns.length === 0) return null
    if (this.inferredOps.has(schema.name)) return fallbackResult(this, bound)
    // In-place and out= operators return their argument.
    const written = mutatedArgs(schema)
    if (schema.returns.length > 0 && schema.returns.every((r) => r.write) && written.length === schema.returns.length) {
      const outs = written.map((n) => bound.values.get(n)!)
      checkInPlace(schema, c)
      return outs.length === 1 ? outs[0]! : { kind: 'tuple', items: outs }
    }
    if (this.user.has(packet))
      throw new TorchError('torch._subclasses.fake_tensor.UnsupportedOperatorException', schema.name)
    throw new TorchError('NotImplementedError', `Fusescope has no shape rule for ${schema.name} yet`)
  }

  private quietly<T>(run: () => T): T {
    this.quiet++
    try {
      return run()
    } finally {
      this.quiet--
    }
  }

  private higherOrder(
    name: string,
    args: readonly DispatchArg[],
    kwargs: ReadonlyMap<string, DispatchArg>,
  ): DispatchArg {
    const v2 = name === 'higher_order.auto_functionalized_v2'
    if (!v2 && name !== 'higher_order.auto_functionalized')
      throw new TorchError('NotImplementedError', `Fusescope cannot trace ${name} yet`)
    const out = this.quietly(() =>
      autoFunctionalized(
        {
          schemaOf: (t) => this.schemaOf(t),
          infer: (t, k) => {
            this.inferredOps.add(t)
            return inferSchema(t, [], k, true)
          },
          run: (schema, k) => this.dispatch(bind(schema, [], k)),
          fresh: (meta) => this.fresh(meta),
        },
        v2,
        args,
        kwargs,
      ),
    )
    this.recording?.record(name, args, kwargs, name.slice('higher_order.'.length))(out)
    return out
  }

  begin(inputs: readonly TraceInput[]): FakeTensor[] {
    const recorder = new Recorder(this.outer)
    this.recorders.push(recorder)
    const made: FakeTensor[] = []
    const leaf = (val: TraceInput['val'] | null): DispatchArg => {
      if (val?.kind === 'tensor') return this.fresh(val)
      if (val?.kind === 'vals') return val.items.map(leaf)
      return val?.value ?? null
    }
    for (const input of inputs) {
      const value = input.sameAs === undefined ? leaf(input.val) : made[input.sameAs]!
      recorder.placeholder(input.name, value)
      made.push(value as FakeTensor)
    }
    return made
  }

  end(output: DispatchArg, functionalPasses = true): Graph {
    const recorder = this.recorders.pop()
    if (!recorder) throw new Error('no trace is on')
    recorder.output(output)
    if (!functionalPasses) return recorder.graph
    removeNoops(recorder)
    const done = eliminateDeadCode(recorder.graph, (n) => isImpure(n, { isMutable: (t) => this.isMutable(t) }))
    if (!done.ok) throw new Error(done.error)
    return recorder.graph
  }

  abort(): void {
    this.recorders.pop()
  }

  define(ns: string, schema: string): void {
    const parsed = parseSchema(ns, schema)
    const packet = parsed.name.slice(0, parsed.name.lastIndexOf('.'))
    const known = this.user.get(packet) ?? []
    if (known.some((s) => s.name === parsed.name))
      throw new TorchError(
        'RuntimeError',
        `Tried to register an operator (${ns}::${parsed.text}) with the same name and overload name multiple times. ` +
          "Each overload's schema should only be registered with a single call to def().",
      )
    this.user.set(packet, [...known, parsed])
  }

  /** @param name `_C.rms_norm`, `_C::rms_norm` or with an overload */
  registerFake(name: string, impl: FakeImpl): void {
    this.fakes.set(name.replace('::', '.'), impl)
  }

  reset(): void {
    this.user.clear()
    this.fakes.clear()
    this.inferredOps.clear()
    this.recorders = []
    this.quiet = 0
  }

  /** The schema of `aten.add.Tensor`: user-defined, from the catalog, or null. */
  schemaOf(target: string): OpSchema | null {
    const packet = target.slice(0, target.lastIndexOf('.'))
    // A definition of one overload keeps the project's other overloads of the packet.
    return this.user.get(packet)?.find((s) => s.name === target) ?? catalogSchema(target)
  }

  /** Overloads of a packet (`aten.add`), user-defined or from the catalog. */
  overloadsOf(packet: string): readonly string[] {
    return overloadsOf(packet, this.user).map((s) => s.name)
  }

  /** `_schema.is_mutable`; undefined for an undeclared operator. */
  isMutable(target: string): boolean | undefined {
    return isOverload(target) ? this.schemaOf(target)?.mutable : undefined
  }
}

const complete = (meta: TensorMeta): TensorMeta => ({
  ...meta,
  stride: meta.stride ?? contiguousStrides(meta.shape),
  device: meta.device ?? deviceOf('cpu'),
})

/** Graph._target_to_str drops the underscores of `__rshift__`. */
const magic = (op: string): string => (/^__.+__$/.test(op) ? op.slice(2, -2) : op)

/** Fallback result of an undeclared operator: a tensor like its first tensor argument. */
function fallbackResult(dispatcher: Dispatcher, bound: Bound): DispatchArg {
  let first: FakeTensor | null = null
  for (const v of bound.values.values()) visitFakes(v, (t) => void (first ??= t))
  const like = first as FakeTensor | null
  if (!like) return null
  return dispatcher.fresh({ ...like.meta, stride: contiguousStrides(like.meta.shape) })
}
