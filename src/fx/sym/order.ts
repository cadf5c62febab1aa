/** sympy's default_sort_key, and the orders of terms and factors that StrPrinter takes from it. */
import { coefficientOf, isCall, powerOf, type Sym } from './types'

/** Nested as in sympy: class, arguments, exponent, coefficient. */
type Key = number | string | readonly Key[]

const ONE: Key = [[1, 0, 'Number'], [0, []], [], 1]
const keys = new WeakMap<Sym, Key>()

export function sortKey(e: Sym): Key {
  let key = keys.get(e)
  if (!key) keys.set(e, (key = makeKey(e)))
  return key
}

function makeKey(e: Sym): Key {
  if (e.kind === 'number') return [[1, 0, 'Number'], [0, []], [], e.value]
  if (e.kind === 'symbol') return [[2, 0, 'Symbol'], [1, [e.name]], ONE, 1]
  const { coefficient, factors } = coefficientOf(e)
  const { base, exponent } = factors.length === 1 ? powerOf(factors[0]!) : { base: e, exponent: 1 }
  return [
    ...(head(base, factors) as Key[]),
    sortKey({ kind: 'number', value: exponent, float: false }),
    coefficient.value,
  ]
}

/** Class and arguments. */
function head(base: Sym, factors: readonly Sym[]): Key {
  if (base.kind !== 'call') return (sortKey(base) as readonly Key[]).slice(0, 2)
  const args = isCall(base, 'Mul') ? orderedFactors(factors) : isCall(base, 'Add') ? orderedTerms(base.args) : base.args
  return [classKey(base.fn), [args.length, args.map(sortKey)]]
}

function classKey(fn: string): Key {
  if (fn === 'Mul') return [3, 0, fn]
  if (fn === 'Add') return [3, 1, fn]
  return fn === 'Max' || fn === 'Min' ? [5, 0, fn] : [4, 10000, fn]
}

function compareKeys(a: Key, b: Key): number {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b ? 0 : a < b ? -1 : 1
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareKeys(a[i]!, b[i]!)
    if (order !== 0) return order
  }
  return a.length - b.length
}

export const compareSyms = (a: Sym, b: Sym): number => compareKeys(sortKey(a), sortKey(b))
/** Mul.as_ordered_factors. */
export const orderedFactors = (factors: readonly Sym[]): readonly Sym[] => factors.toSorted(compareSyms)

/** Add.as_ordered_terms: by powers of the bases, the highest power of the first base first; `3 - s0` is an exception. */
export function orderedTerms(terms: readonly Sym[]): readonly Sym[] {
  const spoofed = numberBeforeNegative(terms)
  if (spoofed) return spoofed
  const bases = new Map<string, Sym>()
  const powers = terms.map((term) => {
    const found = new Map<string, number>()
    for (const factor of coefficientOf(term).factors) {
      const { base, exponent } = powerOf(factor)
      const key = JSON.stringify(sortKey(base))
      bases.set(key, base)
      found.set(key, exponent)
    }
    return { term, found }
  })
  const order = [...bases].toSorted(([, a], [, b]) => compareSyms(a, b)).map(([key]) => key)
  return powers
    .toSorted((a, b) => {
      const differing = order.find((key) => a.found.get(key) !== b.found.get(key))
      return differing === undefined ? 0 : (b.found.get(differing) ?? 0) - (a.found.get(differing) ?? 0)
    })
    .map(({ term }) => term)
}

function numberBeforeNegative(terms: readonly Sym[]): readonly Sym[] | null {
  const number = terms.find((t) => t.kind === 'number')
  const product = terms.find((t) => t.kind !== 'number')
  if (terms.length !== 2 || !number || number.value <= 0 || !product || !isCall(product, 'Mul')) return null
  return product.args.length === 2 && coefficientOf(product).coefficient.value < 0 ? [number, product] : null
}
