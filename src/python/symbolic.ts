import { approximate, evaluate, isPositive, neg, sub, symbolsOf, type Sym } from '../fx/sym'
import { operand } from '../trace/operators'
import type { DispatchArg, Tracer } from '../trace/types'

/** Values of symbols that the environment gives. */
export type Hints = readonly (readonly [symbol: string, value: number])[]

/**
 * Python's operators on symbolic sizes. The tracer does the arithmetic. Comparisons are decided like a guard with the symbols' hints,
 * large ones where none is given: a different multiple of 2^20 for each symbol.
 * @param target `operator.add`, `operator.lt`, `torch.sym_float`; `builtins.int`, `builtins.float`: the number by the hints, null if a symbol has none
 */
export function symbolic(
  tracer: Tracer,
  target: string,
  args: readonly DispatchArg[],
  hints: ReadonlyMap<string, number>,
): DispatchArg {
  if (target === 'builtins.int' || target === 'builtins.float') {
    const value = hinted(operand(args[0]!) as Sym, hints)
    return value === null || target === 'builtins.float' ? value : BigInt(Math.trunc(value))
  }
  const compare = COMPARE[target]
  if (!compare) return tracer.call(target, args, new Map())
  const [a, b] = args.map(operand) as [Sym, Sym]
  return compare(signOf(sub(a, b), hints))
}

function hinted(size: Sym, hints: ReadonlyMap<string, number>): number | null {
  if (![...symbolsOf(size)].every((name) => hints.has(name))) return null
  return evaluate(size, (name) => hints.get(name)!)
}

function signOf(difference: Sym, hints: ReadonlyMap<string, number>): number {
  if (difference.kind === 'number') return difference.value
  if (isPositive(difference)) return 1
  if (isPositive(neg(difference))) return -1
  const names = [...symbolsOf(difference)].sort()
  const valueOf = (name: string): number => hints.get(name) ?? 2 ** 20 * (names.length - names.indexOf(name))
  return approximate(difference, valueOf) ?? 1
}

/** Compares by the sign of a - b. */
const COMPARE: Readonly<Record<string, (difference: number) => boolean>> = {
  'operator.eq': (d) => d === 0,
  'operator.ne': (d) => d !== 0,
  'operator.lt': (d) => d < 0,
  'operator.le': (d) => d <= 0,
  'operator.gt': (d) => d > 0,
  'operator.ge': (d) => d >= 0,
}
