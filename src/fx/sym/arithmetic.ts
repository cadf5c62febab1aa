/** Sums, products and powers, folded like sympy's Add, Mul and Pow: like terms are joined, products of sums are not expanded. */
import { orderedFactors } from './order'
import { textOf } from './print'
import { call, coefficientOf, factorsOf, int, isCall, powerOf, type Sym, type SymNumber, termsOf } from './types'

const numeric = (value: number, ...from: readonly SymNumber[]): SymNumber => ({
  kind: 'number',
  value,
  float: from.some((n) => n.float),
})
const times = (a: SymNumber, b: SymNumber): SymNumber => numeric(a.value * b.value, a, b)
const plus = (a: SymNumber, b: SymNumber): SymNumber => numeric(a.value + b.value, a, b)
const isOne = (n: SymNumber): boolean => n.value === 1 && !n.float

export function add(...args: readonly Sym[]): Sym {
  let constant = int(0)
  const terms = new Map<string, { coefficient: SymNumber; factors: readonly Sym[] }>()
  for (const term of args.flatMap(termsOf)) {
    const { coefficient, factors } = coefficientOf(term)
    if (factors.length === 0) {
      constant = plus(constant, coefficient)
      continue
    }
    const key = factors.map(textOf).join(';')
    const before = terms.get(key)
    terms.set(key, { coefficient: before ? plus(before.coefficient, coefficient) : coefficient, factors })
  }
  const left = [...terms.values()].filter((t) => t.coefficient.value !== 0).map((t) => scaled(t.coefficient, t.factors))
  if (left.length === 0 || Number.isNaN(constant.value)) return constant
  if (constant.value !== 0) left.push(constant)
  return left.length === 1 ? left[0]! : call('Add', ...left)
}

function scaled(coefficient: SymNumber, factors: readonly Sym[]): Sym {
  if (!isOne(coefficient)) return call('Mul', coefficient, ...factors)
  return factors.length === 1 ? factors[0]! : call('Mul', ...factors)
}

export function mul(...args: readonly Sym[]): Sym {
  let coefficient = int(1)
  const powers = new Map<string, { base: Sym; exponent: number }>()
  for (const factor of args.flatMap(factorsOf)) {
    if (factor.kind === 'number') {
      coefficient = times(coefficient, factor)
      continue
    }
    const { base, exponent } = powerOf(factor)
    const key = textOf(base)
    powers.set(key, { base, exponent: exponent + (powers.get(key)?.exponent ?? 0) })
  }
  if (powers.size === 0 || coefficient.value === 0 || Number.isNaN(coefficient.value)) return coefficient
  const factors = [...powers.values()].map(({ base, exponent }) =>
    exponent === 1 ? base : call('Pow', base, int(exponent)),
  )
  // A number is distributed over a sum if the sum is the only other factor.
  if (factors.length === 1 && isCall(factors[0]!, 'Add') && !isOne(coefficient))
    return add(...factors[0].args.map((term) => mul(coefficient, term)))
  return scaled(coefficient, orderedFactors(factors))
}

export const neg = (a: Sym): Sym => mul(int(-1), a)
export const sub = (a: Sym, b: Sym): Sym => add(a, neg(b))

/** Powers of powers are combined up to this exponent. */
export const MAX_EXPONENT = 64

/** A natural power of a base. */
export function power(base: Sym, exponent: number): Sym {
  if (exponent === 0) return int(1)
  if (exponent === 1) return base
  if (base.kind === 'number') return numeric(base.value ** exponent, base)
  if (isCall(base, 'Mul')) return mul(...base.args.map((factor) => power(factor, exponent)))
  const inner = powerOf(base)
  const joined = inner.exponent * exponent
  if (inner.exponent > 1 && joined > MAX_EXPONENT) return call('PowByNatural', base, int(exponent))
  return call('Pow', inner.base, int(joined))
}

/** `a` divided by a product, if every factor cancels; a sum in `a` is divided as a whole. */
export function cancelled(a: Sym, b: Sym): Sym | null {
  const { coefficient, factors } = coefficientOf(b)
  if (factors.length === 0 && isCall(a, 'Add')) {
    const parts = a.args.map((term) => cancelled(term, b))
    return parts.every((p) => p !== null) ? add(...parts) : null
  }
  const over = coefficientOf(a)
  const quotient = over.coefficient.value / coefficient.value
  const left = new Map(over.factors.map((f) => [textOf(powerOf(f).base), powerOf(f)]))
  for (const { base, exponent } of factors.map(powerOf)) {
    const found = left.get(textOf(base))
    if (!found || found.exponent < exponent) return null
    left.set(textOf(base), { base, exponent: found.exponent - exponent })
  }
  if (!Number.isInteger(quotient)) return null
  return mul(numeric(quotient, coefficient), ...[...left.values()].map((p) => power(p.base, p.exponent)))
}
