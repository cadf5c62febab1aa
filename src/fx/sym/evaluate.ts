/** The value of an expression for given symbol values. */
import { FUNCTIONS } from './functions'
import { add, mul, power } from './arithmetic'
import { entryOf, int, type Sym, type SymNumber } from './types'

/** Null for a function that has no rule, and for a result that no number represents exactly. */
export function evaluate(e: Sym, valueOf: (symbol: string) => number): number | null {
  const value = substituted(e, valueOf)
  return value?.kind === 'number' && (value.float || Number.isSafeInteger(value.value)) ? value.value : null
}

/** Like evaluate, but integers beyond 2^53 are rounded; the sign stays right. */
export function approximate(e: Sym, valueOf: (symbol: string) => number): number | null {
  const value = substituted(e, valueOf)
  return value?.kind === 'number' ? value.value : null
}

function substituted(e: Sym, valueOf: (symbol: string) => number): Sym | null {
  if (e.kind === 'number') return e
  if (e.kind === 'symbol') return int(valueOf(e.name))
  const args = e.args.map((a) => substituted(a, valueOf))
  if (args.includes(null)) return null
  return applied(e.fn, args as Sym[])
}

function applied(fn: string, args: readonly Sym[]): Sym | null {
  if (fn === 'Add') return add(...args)
  if (fn === 'Mul') return mul(...args)
  if (fn === 'Pow') return power(args[0]!, (args[1] as SymNumber).value)
  try {
    return entryOf(FUNCTIONS, fn)?.(...args) ?? null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
