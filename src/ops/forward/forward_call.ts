/** Forward derivatives of operators: the tangents of a call's results from those of its arguments. */
import type { TensorMeta } from '../../fx'
import { isFake, itemsOf, rankOf, type DispatchArg, type FakeTensor } from '../fake'
import { formula } from '../formula/formula'
import type { OpCall } from '../op_call'
import { isFloatDtype } from '../promote'

/** The tangents of each tensor argument that has one; null for an item without a tangent. */
export type Tangents = ReadonlyMap<string, readonly (FakeTensor | null)[]>

export function tangentsOf(
  values: ReadonlyMap<string, DispatchArg>,
  tangentOf: (t: FakeTensor) => FakeTensor | null,
): Tangents {
  const found = new Map<string, readonly (FakeTensor | null)[]>()
  for (const [name, value] of values) {
    const list = (isFake(value) ? [value] : (itemsOf(value) ?? [])).map((v) => (isFake(v) ? tangentOf(v) : null))
    if (list.some((t) => t !== null)) found.set(name, list)
  }
  return found
}

const numberDtype = (value: DispatchArg): string =>
  typeof value === 'number' ? 'float64' : typeof value === 'boolean' ? 'bool' : 'int64'

/** A call with its arguments, results and tangents, all below the level of jvp. C++ evaluates the operands of + from the right. */
export class ForwardCall {
  constructor(
    readonly c: OpCall,
    readonly results: readonly FakeTensor[],
    readonly tangents: Tangents,
  ) {}

  get result(): FakeTensor {
    return this.results[0]!
  }

  /** The argument itself. */
  p(name = 'self'): FakeTensor {
    return this.c.tensor(name)
  }

  /** Its tangent; for a number and for a tensor that depends on no input, zeros that become a node only when something reads them. */
  t(name = 'self'): FakeTensor {
    const value = this.c.get(name)
    const meta = isFake(value) ? value.meta : { dtype: numberDtype(value), shape: [], device: this.result.meta.device }
    return this.tangents.get(name)?.[0] ?? this.zero(meta)
  }

  /** The tangents of a list of tensors. */
  ts(name: string): FakeTensor[] {
    return this.c.tensors(name).map((x, i) => this.tangents.get(name)?.[i] ?? this.zero(x.meta))
  }

  private zero(meta: Pick<TensorMeta, 'dtype' | 'shape' | 'device'>): FakeTensor {
    return { ...this.c.fresh(meta.dtype, meta.shape, meta.device), zero: true }
  }

  op(name: string, ...args: DispatchArg[]): FakeTensor {
    return this.c.op(`aten.${name}`, ...args)
  }

  mul(a: FakeTensor, b: FakeTensor | bigint | number): FakeTensor {
    return this.op(isFake(b) ? 'mul.Tensor' : 'mul.Scalar', a, b)
  }

  scaled(a: FakeTensor, name: string): FakeTensor {
    const factor = this.c.get(name) as number
    return !this.c.has(name) || Number(factor) === 1 ? a : this.mul(a, factor)
  }

  /** auto_linear: the same call on the tangents. */
  again(): DispatchArg {
    const named = this.c.schema.args.map(({ name }) => [name, this.c.get(name)] as const)
    const values = named.map(([name, value]): [string, DispatchArg] => {
      if (isFake(value)) return [name, isFloatDtype(value.meta.dtype) ? this.t(name) : value]
      return [name, itemsOf(value)?.some(isFake) && this.tangents.has(name) ? this.ts(name) : value]
    })
    return this.c.call(this.c.schema.name, [], Object.fromEntries(values))
  }

  get rank(): number {
    return rankOf(this.p())
  }
}

export type ForwardFormula = (f: ForwardCall) => FakeTensor | readonly (FakeTensor | null)[]

/**
 * `elementwise`: the formula of the single gradient, applied to the tangent; `linear`: the same call; null: results have no
 * tangents.
 */
export type Forward = ForwardFormula | 'elementwise' | 'linear' | null

/**
 * `aten.add.Tensor`, or `aten.add` for all its overloads; one key may hold several names, separated by spaces. Another text is a formula
 * of C++ (formula/formula.ts) over the arguments, their tangents (`self_t`), `result`, `result1`, …
 */
export type Forwards = Readonly<Record<string, Forward | string>>

export function forwardFrom(stated: Forward | string): Forward {
  if (typeof stated !== 'string' || stated === 'elementwise' || stated === 'linear') return stated
  const made = formula(stated, { cpp: true })
  return (f) => {
    const names = (name: string): DispatchArg | undefined => {
      if (name.endsWith('_t')) return f.t(name.slice(0, -2))
      return /^result\d?$/.test(name) ? f.results[Number(name.slice('result'.length))] : undefined
    }
    return made(f.c, names) as FakeTensor
  }
}
