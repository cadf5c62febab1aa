/**
 * A symbolic size: a number, a symbol, or a function of these, as PyTorch's SymInt and SymFloat hold it in sympy. The functions of
 * this folder create the values; they fold and order as sympy and torch.utils._sympy do, so equal expressions have equal text
 * (print.ts).
 */
export type Sym = SymNumber | SymSymbol | SymCall

export interface SymNumber {
  readonly kind: 'number'
  readonly value: number
  /** A float such as 2.0, distinct from 2. */
  readonly float: boolean
}
export interface SymSymbol {
  readonly kind: 'symbol'
  readonly name: string
}
/** sympy's `Add`, `Mul` and `Pow`, and the functions of torch.utils._sympy.functions by name. */
export interface SymCall {
  readonly kind: 'call'
  readonly fn: string
  readonly args: readonly Sym[]
}

export const int = (value: number): SymNumber => ({ kind: 'number', value, float: false })
export const float = (value: number): SymNumber => ({ kind: 'number', value, float: true })
export const symbol = (name: string): SymSymbol => ({ kind: 'symbol', name })
export const call = (fn: string, ...args: readonly Sym[]): SymCall => ({ kind: 'call', fn, args })

/** A table's entry under a name from a text: `toString` has none. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

export const isCall = <F extends string>(e: Sym, fn: F): e is SymCall & { readonly fn: F } =>
  e.kind === 'call' && e.fn === fn
export const isInt = (e: Sym, value?: number): e is SymNumber & { readonly float: false } =>
  e.kind === 'number' && !e.float && (value === undefined || e.value === value)

/** sympy's Add.make_args: the terms of a sum, or the expression alone. */
export const termsOf = (e: Sym): readonly Sym[] => (isCall(e, 'Add') ? e.args : [e])
/** Mul.make_args. */
export const factorsOf = (e: Sym): readonly Sym[] => (isCall(e, 'Mul') ? e.args : [e])

/** as_coeff_Mul: the leading number, and the factors after it. */
export function coefficientOf(e: Sym): { coefficient: SymNumber; factors: readonly Sym[] } {
  if (e.kind === 'number') return { coefficient: e, factors: [] }
  const [first, ...rest] = factorsOf(e) as [Sym, ...Sym[]]
  return first.kind === 'number'
    ? { coefficient: first, factors: rest }
    : { coefficient: int(1), factors: factorsOf(e) }
}

/** sympy's decompose_power: a factor as base and exponent. */
export const powerOf = (e: Sym): { base: Sym; exponent: number } =>
  isCall(e, 'Pow') ? { base: e.args[0]!, exponent: (e.args[1] as SymNumber).value } : { base: e, exponent: 1 }

/** Unbacked symbols (`u0`) have no hint. */
export const isUnbacked = (name: string): boolean => /^z?u/.test(name)

/** Functions with float values. */
const FLOATS = /^(?:ToFloat|IntTrueDiv|FloatTrueDiv|FloatPow|RoundDecimal|OpaqueUnaryFn_\w+)$/
const AS_OPERANDS = /^(?:Add|Mul|Pow|Max|Min|Mod|PythonMod|Abs)$/

/** True if PyTorch holds it as a SymFloat. */
export const isFloat = (e: Sym): boolean =>
  e.kind === 'number'
    ? e.float
    : e.kind === 'call' && (FLOATS.test(e.fn) || (AS_OPERANDS.test(e.fn) && e.args.some(isFloat)))

/** The names of the symbols in it. */
export function symbolsOf(e: Sym, found = new Set<string>()): Set<string> {
  if (e.kind === 'symbol') found.add(e.name)
  else if (e.kind === 'call') for (const a of e.args) symbolsOf(a, found)
  return found
}

/** The number of expressions in it. */
export const nodesOf = (e: Sym): number => 1 + (e.kind === 'call' ? e.args.reduce((n, a) => n + nodesOf(a), 0) : 0)
