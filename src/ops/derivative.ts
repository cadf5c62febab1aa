/** Derivatives of operators: how autograd computes the gradients of a call's tensor arguments. */
import { dtype, isKind, layout } from '../fx'
import { isFake, itemsOf, type DispatchArg, type FakeTensor } from './fake'
import { formula, fromNumber } from './formula/formula'
import type { OpCall } from './op_call'
import { TorchError } from './torch_error'

/** A recorded call during the backward pass: its saved arguments and results, and the gradients of its results. */
export class BackwardCall {
  constructor(
    readonly c: OpCall,
    private readonly results: readonly FakeTensor[],
    readonly grads: readonly (FakeTensor | null)[],
    private readonly needed: ReadonlySet<string>,
    /** True if grad mode is on: the formula must then be differentiable itself (create_graph, which torch.func requests). */
    readonly again: boolean,
  ) {}

  /** The gradient of the first result that has one. */
  get grad(): FakeTensor {
    return this.grads.find((g) => g !== null)!
  }

  /** The gradient of one result; null if nothing used it. */
  gradOf(result: number): FakeTensor | null {
    return this.grads[result] ?? null
  }

  get result(): FakeTensor {
    return this.results[0]!
  }

  resultAt(index: number): FakeTensor {
    return this.results[index]!
  }

  tensor(name: string): FakeTensor {
    return this.c.tensor(name)
  }

  get self(): FakeTensor {
    return this.c.tensor('self')
  }

  /** True if the argument needs a gradient. */
  needs(name: string): boolean {
    return this.needed.has(name)
  }

  /** Calls `aten.NAME`, which has one tensor result. */
  op(name: string, ...args: DispatchArg[]): FakeTensor {
    return this.c.op(`aten.${name}`, ...args)
  }

  /** Tensor times tensor or number, as C++ multiplies. */
  mul(a: FakeTensor, b: FakeTensor | bigint | number): FakeTensor {
    return typeof b === 'object' ? this.op('mul.Tensor', a, b) : this.op('mul.Scalar', a, b)
  }

  div(a: FakeTensor, b: FakeTensor | DispatchArg): FakeTensor {
    return isKind(b, 'fake') ? this.op('div.Tensor', a, b) : this.op('div.Scalar', a, b)
  }

  /** `number - x`, as C++ subtracts. */
  less(number: bigint | number, x: FakeTensor): FakeTensor {
    return fromNumber(this.c, number, x)
  }

  /** maybe_multiply: no call for a factor of 1. */
  scaled(a: FakeTensor, factor: DispatchArg): FakeTensor {
    return Number(factor) === 1 ? a : this.op('mul.Scalar', a, factor)
  }
}

export const unsupportedDerivative = (what: string): TorchError =>
  new TorchError('NotImplementedError', `Fusescope cannot differentiate ${what} yet`)

/** The gradient of one argument (a list for a list of tensors), or of several arguments in the order of the key. */
export type Formula = (g: BackwardCall) => FakeTensor | null | readonly (FakeTensor | null)[]

/**
 * The gradients by argument name; one key may join several names with a comma, as derivatives.yaml does. Formulas run in
 * the alphabetical order of their keys. Null: the results never require a gradient; `unsupported`: the formula is missing.
 */
export type Derivative = Readonly<Record<string, Formula>> | 'unsupported' | null

/**
 * `aten.add.Tensor`, or `aten.add` for all its overloads; one key may hold several names, separated by spaces. A text is a formula of
 * C++ (formula/formula.ts) over the arguments, `grad`, `result`, `result1`, …; one text alone is the gradient of `self`.
 */
export type Derivatives = Readonly<Record<string, Readonly<Record<string, Formula | string>> | string | null>>

export function derivativeFrom(stated: Derivatives[string]): Derivative {
  if (stated === null || stated === 'unsupported') return stated
  const formulas = typeof stated === 'string' ? { self: stated } : stated
  return Object.fromEntries(
    Object.entries(formulas).map(([name, f]) => [name, typeof f === 'string' ? gradient(f) : f]),
  )
}

export function gradient(text: string): Formula {
  const made = formula(text, {
    cpp: true,
    helpers: { zero, in_place: (c, name, ...args) => inPlace(c, name as string, ...args) },
  })
  return (g) => {
    const names = (name: string): DispatchArg | undefined => {
      if (name === 'grad') return g.grad
      return /^result\d?$/.test(name) ? g.resultAt(Number(name.slice('result'.length))) : undefined
    }
    const out = made(g.c, names)
    return isFake(out) ? out : (itemsOf(out) as readonly (FakeTensor | null)[])
  }
}

/** Calls `masked_fill.Scalar` as C++ does, in place; a joint trace is functionalized. */
export const inPlace = (c: OpCall, name: string, ...args: DispatchArg[]): FakeTensor =>
  c.op(`aten.${c.functional ? name : name.replace('.', '_.')}`, ...args)

/** A zero without dimensions beside a tensor. */
export function zero(c: OpCall, beside: DispatchArg | undefined): FakeTensor {
  const { dtype: own, device } = (beside as FakeTensor).meta
  const options = { dtype: dtype(own), layout: layout('strided'), device: device! }
  return c.call('aten.scalar_tensor.default', [0], options) as FakeTensor
}
