/**
 * A level of torch.func that takes derivatives: backwards (grad, vjp) with the tape and the engine of joint traces, or forwards (jvp)
 * with a tangent beside each tensor. User code in it sees tensors that are lifted from the level below, where every call runs.
 */
import type { TensorMeta } from '../../fx'
import { rebound, type Bound } from '../../ops/bind'
import { isDict, isFake, isTuple, itemsOf, visitFakes, type DispatchArg, type FakeTensor } from '../../ops/fake'
import { UNREAD } from '../../ops/aten/derivatives/in_place'
import { BackwardCall, type Formula } from '../../ops/derivative'
import { type Forward, ForwardCall, tangentsOf } from '../../ops/forward/forward_call'
import { OpCall, type Dispatcher } from '../../ops/op_call'
import { isFloatDtype } from '../../ops/promote'
import { derivativeOf, forwardOf } from '../../ops/registry'
import { mutatedArgs } from '../../ops/schema'
import { stridesOf } from '../../ops/strides'
import { TorchError } from '../../ops/torch_error'
import { backward } from '../joint/engine'
import { withoutUnderscore } from '../joint/mutations'
import { Tape } from '../joint/tape'
import type { GradMode, Level } from '../joint/types'

/** The tracer's part. */
export interface DifferentiationHost {
  dispatcher: Dispatcher
  modes: GradMode
  dispatch(bound: Bound): DispatchArg
  hasSchema(target: string): boolean
  /** Undefined: the operator is not a composite. */
  implicit(bound: Bound): DispatchArg | undefined
}

export class Differentiation implements Level {
  private readonly tape: Tape
  /** Storages for which user code has several tensors. */
  private readonly shared = new Set<number>()
  private readonly storages = new Set<number>()
  creating = true

  /** @param below runs with the levels outside this one */
  constructor(
    private readonly host: DifferentiationHost,
    private readonly number: number,
    private readonly forwards: boolean,
    readonly below: <T>(run: () => T) => T,
  ) {
    const lower = (bound: Bound): DispatchArg => this.run(bound)
    this.tape = new Tape({
      dispatcher: host.dispatcher,
      modes: host.modes,
      hasSchema: (t) => host.hasSchema(t),
      below: lower,
      level: this,
    })
  }

  /** An input of the function: with its tangent, or one whose gradient is requested. */
  input(t: FakeTensor, tangent: FakeTensor | null): FakeTensor {
    const made = this.lift(t, !this.forwards, undefined, tangent && this.laidOut(t, tangent))
    if (!this.forwards) this.tape.leaf(made)
    return made
  }

  call(bound: Bound): DispatchArg {
    const known = this.forwards ? forwardOf(bound.schema.name) : derivativeOf(bound.schema.name)
    if (known === undefined) {
      const implicit = this.host.implicit(bound)
      if (implicit !== undefined) return implicit
    }
    return this.forwards ? this.forward(bound) : this.tape.call(bound, false)!
  }

  private forward(bound: Bound): DispatchArg {
    const { schema } = bound
    const tangents = tangentsOf(bound.values, (t) => (t.lifted?.by === this ? (t.lifted.tangent ?? null) : null))
    const rule = forwardOf(schema.name)
    const out = this.run(bound)
    if (tangents.size === 0 || rule === null || !anyFloat(out)) return this.lifted(out, bound)
    if (!rule || mutatedArgs(schema).length > 0)
      throw new TorchError('NotImplementedError', `Fusescope has no forward derivative of ${schema.name} yet`)
    const call = new OpCall(this.host.dispatcher, schema, this.lowered(bound))
    const made = this.below(() =>
      tangentsOfResults(rule, new ForwardCall(call, leavesOf(out), tangents), this.host.modes.gradMode),
    )
    const given = isFake(made) ? [made] : made
    let at = 0
    return this.wrap(out, (t) => {
      const tangent = given[at++]
      return this.lift(t, false, bound, tangent ? this.laidOut(t, tangent) : null)
    })
  }

  /** set_fw_grad: a tangent has the strides of its tensor; another one is copied. */
  private laidOut(t: FakeTensor, tangent: FakeTensor): FakeTensor {
    const { dispatcher } = this.host
    if (tangent.zero || sameStrides(t.meta, tangent.meta)) return tangent
    return this.below(() => {
      const made = dispatcher.call('aten._new_zeros_with_same_feature_meta.default', [tangent, t])
      return dispatcher.call('aten.copy_.default', [made, tangent]) as FakeTensor
    })
  }

  private run(bound: Bound): DispatchArg {
    return this.below(() => this.host.dispatch(rebound(bound.schema, this.lowered(bound))))
  }

  lift(t: FakeTensor, requiresGrad: boolean, call?: Bound, tangent?: FakeTensor | null): FakeTensor {
    const own = call && argumentOf(call, (a) => lower(this, a) === t)
    if (own) return own
    const meta: TensorMeta = { ...t.meta, requiresGrad }
    if (this.storages.has(t.storage)) this.shared.add(t.storage)
    this.storages.add(t.storage)
    const lifted = { value: t, level: this.number, by: this, ...(tangent !== undefined && { tangent }) }
    return { ...this.host.dispatcher.view(t, meta), ...(t.sizes && { sizes: t.sizes }), lifted }
  }

  lifted(out: DispatchArg, call: Bound): DispatchArg {
    return this.wrap(out, (t) => this.lift(t, false, call, this.forwards ? null : undefined))
  }

  private wrap(out: DispatchArg, lift: (t: FakeTensor) => FakeTensor): DispatchArg {
    return mappedFakes(out, lift)
  }

  lowered(call: Bound): ReadonlyMap<string, DispatchArg> {
    return mapped(call, (t) => lower(this, t)).values
  }

  functional({ schema, values }: Bound): string | undefined {
    const [name] = mutatedArgs(schema)
    if (name === undefined) return undefined
    let followed = false
    for (const value of values.values()) visitFakes(value, (t) => void (followed ||= this.tape.edgeOf(t) !== null))
    const self = values.get(name)
    if (
      followed &&
      this.host.modes.gradMode &&
      (!UNREAD.has(schema.name) || !isFake(self) || !self.lifted || this.shared.has(self.storage))
    )
      throw new TorchError('NotImplementedError', `Fusescope cannot differentiate ${schema.name} in torch.func yet`)
    return withoutUnderscore(schema)
  }

  /**
   * torch.autograd.grad of outputs of this level.
   * @param given null: of ones, with create_graph; vjp creates a graph if grad mode is on
   * @returns the gradients below the level; null for an input that no output depends on
   */
  gradients(
    outputs: readonly FakeTensor[],
    inputs: readonly FakeTensor[],
    given: readonly FakeTensor[] | null,
  ): (FakeTensor | null)[] {
    const { dispatcher } = this.host
    const ops = {
      op: (name: string, ...args: DispatchArg[]): FakeTensor => dispatcher.call(name, args) as FakeTensor,
      call: dispatcher.call.bind(dispatcher),
    }
    const roots = outputs.flatMap((out, i) => {
      const edge = this.tape.edgeOf(out)
      if (!edge) return []
      return [{ edge, grad: given ? given[i]! : ops.op('aten.ones_like.default', lower(this, out)) }]
    })
    if (roots.length === 0) return inputs.map(() => null)
    this.creating = given === null || this.host.modes.gradMode
    return backward(
      ops,
      roots,
      inputs.map((t) => this.tape.edgeOf(t)!.node),
    )
  }
}

function tangentsOfResults(
  rule: Exclude<Forward, null>,
  f: ForwardCall,
  again: boolean,
): FakeTensor | readonly (FakeTensor | null)[] {
  if (typeof rule === 'function') return rule(f)
  if (rule === 'linear') return leavesOf(f.again())
  const [name] = f.tangents.keys()
  const formulas = derivativeOf(f.c.schema.name) as Readonly<Record<string, Formula>>
  return formulas[name!]!(new BackwardCall(f.c, f.results, [f.t(name)], new Set([name!]), again)) as FakeTensor
}

/** The tensor below the level; a tensor of another level is returned unchanged. */
const lower = (level: Differentiation, t: FakeTensor): FakeTensor => (t.lifted?.by === level ? t.lifted.value : t)

function argumentOf({ values }: Bound, test: (t: FakeTensor) => boolean): FakeTensor | undefined {
  let found: FakeTensor | undefined
  for (const value of values.values()) visitFakes(value, (t) => void (test(t) && (found ??= t)))
  return found
}

const leavesOf = (out: DispatchArg): FakeTensor[] => {
  const found: FakeTensor[] = []
  visitFakes(out, (t) => found.push(t))
  return found
}

/** has_same_meta, of tensors of one shape. */
function sameStrides(a: TensorMeta, b: TensorMeta): boolean {
  const [of, other] = [stridesOf(a), stridesOf(b)]
  return a.shape.every((d, i) => d === 1 || of[i] === other[i])
}

const anyFloat = (out: DispatchArg): boolean => leavesOf(out).some((t) => isFloatDtype(t.meta.dtype))

function mappedFakes(a: DispatchArg, change: (t: FakeTensor) => FakeTensor): DispatchArg {
  if (isFake(a)) return change(a)
  if (isTuple(a)) return { ...a, items: a.items.map((v) => mappedFakes(v, change)) }
  return isDict(a) ? a : (itemsOf(a)?.map((v) => mappedFakes(v, change)) ?? a)
}

/** The call on other tensors; the same object if none changes. */
export function mapped(bound: Bound, change: (t: FakeTensor) => FakeTensor): Bound {
  let changed = false
  const of = (t: FakeTensor): FakeTensor => {
    const now = change(t)
    changed ||= now !== t
    return now
  }
  const values = new Map([...bound.values].map(([k, v]) => [k, mappedFakes(v, of)]))
  return changed ? rebound(bound.schema, values) : bound
}
