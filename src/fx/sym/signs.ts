/** Facts about an expression's value without a hint: its bounds, and its expansion to a polynomial. */
import { neg, sub } from './arithmetic'
import { textOf } from './print'
import { coefficientOf, entryOf, isFloat, isUnbacked, type Sym, type SymCall, type SymNumber, termsOf } from './types'

/** The least values of symbols, and whether floor divisions have only a known sign, not known bounds. */
interface Known {
  readonly backed: number
  readonly unbacked: number
  readonly signsOnly: boolean
}
/** sympy's assumptions: backed symbols are positive integers, unbacked ones integers. */
const ASSUMED: Known = { backed: 1, unbacked: -Infinity, signsOnly: true }
/** A ShapeEnv's ranges: sizes 0 and 1 are specialized. */
const RANGES: Known = { backed: 2, unbacked: 0, signsOnly: false }

type Interval = readonly [low: number, high: number]
type Bound = (args: readonly [Interval, Interval, ...Interval[]], known: Known, e: SymCall) => Interval | null
const ANY: Interval = [-Infinity, Infinity]

/** Coefficients by monomial, `s0^1;s1^2`; '' is the constant. */
type Polynomial = Map<string, number>
const MAX_TERMS = 2000
/** Maximum number of products of two terms in one expansion. */
const MAX_PRODUCTS = 20_000

/** sympy's is_nonnegative and is_positive: false if unknown. */
export const isNonnegative = (e: Sym): boolean => least(e, ASSUMED) >= 0
export const isPositive = (e: Sym): boolean => least(e, ASSUMED) > 0
/** The same with the symbols' ranges: bound_sympy. */
export const isNonnegativeInRange = (e: Sym): boolean => least(e, RANGES) >= 0
/** The least and the greatest sign of a difference. */
export type Signs = readonly [low: number, high: number]
const UNDECIDED: Signs = [-1, 1]

/** The sign of a - b, as far as the symbols' ranges tell. */
export function signInRange(a: Sym, b: Sym): Signs {
  if (provablyEqual(a, b)) return [0, 0]
  return [Math.sign(least(sub(a, b), RANGES)), -Math.sign(least(sub(b, a), RANGES))]
}

/** The sign of a - b, as far as sympy knows it when it creates a relation. Floats are compared only for equality. */
export function signInRelation(a: Sym, b: Sym): Signs {
  if (textOf(a) === textOf(b)) return [0, 0]
  if (isFloat(a) || isFloat(b)) return UNDECIDED
  const terms = termsOf(sub(a, b))
  const offset = terms.find((t) => t.kind === 'number')?.value ?? 0
  const rest = terms.filter((t) => t.kind !== 'number')
  const low = lowestSign(rest, offset)
  const high = -lowestSign(rest.map(neg), -offset)
  const even = rest.every((t) => coefficientOf(t).coefficient.value % 2 === 0)
  return low < 0 && high > 0 && even && offset % 2 !== 0 ? NONZERO : [low, high]
}

/** A difference that is not zero and may have either sign. */
export const NONZERO: Signs = [-2, 2]

/**
 * A lower bound for the sum of `terms` and `offset`: 1 or 0 if the sum is at least that, else -1. Only one term may compensate a
 * negative offset.
 */
function lowestSign(terms: readonly Sym[], offset: number): number {
  if (terms.length === 0) return Math.sign(offset)
  if (offset < 0) {
    const [only] = terms
    if (terms.length > 1 || !isPositive(only!)) return -1
    return Math.max(Math.sign((coefficientOf(only!).coefficient.value % 2 === 0 ? 2 : 1) + offset), -1)
  }
  if (!terms.every(isNonnegative)) return -1
  return offset > 0 || terms.some(isPositive) ? 1 : 0
}

/** True if a - b is never zero. */
export const provablyUnequal = (a: Sym, b: Sym): boolean => {
  const difference = sub(a, b)
  return least(difference, RANGES) > 0 || least(sub(b, a), RANGES) > 0
}
/** True if a - b is zero for all symbol values. */
export const provablyEqual = (a: Sym, b: Sym): boolean =>
  textOf(a) === textOf(b) || expand(sub(a, b), (e) => atom(textOf(e)))?.size === 0

/** A lower bound: from the bounds of the parts, or from the polynomial in each part's distance from its bound. */
function least(e: Sym, known: Known): number {
  const [low] = interval(e, known)
  if (low > 0) return low
  const shifted = expand(e, (part) => {
    const [bound] = interval(part, known)
    return Number.isFinite(bound) ? plus(atom(textOf(part)), constant(bound)) : atom(UNKNOWN + textOf(part))
  })
  const rises = shifted && [...shifted].every(([m, c]) => m === '' || (c > 0 && !m.includes(UNKNOWN)))
  return rises ? Math.max(low, shifted.get('') ?? 0) : low
}

function interval(e: Sym, known: Known): Interval {
  if (e.kind === 'number') return [e.value, e.value]
  if (e.kind === 'symbol') return [isUnbacked(e.name) ? known.unbacked : known.backed, Infinity]
  const args = e.args.map((a) => interval(a, known)) as [Interval, Interval, ...Interval[]]
  return entryOf(BOUNDS, e.fn)?.(args, known, e) ?? ANY
}

const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : a * b)
const product = ([a, b]: Interval, [c, d]: Interval): Interval => {
  const corners = [times(a, c), times(a, d), times(b, c), times(b, d)]
  return [Math.min(...corners), Math.max(...corners)]
}
const quotient = ([low, high]: Interval, [from, to]: Interval): Interval | null =>
  from > 0 ? [low >= 0 ? low / to : low / from, high >= 0 ? high / from : high / to] : null
const rest: Bound = ([, q]) => (q[0] > 0 ? [0, q[1] - 1] : null)

const BOUNDS: Readonly<Record<string, Bound>> = {
  Add: (args) => args.reduce(([a, b], [c, d]) => [a + c, b + d]),
  Mul: (args) => args.reduce(product),
  Pow: ([[low, high]], _known, e) => {
    const n = (e.args[1] as SymNumber).value
    return low >= 0 ? [low ** n, high ** n] : n % 2 === 0 ? [0, Infinity] : null
  },
  PowByNatural: ([base]) => (base[0] >= 1 ? [1, Infinity] : null),
  Max: (args) => [Math.max(...args.map(([low]) => low)), Math.max(...args.map(([, high]) => high))],
  Min: (args) => [Math.min(...args.map(([low]) => low)), Math.min(...args.map(([, high]) => high))],
  Abs: ([[low, high]]) => [Math.max(low, 0), Math.max(-low, high)],
  ToFloat: ([integer], known) => (known.signsOnly ? null : integer),
  IntTrueDiv: (args, known) => (known.signsOnly ? null : quotient(args[0], args[1])),
  FloatTrueDiv: (args, known) => (known.signsOnly ? null : quotient(args[0], args[1])),
  Mod: rest,
  PythonMod: rest,
  FloorDiv: ([[low, high], [from, to]], known) => {
    if (from <= 0) return null
    const least = Math.floor(low >= 0 ? low / to : low / from)
    return [known.signsOnly ? Math.min(least, 0) : least, Math.floor(high >= 0 ? high / from : high / to)]
  },
}

/** The result for a part without a lower bound. */
const UNKNOWN = '?'
const atom = (text: string): Polynomial => new Map([[`${text}^1`, 1]])
const constant = (n: number): Polynomial => (n === 0 ? new Map() : new Map([['', n]]))

function plus(a: Polynomial, b: Polynomial): Polynomial {
  const sum = new Map(a)
  for (const [m, c] of b) {
    const total = (sum.get(m) ?? 0) + c
    if (total === 0) sum.delete(m)
    else sum.set(m, total)
  }
  return sum
}

const powers = (monomial: string): [string, number][] =>
  monomial === ''
    ? []
    : monomial.split(';').map((f) => [f.slice(0, f.lastIndexOf('^')), Number(f.slice(f.lastIndexOf('^') + 1))])

function multiplied(a: Polynomial, b: Polynomial, budget: Budget): Polynomial | null {
  budget.products -= Math.max(1, a.size * b.size)
  if (a.size * b.size > MAX_TERMS || budget.products < 0) return null
  const sum: Polynomial = new Map()
  for (const [m, c] of a)
    for (const [n, d] of b) {
      const joined = new Map(powers(m))
      for (const [f, k] of powers(n)) joined.set(f, (joined.get(f) ?? 0) + k)
      const text = [...joined].toSorted(([x], [y]) => (x < y ? -1 : 1)).map(([f, k]) => `${f}^${k}`)
      sum.set(text.join(';'), (sum.get(text.join(';')) ?? 0) + c * d)
    }
  for (const [m, c] of sum) if (c === 0) sum.delete(m)
  return sum
}

/** The number of products left of MAX_PRODUCTS. */
interface Budget {
  products: number
}

/** Expands products and powers; null if the result is too large. @param part the polynomial of any other expression */
function expand(e: Sym, part: (e: Sym) => Polynomial, budget: Budget = { products: MAX_PRODUCTS }): Polynomial | null {
  if (e.kind === 'number') return constant(e.value)
  if (e.kind === 'symbol' || !['Add', 'Mul', 'Pow'].includes(e.fn)) return part(e)
  if (e.fn === 'Pow') {
    const base = expand(e.args[0]!, part, budget)
    let total: Polynomial | null = constant(1)
    for (let i = 0; base && total && i < (e.args[1] as SymNumber).value; i++) total = multiplied(total, base, budget)
    return base && total
  }
  let total: Polynomial | null = constant(e.fn === 'Add' ? 0 : 1)
  for (const a of e.args) {
    const next = expand(a, part, budget)
    if (!next || !total) return null
    total = e.fn === 'Add' ? plus(total, next) : multiplied(total, next, budget)
  }
  return total
}
