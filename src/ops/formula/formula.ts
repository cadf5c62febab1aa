/** Evaluates formulas on one call of an operator: as Python's decompositions compute, or as ATen's C++ does. */
import { memoizeLast } from '../../base/memoize'
import type { TorchRules } from '../../base/torch_version'
import { dtype, type Arg, type DType } from '../../fx'
import {
  dimArgs,
  isFake,
  isNumber,
  itemsOf,
  rankOf,
  shapeOf,
  sizeArg,
  type DispatchArg,
  type FakeTensor,
} from '../fake'
import type { OpCall } from '../op_call'
import type { Rule } from '../operator'
import { parseFormula, type Scope } from './parse'

/** A function that formulas call by name, beside the operators of aten and prims. */
export type Helper = (c: OpCall, ...args: DispatchArg[]) => DispatchArg
export type Helpers = Readonly<Record<string, Helper>>

/** Names of a formula that are no arguments of the call. */
export type Names = (name: string) => DispatchArg | undefined

export interface Language {
  /** Numbers beside tensors are Scalar overloads, and operands are evaluated from the right. */
  readonly cpp: boolean
  readonly helpers?: Helpers
}

export type Formula = (c: OpCall, names?: Names) => DispatchArg

/** A formula as a function of a call; it is read when it is first used. */
export function formula(text: string, { cpp, helpers = {} }: Language): Formula {
  const parsed = memoizeLast(() => parseFormula(text))
  return (c, names) => parsed()(new CallScope(c, cpp, helpers, names))
}

/** A rule of ATen's C++: what an operator calls in eager mode too. */
export const cpp = (text: string, helpers?: Helpers): Rule => ruleOf(formula(text, { cpp: true, helpers }))

/** A rule of torch/_decomp and torch/_refs. */
export const python = (text: string, helpers?: Helpers): Rule => ruleOf(formula(text, { cpp: false, helpers }))

/** With one parameter, because a rule with two takes a tensor as its first argument (OpCall.by). */
const ruleOf =
  (made: Formula): Rule =>
  (c: OpCall) =>
    made(c)

const OPERATORS: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'remainder',
  '&': 'bitwise_and',
  '|': 'bitwise_or',
  '<': 'lt',
  '>': 'gt',
  '<=': 'le',
  '>=': 'ge',
  '==': 'eq',
  '!=': 'ne',
}
/** Whose number is an argument of the Tensor overload in Python, as `x * 2`. */
const ARITHMETIC = new Set(['+', '-', '*', '/', '%'])

class CallScope implements Scope {
  constructor(
    private readonly c: OpCall,
    readonly fromRight: boolean,
    private readonly helpers: Helpers,
    private readonly names: Names = () => undefined,
  ) {}

  named(name: string): DispatchArg {
    const own = this.names(name)
    if (own !== undefined) return own
    if (this.c.schema.args.some((a) => a.name === name)) return this.c.get(name)
    throw new Error(`formula of ${this.c.schema.name}: nothing is named ${name}`)
  }

  call(name: string, args: readonly DispatchArg[], kwargs: Readonly<Record<string, DispatchArg>>): DispatchArg {
    const helper = this.helpers[name] ?? SHARED[name]
    if (helper) return helper(this.c, ...args)
    const full = /^(?:prims|math|operator)\./.test(name) ? name : `aten.${name}`
    return this.c.call(full.split('.').length > 2 ? full : `${full}.default`, args, kwargs)
  }

  combine(operator: string, a: DispatchArg, b?: DispatchArg): DispatchArg {
    if (isFake(a) || isFake(b)) return this.ofTensors(operator, a, b)
    if (operator === 'is') return a === (b ?? null)
    if (operator === 'is not') return a !== (b ?? null)
    if (b === undefined) return -(a as number)
    if (operator === '==') return isNumber(a) && isNumber(b) ? Number(a) === Number(b) : a === b
    if (operator === '!=') return !this.combine('==', a, b)
    return ofNumbers(operator, a, b)
  }

  private ofTensors(operator: string, a: DispatchArg, b?: DispatchArg): DispatchArg {
    const { c, fromRight } = this
    const op = (name: string, ...args: DispatchArg[]): FakeTensor => c.op(`aten.${name}`, ...args)
    if (operator === 'is' || operator === 'is not') return (a === (b ?? null)) === (operator === 'is')
    if (b === undefined) return op(operator === '-' ? 'neg.default' : 'bitwise_not.default', a)
    if (operator === '**')
      return op(!isFake(a) ? 'pow.Scalar' : isFake(b) ? 'pow.Tensor_Tensor' : 'pow.Tensor_Scalar', a, b)
    const name = OPERATORS[operator]!
    if (isFake(a))
      return op(`${name}.${isFake(b) || (!fromRight && ARITHMETIC.has(operator)) ? 'Tensor' : 'Scalar'}`, a, b)
    if (operator === '-') return fromRight ? fromNumber(c, a, b as FakeTensor) : op('rsub.Scalar', b, a)
    if (operator === '/') throw new Error(`formula of ${c.schema.name}: a number divided by a tensor`)
    return this.ofTensors(operator, b, a)
  }

  attribute(value: DispatchArg, name: string): DispatchArg {
    if (/^-?\d+$/.test(name)) return itemsOf(value)!.at(Number(name))!
    const x = value as FakeTensor
    if (name === 'shape') return shapeOf(x).map((_, i) => sizeArg(x, i))
    if (name === 'dtype') return dtype(x.meta.dtype)
    if (name === 'device') return x.meta.device as Arg
    throw new Error(`formula of ${this.c.schema.name}: no attribute ${name}`)
  }
}

/** `number - x` as C++ evaluates it: a copy of the number in the shape of x, then sub_. */
export function fromNumber(c: OpCall, value: DispatchArg, x: FakeTensor): FakeTensor {
  if (c.functional) return c.op('aten.sub.Tensor', c.op('aten.full_like.default', x, value), x)
  return c.op('aten.sub_.Tensor', c.op('aten.fill_.Scalar', c.op('aten.empty_like.default', x), value), x)
}

function ofNumbers(operator: string, a: DispatchArg, b: DispatchArg): DispatchArg {
  if (typeof a === 'bigint' && typeof b === 'bigint' && operator !== '/' && !(operator === '**' && b < 0n))
    return BINARY[operator]!(a as never, b as never)
  return BINARY[operator]!(Number(a) as never, Number(b) as never)
}

const BINARY: Readonly<Record<string, (a: number, b: number) => number | bigint | boolean>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '**': (a, b) => a ** b,
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
}

/** The overload of aten.where for tensors and numbers. */
const whereOverload = (x: DispatchArg, y: DispatchArg): string =>
  isFake(x) ? (isFake(y) ? 'self' : 'ScalarOther') : isFake(y) ? 'ScalarSelf' : 'Scalar'

const SHARED: Helpers = {
  where: (c, condition, x, y) => c.op(`aten.where.${whereOverload(x!, y!)}`, condition!, x!, y!),
  float: (_c, x) => Number(x),
  rank: (_c, x) => BigInt(rankOf(x as FakeTensor)),
  /** maybe_multiply: no call for a factor of 1. */
  scaled: (c, x, factor) => (Number(factor) === 1 ? x! : c.op('aten.mul.Scalar', x!, factor!)),
  /** apply_loss_reduction: 0 none, 1 mean, 2 sum. */
  reduced: (c, loss) => {
    const reduction = c.int('reduction')
    return reduction === 0 ? loss! : c.op(reduction === 1 ? 'aten.mean.default' : 'aten.sum.default', loss!)
  },
  /** True in a PyTorch of such a rule (base/torch_version.ts). */
  rule: (c, name) => c.rules[name as keyof TorchRules],
  cast: (c, x, to) =>
    (x as FakeTensor).meta.dtype === (to as DType).name ? x! : c.op('prims.convert_element_type.default', x!, to!),
  sizes: (_c, x) => dimArgs(shapeOf(x as FakeTensor)),
}
