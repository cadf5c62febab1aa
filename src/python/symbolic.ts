import {
  approximate,
  evaluate,
  isFloat,
  isPositive,
  neg,
  nodesOf,
  NONZERO,
  signInRange,
  signInRelation,
  sub,
  symbolsOf,
  textOf,
  textOfRelation,
  toFloat,
  type Signs,
  type Sym,
} from '../fx/sym'
import { operand } from '../trace/operators'
import type { DispatchArg, Tracer } from '../trace/types'

/** Values of symbols from the environment. */
export type Hints = readonly (readonly [symbol: string, value: number])[]

/**
 * Python's operators on symbolic sizes. The tracer does the arithmetic.
 * @param target `operator.add`, `torch.sym_float`; `builtins.int`, `builtins.float`: the number by the hints, null if a symbol has
 * none. `operator.lt`: a bool where sympy decides the relation, else its text, the number of its nodes and, in a trace, that of the recorded result;
 * `plain.lt`: without recording it; `torch.sym_not`, `torch.sym_ite`: the recorded result; `static.lt`: what the symbols' ranges tell, or
 * null; `hint.lt`: by the symbols' hints, large ones where none is given: a different multiple of 2^20 for each symbol; `guard.lt`: the same of
 * a condition of user code, which fixes a symbol that equals a number
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
  const [how, name] = target.split('.') as [string, string]
  if (name === 'sym_not' || name === 'sym_ite') return tracer.size(target, args, ofRelation(args))
  const relation = RELATIONS[name]
  if (!relation || how === 'torch') return tracer.call(target, args, new Map())
  const [a, b] = promoted(...(args.map(operand) as [Sym, Sym]))
  if (how === 'guard' || how === 'hint') {
    const holds = relation(pointOf(signOf(sub(a, b), hints)))
    if (how === 'guard' && holds !== null && (name === 'eq' ? holds : name === 'ne' && !holds)) fixSymbol(tracer, a, b)
    return holds
  }
  const decided = relation(how === 'static' ? signInRange(a, b) : signInRelation(a, b))
  if (decided !== null || how === 'static') return decided
  const text = textOfRelation(name, a, b)
  const { result } = how === 'plain' ? {} : tracer.size(target, args, text)
  return [text, BigInt(1 + nodesOf(a) + nodesOf(b)), result === undefined ? null : BigInt(result)]
}

function fixSymbol(tracer: Tracer, a: Sym, b: Sym): void {
  const [symbol, value] = a.kind === 'number' ? [b, a] : [a, b]
  if (symbol.kind === 'symbol' && value.kind === 'number') tracer.fix(symbol.name, value.value)
}

/** `Eq(a, b)` or `a < b` of two sizes, as sympy's canonical form has it: the first name first. */
function canonical(relation: string): string {
  const [, equal, a, , b, c, op, d] =
    /^(?:(Eq|Ne)\(([^,()]+)(, ?)([^,()]+)\)|([^<>=]+?) ?([<>]=?) ?([^<>=]+))$/.exec(relation) ?? []
  const [left, right] = equal ? [a!, b!] : [c?.trim() ?? '', d?.trim() ?? '']
  if (!/^[a-z]/.test(left) || !/^[a-z]/.test(right) || left <= right) return relation
  return equal
    ? `${equal}(${right}, ${left})`
    : `${right} ${op!.replace(/[<>]/, (x) => (x === '<' ? '>' : '<'))} ${left}`
}

/** The expression of sym_not or sym_ite. */
function ofRelation([condition, yes, no]: readonly DispatchArg[]): string {
  const relation = canonical((condition as { expr: string }).expr)
  if (yes === undefined) return `~(${relation})`
  return `Piecewise((${textOf(operand(yes))}, ${relation}), (${textOf(operand(no!))}, True))`
}

const pointOf = (difference: number): Signs => [Math.sign(difference), Math.sign(difference)]

/** A relation between a float and an integer is a float relation. */
function promoted(a: Sym, b: Sym): [Sym, Sym] {
  const float = (e: Sym): Sym => (isFloat(e) ? e : toFloat(e))
  return isFloat(a) || isFloat(b) ? [float(a), float(b)] : [a, b]
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

const opposite = (known: boolean | null): boolean | null => (known === null ? null : !known)
const less = ([low, high]: Signs): boolean | null => (high < 0 ? true : low >= 0 ? false : null)
const greater = ([low, high]: Signs): boolean | null => (low > 0 ? true : high <= 0 ? false : null)
const equal = (signs: Signs): boolean | null => {
  const [low, high] = signs
  return low === 0 && high === 0 ? true : low > 0 || high < 0 || signs === NONZERO ? false : null
}

/** Relations by the sign of a - b; null if it is not known. */
const RELATIONS: Readonly<Record<string, (signs: Signs) => boolean | null>> = {
  eq: equal,
  ne: (s) => opposite(equal(s)),
  lt: less,
  le: (s) => opposite(greater(s)),
  gt: greater,
  ge: (s) => opposite(less(s)),
}
