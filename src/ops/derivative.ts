/** Derivatives of operators: how autograd computes the gradients of a call's tensor arguments. */
import { isKind } from '../fx'
import type { DispatchArg, FakeTensor } from './fake'
import type { OpCall } from './op_call'
import { TorchError } from './torch_error'

/** A recorded call during the backward pass: its saved arguments and results, and the gradients of its results. */
export class BackwardCall {
  constructor(
    readonly c: OpCall,
    private readonly results: readonly FakeTensor[],
    readonly grads: readonly (FakeTensor | null)[],
    private readonly needed: ReadonlySet<string>,
    /** Grad mode is on: the formula must be differentiable itself (create_graph, as torch.func asks for). */
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
    if (this.c.functional) return this.op('sub.Tensor', this.op('full_like.default', x, number), x)
    const filled = this.op('fill_.Scalar', this.op('empty_like.default', x), number)
    return this.op('sub_.Tensor', filled, x)
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

/** `aten.add.Tensor`, or `aten.add` for all its overloads; one key may hold several names, separated by spaces. */
export type Derivatives = Readonly<Record<string, Derivative>>
