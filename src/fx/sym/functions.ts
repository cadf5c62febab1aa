/** torch.utils._sympy.functions: the functions of SymInt and SymFloat beyond sums and products, folded by the same rules. */
import { add, cancelled, mul, neg, power, sub } from './arithmetic'
import { compareSyms, orderedTerms, sortKey } from './order'
import { textOf } from './print'
import { isNonnegative, isNonnegativeInRange, isPositive } from './signs'
import { call, coefficientOf, factorsOf, float, int, isCall, isFloat, isInt, type Sym, termsOf } from './types'

const same = (a: Sym, b: Sym): boolean => textOf(a) === textOf(b)
const isZero = (e: Sym): boolean => e.kind === 'number' && e.value === 0

/** FloorDiv.eval. @throws RangeError for a division by zero */
export function floorDiv(base: Sym, divisor: Sym): Sym {
  if (isZero(divisor)) throw new RangeError('division by zero')
  if (isZero(base)) return int(0)
  if (isInt(divisor, 1)) return base
  if (isInt(divisor, -1)) return neg(base)
  if (same(base, divisor)) return int(1)
  if (isInt(base) && isInt(divisor)) return int(Math.floor(base.value / divisor.value))
  if (isCall(base, 'FloorDiv')) return floorDiv(base.args[0]!, mul(base.args[1]!, divisor))
  if (isInt(divisor)) {
    // Terms that are multiples of the divisor move out of the division.
    const [whole, rest] = [divisibleTerms(base, divisor), indivisibleTerms(base, divisor)]
    if (whole.length > 0) return add(floorDiv(add(...rest), divisor), ...whole.map((t) => cancelled(t, divisor)!))
  }
  const common = commonFactor(base, divisor)
  if (!isInt(common, 1)) return floorDiv(eachDivided(base, common), eachDivided(divisor, common))
  const quotient = isCall(divisor, 'Add') ? quotientOfSums(base, divisor) : null
  return quotient ?? call('FloorDiv', base, divisor)
}

const divisibleTerms = (base: Sym, by: Sym): Sym[] => termsOf(base).filter((t) => cancelled(t, by) !== null)
const indivisibleTerms = (base: Sym, by: Sym): Sym[] => termsOf(base).filter((t) => cancelled(t, by) === null)
const eachDivided = (a: Sym, by: Sym): Sym => add(...termsOf(a).map((t) => cancelled(t, by)!))

/** simple_floordiv_gcd: the greatest common integer factor, and the factors of `q` that every term of `p` contains. */
function commonFactor(p: Sym, q: Sym): Sym {
  const integer = int(gcd(integerFactor(p), integerFactor(q)))
  const terms = termsOf(eachDivided(p, integer)).map((t) => factorsOf(t).map(textOf))
  const shared = factorsOf(eachDivided(q, integer)).filter((f) => terms.every((t) => t.includes(textOf(f))))
  return mul(integer, ...shared)
}

const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b))
const integerFactor = (e: Sym): number =>
  termsOf(e)
    .map((t) => Math.abs(coefficientOf(t).coefficient.value))
    .reduce(gcd)

/** `a / b` for sums that divide without a remainder. */
function quotientOfSums(a: Sym, b: Sym): Sym | null {
  const lead = (e: Sym): Sym => orderedTerms(termsOf(e)).find((t) => t.kind !== 'number') ?? e
  let rest = a
  let quotient: Sym = int(0)
  for (let i = 0; i < 50 && !isZero(rest); i++) {
    const next = cancelled(lead(rest), lead(b))
    if (!next) return null
    quotient = add(quotient, next)
    rest = sub(rest, add(...termsOf(b).map((t) => mul(next, t))))
  }
  return isZero(rest) ? quotient : null
}

/** Python's `%`: Mod for non-negative operands, PythonMod otherwise. @throws RangeError for a division by zero */
export function mod(p: Sym, q: Sym): Sym {
  if (isZero(q)) throw new RangeError('division by zero')
  if (isZero(p) || same(p, q) || same(p, neg(q)) || isInt(q, 1)) return int(0)
  if (p.kind === 'number' && q.kind === 'number') {
    const value = ((p.value % q.value) + q.value) % q.value
    return isFloat(p) || isFloat(q) ? float(value) : int(value)
  }
  const parity = isInt(q, 2) ? parityOf(p) : null
  if (parity !== null) return int(parity)
  if (!isFloat(p) && cancelled(p, q)) return int(0)
  if (isPositive(sub(q, p)) && isPositive(p) && isPositive(q)) return p
  return call([p, q].every((e) => isFloat(e) || isNonnegativeInRange(e)) ? 'Mod' : 'PythonMod', p, q)
}

/** 0 for even, 1 for odd. */
function parityOf(e: Sym): 0 | 1 | null {
  if (isInt(e)) return e.value % 2 === 0 ? 0 : 1
  if (e.kind !== 'call') return null
  const parts = e.args.map(parityOf)
  if (e.fn === 'Add') return parts.includes(null) ? null : parts.filter((p) => p === 1).length % 2 === 0 ? 0 : 1
  if (e.fn === 'Pow') return parts[0]!
  return e.fn === 'Mul' ? (parts.includes(0) ? 0 : parts.includes(null) ? null : 1) : null
}

export const max = (...args: readonly Sym[]): Sym => extreme('Max', args)
export const min = (...args: readonly Sym[]): Sym => extreme('Min', args)

/** MinMaxBase: nested ones are flattened, numbers are combined; 0 and 1 are compared with a single expression whose sign is known. */
function extreme(fn: 'Max' | 'Min', given: readonly Sym[]): Sym {
  const pick = fn === 'Max' ? Math.max : Math.min
  const parts = new Map<string, Sym>()
  for (const part of collapsed(given.flatMap((a) => (isCall(a, fn) ? a.args : [a])))) parts.set(textOf(part), part)
  const numbers = [...parts.values()].filter((p) => p.kind === 'number')
  const others = [...parts.values()].filter((p) => p.kind !== 'number')
  const number = numbers.length === 0 ? null : numbers.find((n) => n.value === pick(...numbers.map((m) => m.value)))!
  if (others.length === 0) return number!
  if (number === null) return multiples(fn, others) ?? (others.length === 1 ? others[0]! : call(fn, ...others))
  const known =
    others.length === 1 &&
    (number.value === 0 ? isNonnegative : number.value === 1 ? isPositive : () => false)(others[0]!)
  return known ? (fn === 'Max' ? others[0]! : number) : call(fn, number, ...others)
}

/** Min(a, Max(a, b)) is a. */
function collapsed(args: readonly Sym[]): readonly Sym[] {
  const ordered = args.toSorted((a, b) => sizeOf(a) - sizeOf(b) || compareSyms(a, b))
  return ordered.map((arg, i) => {
    if (!isCall(arg, 'Max') && !isCall(arg, 'Min')) return arg
    return ordered.slice(0, i).find((a) => arg.args.some((part) => same(part, a))) ?? arg
  })
}

const sizeOf = (e: Sym): number => (e.kind === 'call' ? e.args.reduce((n, a) => n + sizeOf(a), 1) : 1)

/** The greater of two multiples of one expression whose sign is known. */
function multiples(fn: 'Max' | 'Min', args: readonly Sym[]): Sym | null {
  const [a, b] = args.map(coefficientOf)
  if (args.length !== 2 || !isNonnegative(mul(...a!.factors))) return null
  if (!same(mul(...a!.factors), mul(...b!.factors))) return null
  return a!.coefficient.value > b!.coefficient.value === (fn === 'Max') ? args[0]! : args[1]!
}

/** sympy's Abs. */
export function abs(e: Sym): Sym {
  if (e.kind === 'number') return { ...e, value: Math.abs(e.value) }
  const { coefficient, factors } = coefficientOf(e)
  const size: Sym = { ...coefficient, value: Math.abs(coefficient.value) }
  const known = factors.filter(isNonnegative)
  const unknown = mul(...factors.filter((f) => !isNonnegative(f)))
  if (isInt(unknown, 1)) return mul(size, ...known)
  return mul(size, ...known, call('Abs', prefersNegated(unknown) ? neg(unknown) : unknown))
}

/** could_extract_minus_sign. */
function prefersNegated(e: Sym): boolean {
  if (!isCall(e, 'Add')) return coefficientOf(e).coefficient.value < 0
  const negative = e.args.filter(prefersNegated).length
  if (negative * 2 !== e.args.length) return negative * 2 > e.args.length
  return JSON.stringify(sortKey(e)) !== JSON.stringify(sortKey(neg(e))) && compareSyms(e, neg(e)) < 0
}

/** PowByNatural. */
export function powByNatural(base: Sym, exponent: Sym): Sym {
  if (!isInt(exponent) || exponent.value < 0) return call('PowByNatural', base, exponent)
  const value = power(base, exponent.value)
  return value.kind !== 'number' || Number.isSafeInteger(value.value) ? value : call('PowByNatural', base, exponent)
}

export const leftShift = (a: Sym, by: Sym): Sym => mul(a, powByNatural(int(2), by))
export const rightShift = (a: Sym, by: Sym): Sym => floorDiv(a, powByNatural(int(2), by))

export const toFloat = (e: Sym): Sym => (e.kind === 'number' ? float(e.value) : call('ToFloat', e))

type Rule = (...args: Sym[]) => Sym

/** @throws RangeError for a wrong number of arguments, which a text can contain */
const taking =
  (count: number, rule: Rule): Rule =>
  (...args) => {
    if (args.length !== count) throw new RangeError(`expected ${count} arguments, found ${args.length}`)
    return rule(...args)
  }

/** A function that folds only numbers. */
const opaque = (fn: string, of: (...args: number[]) => number, result: (value: number) => Sym = float): Rule =>
  taking(of.length, (...args) => {
    const numbers = args.filter((a) => a.kind === 'number').map((a) => a.value)
    return numbers.length === args.length ? result(of(...numbers)) : call(fn, ...args)
  })

/** @throws RangeError for a division by zero */
const trueDiv = (fn: string): Rule => {
  const fold = opaque(fn, (a, b) => a / b)
  return taking(2, (a, b) => {
    if (isZero(b!)) throw new RangeError('division by zero')
    return fold(a!, b!)
  })
}

const roundHalfEven = (x: number): number => {
  const low = Math.floor(x)
  return x - low !== 0.5 ? Math.round(x) : low % 2 === 0 ? low : low + 1
}

/** The functions, by the names that sympy prints. */
export const FUNCTIONS: Readonly<Record<string, Rule>> = {
  Max: max,
  Min: min,
  FloorDiv: taking(2, floorDiv),
  CleanDiv: taking(2, floorDiv),
  Mod: taking(2, mod),
  PythonMod: taking(2, mod),
  Abs: taking(1, abs),
  PowByNatural: taking(2, powByNatural),
  ToFloat: taking(1, toFloat),
  IntTrueDiv: trueDiv('IntTrueDiv'),
  FloatTrueDiv: trueDiv('FloatTrueDiv'),
  FloatPow: opaque('FloatPow', (a, b) => a ** b),
  FloorToInt: opaque('FloorToInt', Math.floor, int),
  CeilToInt: opaque('CeilToInt', Math.ceil, int),
  TruncToInt: opaque('TruncToInt', Math.trunc, int),
  RoundToInt: opaque('RoundToInt', roundHalfEven, int),
  RoundDecimal: opaque('RoundDecimal', (a, digits) => roundHalfEven(a * 10 ** digits) / 10 ** digits),
  BitwiseFn_bitwise_and: opaque('BitwiseFn_bitwise_and', (a, b) => Number(BigInt(a) & BigInt(b)), int),
  BitwiseFn_bitwise_or: opaque('BitwiseFn_bitwise_or', (a, b) => Number(BigInt(a) | BigInt(b)), int),
  BitwiseFn_bitwise_xor: opaque('BitwiseFn_bitwise_xor', (a, b) => Number(BigInt(a) ^ BigInt(b)), int),
  ...Object.fromEntries(
    (['sqrt', 'cos', 'cosh', 'sin', 'sinh', 'tan', 'tanh', 'asin', 'acos', 'atan', 'log2'] as const).map((name) => [
      `OpaqueUnaryFn_${name}`,
      opaque(`OpaqueUnaryFn_${name}`, Math[name]),
    ]),
  ),
}
