/**
 * Records calls as autograd does, in a joint trace or at a level of torch.func: one node per differentiable call, with edges to its
 * inputs.
 */
import type { TensorMeta } from '../../fx'
import type { Bound } from '../../ops/bind'
import { BackwardCall, unsupportedDerivative, type Derivative, type Formula } from '../../ops/derivative'
import { derivativeOf } from '../../ops/registry'
import { isFake, isTuple, itemsOf, visitFakes, type DispatchArg, type FakeTensor } from '../../ops/fake'
import { OpCall } from '../../ops/op_call'
import { isComplexDtype, isFloatDtype } from '../../ops/promote'
import { mutatedArgs } from '../../ops/schema'
import { TorchError } from '../../ops/torch_error'
import type { Edge, GradNode } from './engine'
import { Mutations, sliceGradients, type ViewWrite } from './mutations'
import type { TapeOptions } from './types'

export class Tape {
  private readonly edges = new Map<FakeTensor, Edge>()
  /** The first tensor of each storage. */
  private readonly bases = new Map<number, FakeTensor>()
  /** Views created by split, unbind and similar operators. */
  private readonly parts = new Set<FakeTensor>()
  readonly mutations: Mutations
  private sequence = 0
  /** Greater than zero below autograd: in kernels and decompositions, and in the backward pass. */
  private paused = 0

  constructor(private readonly options: TapeOptions) {
    this.mutations = new Mutations(options)
  }

  get active(): boolean {
    return this.paused === 0
  }

  /** Runs with autograd off. */
  without<T>(run: () => T): T {
    this.paused++
    try {
      return run()
    } finally {
      this.paused--
    }
  }

  /** Starts to follow an input that requires a gradient. */
  leaf(tensor: FakeTensor): GradNode {
    const node: GradNode = { sequence: Infinity, edges: [], inputs: [tensor.meta], run: null }
    this.edges.set(tensor, { node, input: 0 })
    return node
  }

  input(tensor: FakeTensor): void {
    this.bases.set(tensor.storage, tensor)
  }

  edgeOf(tensor: FakeTensor): Edge | null {
    return this.edges.get(tensor) ?? null
  }

  baseOf(tensor: FakeTensor): FakeTensor | null {
    const base = this.bases.get(tensor.storage)
    return base && base !== tensor ? base : null
  }

  /** True for an output of split, unbind and similar operators. */
  isPart(tensor: FakeTensor): boolean {
    return this.parts.has(tensor)
  }

  /**
   * A call through autograd.
   * @param decomposes true if the operator has a decomposition, whose calls are recorded if it has no derivative
   * @returns undefined to call the decomposition with autograd on
   */
  call(given: Bound, decomposes: boolean): DispatchArg | undefined {
    const { level } = this.options
    const bound = level ? given : this.mutations.current(given)
    const [self] = level ? [] : mutatedArgs(bound.schema).map((name) => bound.values.get(name)!)
    const before = self && isFake(self) ? this.edgeOf(self) : null
    const functional = level ? undefined : this.mutations.functionalized(bound)
    if (functional !== undefined) {
      if (functional.write) return this.written(functional.write)
      if (before && !this.options.modes.gradMode) this.keepEdge(self as FakeTensor, before)
      return functional.out
    }
    const target = level?.functional(bound) ?? bound.schema.name
    if (target === 'aten.detach.default') return this.detached(bound)
    const c = new OpCall(this.options.dispatcher, bound.schema, level?.lowered(bound) ?? bound.values)
    const inputs = this.differentiable(bound)
    const derivative = inputs.size > 0 ? derivativeOf(target) : null
    if (derivative === undefined && decomposes)
      return bound === given
        ? undefined
        : this.options.dispatcher.call(target, bound.args, Object.fromEntries(bound.kwargs))
    if (derivative === 'unsupported') throw unsupportedDerivative(target)
    const sequence = derivative ? this.sequence++ : 0
    const out = this.without(() => this.options.below(bound))
    if (inputs.size > 0 && derivative !== null) {
      const made = this.recorded({ c, bound, derivative, out, inputs, sequence })
      if (!level) this.mutations.viewed(bound, made)
      return made
    }
    if (level) return level.lifted(out, bound)
    this.mutations.viewed(bound, out)
    return this.known(out)
  }

  /** CopySlices: the gradient of a tensor after a write to one of its views. */
  private written(write: ViewWrite): DispatchArg {
    const { bound, functional, root, self } = write
    const inputs = this.differentiable(bound)
    const value = this.without(() => write.make())
    const rootEdge = this.edgeOf(root)
    if (inputs.size === 0) {
      this.mutations.replace(root, value)
      if (rootEdge) this.keepEdge(root, rootEdge)
      return self
    }
    const derivative = derivativeOf(functional)
    if (!derivative || derivative === 'unsupported') throw unsupportedDerivative(functional)
    const own = this.renamed(value, true)
    const others = new Map([...inputs].filter(([name]) => name !== 'self'))
    const c = new OpCall(this.options.dispatcher, bound.schema, bound.values)
    const node: GradNode = {
      sequence: this.sequence++,
      edges: [rootEdge, ...[...others.values()].flatMap((list) => list.map((t) => t && this.edgeOf(t)))],
      inputs: [own.meta],
      run: ([grad]) =>
        sliceGradients(write, grad!, (slice) => {
          const call = new BackwardCall(c, [write.made!], [slice], new Set(inputs.keys()), false)
          const made = runFormulas(call, derivative, new Map([['self', [null]], ...others]))
          return rootEdge ? made : [null, ...made.slice(1)]
        }),
    }
    this.edges.set(own, { node, input: 0 })
    if (!this.bases.has(own.storage)) this.bases.set(own.storage, own)
    this.mutations.replace(root, own)
    return self
  }

  /** Tensor arguments that autograd follows, by argument name. */
  private differentiable({ values, schema }: Bound): ReadonlyMap<string, readonly (FakeTensor | null)[]> {
    const found = new Map<string, readonly (FakeTensor | null)[]>()
    if (!this.options.modes.gradMode) return found
    for (const { name } of schema.args) {
      const value = values.get(name)
      const list = (isFake(value) ? [value] : (itemsOf(value) ?? [])).map((v) => (isFake(v) ? v : null))
      if (list.some((t) => t && this.edges.has(t))) found.set(name, list)
    }
    return found
  }

  /** A tensor that is written under torch.no_grad() keeps its gradient. */
  private keepEdge(written: FakeTensor, edge: Edge): void {
    const own = this.renamed(this.mutations.valueOf(written), true)
    this.edges.set(own, edge)
    this.mutations.replace(written, own)
  }

  private known(out: DispatchArg): DispatchArg {
    visitFakes(out, (t) => {
      if (!this.bases.has(t.storage)) this.bases.set(t.storage, t)
    })
    return out
  }

  private detached(bound: Bound): DispatchArg {
    const out = this.without(() => this.options.below(bound)) as FakeTensor
    return this.renamed(out, false)
  }

  /** A separate tensor object for a result, which may be the argument itself. */
  private renamed(of: FakeTensor, requiresGrad: boolean, bound?: Bound): FakeTensor {
    const { level } = this.options
    if (level) return level.lift(of, requiresGrad, bound)
    const meta: TensorMeta = { ...of.meta, requiresGrad }
    const made = { ...this.options.dispatcher.view(of, meta), storage: of.storage }
    this.options.alias?.(made, of)
    return made
  }

  private recorded(call: RecordedCall): DispatchArg {
    const { c, bound, derivative, out, inputs, sequence } = call
    const { level } = this.options
    const leaves = leavesOf(out)
    const differentiable = (t: FakeTensor): boolean => {
      if (isComplexDtype(t.meta.dtype))
        throw new TorchError(
          'NotImplementedError',
          `Fusescope cannot differentiate complex tensors yet (${c.schema.name})`,
        )
      return isFloatDtype(t.meta.dtype)
    }
    const floats = leaves.filter((t) => t && differentiable(t))
    if (floats.length === 0) return level ? level.lifted(out, bound) : this.known(out)
    if (!derivative) throw new TorchError('NotImplementedError', `Fusescope has no derivative of ${c.schema.name} yet`)
    const results: FakeTensor[] = []
    const node: GradNode = {
      sequence,
      edges: [...inputs.values()].flatMap((list) => list.map((t) => t && this.edgeOf(t))),
      inputs: leaves.map((t) => t?.meta ?? null),
      run: (grads) =>
        runFormulas(new BackwardCall(c, results, grads, new Set(inputs.keys()), !!level?.creating), derivative, inputs),
    }
    const single = isFake(out)
    const made = leaves.map((t, i): FakeTensor | null => {
      if (!t) return null
      if (!differentiable(t)) return level ? level.lift(t, false, bound) : t
      const own = this.renamed(t, true, bound)
      this.edges.set(own, { node, input: i })
      if (!this.bases.has(own.storage)) this.bases.set(own.storage, own)
      else if (!single) this.parts.add(own)
      return own
    })
    results.push(...((level ? leaves : made) as FakeTensor[]))
    if (single) return made[0]!
    return isTuple(out) ? { kind: 'tuple', items: made } : made
  }
}

type Formulas = Exclude<Derivative, 'unsupported' | null>

interface RecordedCall {
  c: OpCall
  bound: Bound
  derivative: Formulas | undefined
  out: DispatchArg
  inputs: ReadonlyMap<string, readonly (FakeTensor | null)[]>
  sequence: number
}

const leavesOf = (out: DispatchArg): (FakeTensor | null)[] =>
  isFake(out) ? [out] : (itemsOf(out) ?? []).map((v) => (isFake(v) ? v : null))

/** The gradients of a call's inputs, in the order of its edges; formulas run in alphabetical order, as in PyTorch. */
function runFormulas(
  g: BackwardCall,
  derivative: Formulas,
  inputs: ReadonlyMap<string, readonly (FakeTensor | null)[]>,
): (FakeTensor | null)[] {
  const made = new Map<string, readonly (FakeTensor | null)[]>()
  for (const key of Object.keys(derivative).sort()) {
    const names = key.split(', ')
    if (!names.some((name) => inputs.has(name))) continue
    const result = (derivative[key] as Formula)(g)
    if (names.length === 1)
      made.set(key, isFake(result ?? undefined) ? [result as FakeTensor] : ((result ?? []) as FakeTensor[]))
    else names.forEach((name, i) => made.set(name, [(result as readonly (FakeTensor | null)[])[i] ?? null]))
  }
  return [...inputs].flatMap(([name, list]) => list.map((_, i) => made.get(name)?.[i] ?? null))
}
