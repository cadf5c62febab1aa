/**
 * make_fx on fake tensors, as torch._inductor.pattern_matcher.fwd_only uses it: the dispatcher, Inductor's
 * decompositions, then remove_noop_ops and dead-code elimination.
 *
 * Reason for length: one class is both Tracer and Dispatcher, because the trace in progress decides what a call does.
 */
import type { SizeHints } from '../base/size_hints'
import { NEWEST_TORCH, rulesOf, type TorchRules, type TorchVersion } from '../base/torch_version'
import {
  device as deviceOf,
  dtype,
  eliminateDeadCode,
  isHigherOrder,
  sym,
  type ConstantValues,
  type Dim,
  type Graph,
  type SourceRef,
  type SymExpr,
  type TensorMeta,
} from '../fx'
import { bind, rebound, type Bound } from '../ops/bind'
import { dimArg, isFake, type DispatchArg, type FakeTensor } from '../ops/fake'
import { OpCall, type Dispatcher } from '../ops/op_call'
import type { OpDef } from '../ops/operator'
import { derivativeOf, lookupOp } from '../ops/registry'
import { isImpure } from '../ops/purity'
import { mutatedArgs, type OpSchema } from '../ops/schema'
import { contiguousStrides } from '../ops/strides'
import { TorchError } from '../ops/torch_error'
import { autoFunctionalized } from './auto_functionalized'
import { Autocast } from './autocast'
import { Branches, branchOf, recordHigherOrder } from './branches'
import { DeclaredOperators, withoutOverload, type FakeImpl } from './declared_operators'
import { decomposedBy } from './decomposition_table'
import { dedupeSizes } from './dedupe_sizes'
import { fallbackResult } from './fallback_result'
import { checkInPlace } from '../ops/in_place_dtype'
import { removeNoops } from './noop'
import { asOuts, calledByOut, copiedToOuts, decomposesOut, outsOf, refuseOut } from '../ops/out_variants'
import { KnownSizes } from '../ops/known_sizes'
import { OperatorUsage } from './operator_usage'
import { applyEarlyPatterns } from './joint/early_patterns'
import { JointTrace } from './joint/joint_graph'
import { OVERLOADS_2_6 } from '../ops/schema/overloads_2_6'
import { callOperator } from './operators'
import { materialized } from '../ops/lazy_bits'
import { RealTensors } from './real_tensors'
import { Recorder } from './recorder'
import type { SchemaChoice } from './schema_versions'
import { SIZE_OPERATORS } from './size_operators'
import { BatchedCall, logicalMeta } from '../ops/batched_call'
import { copied, viewBehind } from '../ops/view_copies'
import { byBatchingRule, refuseBatch, withoutBatch } from './transforms/vmap'
import { type TransformHost, Transforms, withGradMode } from './transforms/transforms'
import { onZeros } from '../ops/forward/zero_tensor'
import { isPythons } from './python_calls'
import type { BeginOptions, BranchResult, GuessedSchema, PythonCall, TraceInput, Tracer } from './types'

export function createTracer(): TracerImpl {
  return new TracerImpl()
}

/** Maximum number of calls that one call makes: `diff(x, n)` subtracts n times, and a graph may contain any n. */
const MOST_CALLS = 20_000

/** A rule that does not support these inputs (another rank, a non-numeric argument) refuses them, naming the operator. */
function handled(name: string, rule: () => DispatchArg): DispatchArg {
  try {
    return rule()
  } catch (e) {
    if (!(e instanceof TypeError || e instanceof RangeError || e instanceof SyntaxError)) throw e
    throw new TorchError('NotImplementedError', `Fusescope's shape rule of ${name} does not handle these inputs`)
  }
}

export class TracerImpl implements Tracer, Dispatcher {
  private readonly fixed = new Map<string, number>()
  private readonly operators = new DeclaredOperators()
  /** Operators that nobody declared. */
  readonly inferredOps = this.operators.inferred
  private recorders: Recorder[] = []
  /** Of the traces under no fake mode. */
  private readonly reals = new WeakMap<Recorder, RealTensors>()
  /** Values of constants created outside any trace. */
  private readonly outer = new WeakMap<FakeTensor, ConstantValues>()
  /** Greater than zero while nothing is recorded: in shape rules, fake implementations and higher-order bodies. */
  private quiet = 0
  /** Number of unfinished calls, and of the calls that the outermost of them has made. */
  private inside = 0
  private made = 0
  python: PythonCall | null = null
  /** Outside any trace. */
  private readonly outside = { grad: true }
  private ids = 0
  private version: TorchVersion = NEWEST_TORCH
  rules: TorchRules = rulesOf(NEWEST_TORCH)
  private readonly branches = new Branches()
  readonly transforms = new Transforms(this.transformHost())
  readonly autocast = new Autocast()
  readonly usage = new OperatorUsage(this.operators)
  readonly sizes = new KnownSizes()

  get torch(): TorchVersion {
    return this.version
  }

  set torch(version: TorchVersion) {
    this.version = version
    this.rules = rulesOf(version)
  }

  declaredSchemas(): string[] {
    return this.operators.texts()
  }

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

  pieces(size: Dim, each: number): number | null {
    return this.sizes.pieces(size, each)
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
    this.reals.get(recorder)?.constant(made, values)
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
    if (this.inside++ === 0) this.made = 0
    try {
      if (++this.made > MOST_CALLS)
        throw new TorchError('NotImplementedError', `${name} would be called more than ${MOST_CALLS} times by one call`)
      return handled(name, () => this.called(name, args, named))
    } finally {
      this.inside--
    }
  }

  private called(name: string, args: readonly DispatchArg[], named: ReadonlyMap<string, DispatchArg>): DispatchArg {
    if (isHigherOrder(name)) return this.higherOrder(name, args, named)
    if (/^_?(operator|math|torch|builtins)\./.test(name))
      return callOperator(name, args, (n, a) => this.call(n, a), this.recording)
    const size = name in SIZE_OPERATORS ? name : `${name}.${args.length > 1 ? 'int' : 'default'}`
    if (size in SIZE_OPERATORS) return this.sizeOf(size, args)
    return this.dispatch(this.sizes.specialized(this.operators.bound(name, args, named)))
  }

  callKeeping(name: string, args: readonly DispatchArg[], kept: number): DispatchArg {
    const bound = this.operators.bound(name, args, new Map())
    return this.dispatch(bound.args.length < kept ? { ...bound, args: args.slice(0, kept) } : bound)
  }

  infer(name: string, args: readonly DispatchArg[], kwargs: ReadonlyMap<string, DispatchArg>): DispatchArg {
    const python = this.python && isPythons(name, [...args, ...kwargs.values()]) ? this.python : null
    return this.quietly(() => (python ? python(name, args, kwargs) : this.call(withoutDot(name), args, kwargs)))
  }

  get functional(): boolean {
    return !!this.recording?.joint
  }

  get gradMode(): boolean {
    return (this.recorders.at(-1) ?? this.outside).grad
  }

  set gradMode(on: boolean) {
    ;(this.recorders.at(-1) ?? this.outside).grad = on
  }

  withoutGrad<T>(run: () => T): T {
    return withGradMode(this, false, run)
  }

  at(source: SourceRef | undefined): void {
    this.recording?.at(source)
  }

  /** x.numel(), x.stride(i), x.size(i): creates a node only if the result is symbolic. */
  private sizeOf(name: string, args: readonly DispatchArg[]): DispatchArg {
    const x = args[0]
    if (!isFake(x)) throw new TorchError('TypeError', `${name}: argument 'self' must be a Tensor`)
    const value = SIZE_OPERATORS[name]!(x.meta, args.length > 1 ? Number(args[1]) : 0)
    if (typeof value === 'number') return dimArg(value)
    const recorder = this.recording
    if (!recorder) return sym(value)
    const own = name === 'aten.sym_size.int' ? recorder.firstReading(x, Number(args[1] ?? 0)) : null
    if (own) return own
    return recorder.symbolic(value, name, args, name === 'aten.sym_numel.default' ? 'sym_numel_default' : undefined)
  }

  batch(value: FakeTensor, dim: number, level: number): FakeTensor {
    return { ...this.view(value, logicalMeta(value.meta, dim)), batch: { value, dim, level } }
  }

  unbatch(t: FakeTensor, level: number, dim: number, size: Dim): FakeTensor {
    return withoutBatch(this, t, level, dim, size)
  }

  private transformHost(): TransformHost {
    const callOf = ({ schema, values }: Bound): OpCall => new OpCall(this, schema, values)
    const batched = (bound: Bound, level: number): BatchedCall =>
      new BatchedCall(
        callOf(bound),
        level,
        (value, dim, at) => this.batch(value, dim, at),
        (values) => this.dispatch(rebound(bound.schema, values)),
      )
    return {
      dispatcher: this,
      modes: this,
      dispatch: (bound) => this.dispatch(bound),
      hasSchema: (target) => this.schemaOf(target) !== null,
      implicit: (bound) => callOf(bound).by(lookupOp(bound.schema.name)?.implicit),
      batched: (bound, level) => byBatchingRule(batched(bound, level)),
      refuseBatch: (bound) => refuseBatch(batched(bound, 0)),
    }
  }

  /** Operators whose calls' derivatives replace the operator's own. */
  private differentiableDecomposition(bound: Bound): (() => DispatchArg) | null {
    const rule = lookupOp(bound.schema.name)?.decomp
    if (!rule || this.recording?.decompositions?.absent.has(bound.schema.name)) return null
    return () => new OpCall(this, bound.schema, bound.values).by(rule) as DispatchArg
  }

  private dispatch(bound: Bound): DispatchArg {
    const cast = this.quiet > 0 ? undefined : this.autocast.call(bound, this.cast)
    if (cast) return this.autocast.excluded(() => this.dispatch(cast))
    const transformed = this.transforms.call(bound)
    if (transformed !== undefined) return transformed
    const target = bound.schema.name
    const packet = withoutOverload(target)
    const own = this.operators.isUsers(packet)
    const def = own ? undefined : lookupOp(target)
    const c = new OpCall(this, bound.schema, bound.values)
    const recorder = this.recording
    const tape = recorder?.joint?.tape.active ? recorder.joint.tape : null
    const outs = own ? [] : outsOf(bound.schema, bound.values)
    const written = (made: DispatchArg): DispatchArg =>
      outs.length === 0 ? made : copiedToOuts(outs, made, (name, args) => this.call(name, args))
    if (!tape || derivativeOf(target) === undefined) {
      const other = outs.length > 0 ? calledByOut(target) : undefined
      if (other) return this.call(other, bound.args, Object.fromEntries(bound.kwargs))
      const implicit = this.decomposing(recorder, bound, () => c.by(def?.implicit))
      if (implicit !== undefined) return written(implicit)
    }
    const recorded = tape?.call(bound, this.differentiableDecomposition(bound) !== null)
    if (recorded !== undefined) return recorded
    if (recorder && !own) refuseOut(target)
    const onZero = this.transforms.used ? onZeros(c) : undefined
    if (onZero !== undefined) return onZero
    const read = materialized(packet.slice(packet.indexOf('.') + 1), bound.values, (x) =>
      this.call('aten.clone.default', [x]),
    )
    if (read) return this.dispatch(rebound(bound.schema, read))
    if ((recorder || !def?.meta) && (outs.length === 0 || decomposesOut(packet))) {
      const table = recorder?.decompositions
      const decomposed = this.decomposing(recorder, bound, () =>
        this.autocast.excluded(() => (table ? decomposedBy(table, bound, def, c) : c.by(def?.decomp))),
      )
      if (decomposed !== undefined) return written(decomposed)
    }
    const name = magic(packet.slice(packet.indexOf('.') + 1))
    const realOrFake = recorder && this.reals.get(recorder)?.called(bound)
    const finish = recorder?.record(target, bound.args, bound.kwargs, name)
    const made = this.quietly(() => this.run(bound, def?.meta ?? absent(def, recorder), c))
    const out = outs.length === 0 ? made : asOuts(outs, made)
    this.usage.observer?.({ schema: bound.schema, values: bound.values, out })
    finish?.(out)
    realOrFake?.(out)
    return out
  }

  private readonly cast = (t: FakeTensor, to: string): FakeTensor =>
    this.call('aten._to_copy.default', [t], { dtype: dtype(to) }) as FakeTensor

  private decomposing<T>(recorder: Recorder | undefined, bound: Bound, run: () => T): T {
    return recorder ? recorder.decomposing(bound.values.values(), run) : run()
  }

  /** The fake result of one operator. */
  private run(bound: Bound, meta: OpDef['meta'], c: OpCall): DispatchArg {
    const { schema } = bound
    const impl = this.operators.fakeOf(schema.name)
    // A library's own module knows the platform: its fake takes precedence over the catalog's rule.
    if (meta && !(impl && schema.source)) return handled(schema.name, () => c.by(meta)!)
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
    if (this.operators.isUsers(withoutOverload(schema.name)))
      throw new TorchError('torch._subclasses.fake_tensor.UnsupportedOperatorException', schema.name)
    const view = this.recording ? null : viewBehind(schema, (name) => this.operators.schemaOf(name))
    if (view) return copied(this.dispatch(rebound(view, bound.values)), (m) => this.fresh(m))
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
          schemaOf: (t) => this.operators.schemaForWrapped(t, kwargs, v2),
          infer: (t, k) => this.operators.inferMutable(t, k),
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

  begin(inputs: readonly TraceInput[], { joint = false, decompositions, unfaked }: BeginOptions = {}): FakeTensor[] {
    const recorder = new Recorder(this.outer, () => ++this.ids, this.fixed)
    recorder.grad = joint
    recorder.decompositions = decompositions ?? null
    if (unfaked) this.reals.set(recorder, new RealTensors())
    this.recorders.push(recorder)
    const made: FakeTensor[] = []
    const leaf = (val: TraceInput['val'] | null): DispatchArg => {
      if (val?.kind === 'tensor') return this.fresh(val)
      if (val?.kind === 'vals') return val.items.map(leaf)
      return val?.value ?? null
    }
    for (const [i, input] of inputs.entries()) {
      const value = input.sameAs === undefined ? leaf(input.val) : made[input.sameAs]!
      if (joint) recorder.input(`primals_${i + 1}`, value)
      else recorder.placeholder(input.name, value)
      this.reals.get(recorder)?.input(value)
      made.push(value as FakeTensor)
    }
    if (joint) recorder.joint = this.jointTrace(recorder, made)
    return made
  }

  private jointTrace(recorder: Recorder, inputs: readonly DispatchArg[]): JointTrace {
    const options = {
      dispatcher: this,
      modes: this,
      below: (bound: Bound) => this.dispatch(bound),
      hasSchema: (target: string) => this.schemaOf(target) !== null,
    }
    return new JointTrace(recorder, options, inputs)
  }

  end(output: DispatchArg, functionalPasses = true): Graph {
    const recorder = this.recorders.at(-1)
    if (!recorder) throw new Error('no trace is on')
    try {
      recorder.at(undefined)
      if (recorder.joint) recorder.joint.finish(output)
      else recorder.output(output)
    } finally {
      this.recorders.pop()
    }
    dedupeSizes(recorder.graph)
    if (!functionalPasses) return recorder.graph
    removeNoops(recorder, this.rules)
    if (recorder.joint) applyEarlyPatterns(recorder.graph)
    this.removeDead(recorder.graph)
    return recorder.graph
  }

  private removeDead(graph: Graph): void {
    const done = eliminateDeadCode(graph, (n) => isImpure(n, (t) => this.operators.schemaOf(t), this.rules))
    if (!done.ok) throw new Error(done.error)
  }

  abort(): void {
    this.recorders.pop()
  }

  beginBranch(operands: readonly FakeTensor[]): void {
    const outer = this.recording
    if (!outer || outer.joint)
      throw new TorchError(
        'NotImplementedError',
        `Fusescope cannot trace torch.cond ${outer ? 'in a joint trace' : 'here'}`,
      )
    const recorder = new Recorder(this.outer, () => ++this.ids, this.fixed)
    recorder.grad = outer.grad
    recorder.decompositions = outer.decompositions
    recorder.sizedBodies = !this.rules.subgraphsInReplacements
    recorder.beginBranch(operands)
    this.recorders.push(recorder)
  }

  endBranch(outputs: DispatchArg, returns: BranchResult): { number: number; used: readonly FakeTensor[] } {
    const recorder = this.recorders.at(-1)!
    const branch = branchOf(recorder, outputs, returns)
    this.recorders.pop()
    this.removeDead(recorder.graph)
    return { number: this.branches.keep(branch), used: branch.used }
  }

  size(target: string, args: readonly DispatchArg[], expr: string): SymExpr {
    return this.recording?.symbolic(expr, target, args) ?? sym(expr)
  }

  fix(symbol: string, value: number): void {
    this.fixed.set(symbol, value)
  }

  sample(t: FakeTensor, row: boolean): FakeTensor {
    if (!row) return this.fresh(t.meta)
    const shape = t.meta.shape.slice(1)
    const { storageOffset: _, ...meta } = t.meta
    return this.fresh({ ...meta, shape, stride: contiguousStrides(shape) })
  }

  callBranches(op: string, numbers: readonly number[], args: readonly DispatchArg[], source?: SourceRef): DispatchArg {
    const recorder = this.recording!
    recorder.at(source)
    const branches = numbers.map((n) => this.branches.get(n))
    return recordHigherOrder(recorder, op, branches, args, (m) => this.fresh(m))
  }

  define(ns: string, schema: string, overwrite = false): void {
    this.operators.define(ns, schema, overwrite)
  }

  /** @param name `_C.rms_norm`, `_C::rms_norm` or with an overload */
  registerFake(name: string, impl: FakeImpl): void {
    this.operators.registerFake(name, impl)
  }

  forgetFixed(): void {
    this.fixed.clear()
  }

  reset(): void {
    this.fixed.clear()
    this.operators.clear()
    this.recorders = []
    this.branches.clear()
    this.transforms.clear()
    this.autocast.clear()
    this.outside.grad = true
    this.quiet = 0
  }

  begins(graph: Graph, hints: SizeHints = new Map()): void {
    this.operators.begin(graph)
    this.sizes.hints = hints
    this.sizes.begins(graph)
  }

  isKnown(packet: string): boolean | 'uncertain' {
    return this.operators.isKnown(packet)
  }

  guessedSchemas(): ReadonlyMap<string, GuessedSchema> {
    return this.operators.guessed
  }

  schemaChoices(): SchemaChoice[] {
    return this.operators.versions.choices()
  }

  /** The schema of `aten.add.Tensor`: user-defined, from the catalog, or null. */
  schemaOf(target: string): OpSchema | null {
    this.usage.lookedUp.add(withoutOverload(target))
    return this.operators.schemaOf(target)
  }

  /** Overloads of a packet (`aten.add`), user-defined or from the catalog. */
  overloadsOf(packet: string): readonly string[] {
    this.usage.lookedUp.add(packet)
    const older = this.rules.unnamedDimensions ? undefined : OVERLOADS_2_6.get(packet)
    return older ?? this.operators.overloadsOf(packet)
  }
}

/** Without Python, a method calls the operator with its name. */
const withoutDot = (name: string): string => (name.startsWith('.') ? `aten${name}` : name)

const complete = (meta: TensorMeta): TensorMeta => ({
  ...meta,
  stride: meta.stride ?? contiguousStrides(meta.shape),
  device: meta.device ?? deviceOf('cpu'),
})

/** The result's metadata for an operator that the trace's table does not decompose. */
const absent = (def: OpDef | undefined, recorder: Recorder | undefined): OpDef['meta'] =>
  def?.decomp && recorder?.decompositions ? (c) => c.by(def.decomp) as DispatchArg : undefined

/** Graph._target_to_str drops the underscores of `__rshift__`. */
const magic = (op: string): string => (/^__.+__$/.test(op) ? op.slice(2, -2) : op)
