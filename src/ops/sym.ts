/** Arithmetic on dimensions: numbers, or expressions (src/fx/sym) by their text, as dumps and meta vals contain them. */
import type { Dim, SymExpr } from '../fx'
import {
  add,
  floorDiv as floorDivSyms,
  int,
  isFloat,
  max,
  mod,
  mul,
  parseSym,
  provablyEqual,
  sub,
  symbol,
  textOf,
  type Sym,
} from '../fx/sym'

const parsed = new Map<string, Sym>()

/** The expression of a dimension; invalid text counts as a symbol of that name. */
export function symOf(d: Dim): Sym {
  if (typeof d === 'number') return int(d)
  let e = parsed.get(d)
  if (!e) parsed.set(d, (e = parseSym(d) ?? symbol(d)))
  return e
}

export function dimOf(e: Sym): Dim {
  if (e.kind === 'number') return e.value
  const text = textOf(e)
  parsed.set(text, e)
  return text
}

/** True for a SymFloat. */
export const isFloatSym = (a: SymExpr): boolean => isFloat(symOf(a.expr))

const onDims =
  (numbers: (a: number, b: number) => number, syms: (a: Sym, b: Sym) => Sym) =>
  (a: Dim, b: Dim): Dim =>
    typeof a === 'number' && typeof b === 'number' ? numbers(a, b) : dimOf(syms(symOf(a), symOf(b)))

export const addDims = onDims((a, b) => a + b, add)
export const subDims = onDims((a, b) => a - b, sub)
export const mulDims = onDims((a, b) => a * b, mul)
/** Python's `//`. */
export const floorDiv = onDims((a, b) => Math.floor(a / b), floorDivSyms)
/** Python's `%`. */
export const modDims = onDims((a, b) => ((a % b) + b) % b, mod)
export const maxDims = onDims(Math.max, max)

export const productOf = (dims: readonly Dim[]): Dim => dims.reduce<Dim>((p, d) => mulDims(p, d), 1)

/** True if both are equal for all symbol values. */
export const sameDim = (a: Dim, b: Dim): boolean =>
  a === b || (typeof a === 'number' && typeof b === 'number' ? false : provablyEqual(symOf(a), symOf(b)))
export const sameDims = (a: readonly Dim[], b: readonly Dim[]): boolean =>
  a.length === b.length && a.every((d, i) => sameDim(d, b[i]!))

/** Backed symbols (`s72`) are sizes of at least 2; unbacked ones (`u0`) may have any value. */
export const isOne = (d: Dim): boolean => d === 1
export const isZero = (d: Dim): boolean => d === 0
