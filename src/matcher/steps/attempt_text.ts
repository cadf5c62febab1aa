/** Texts of an attempt's steps: the fine steps one by one, and the sentences of the coarse ones. */
import { type Arg, isKind } from '../../fx'
import { ListOf, MultiOutputPattern, RepeatedExpr } from '../expr/combined'
import type { PatternExpr } from '../expr/pattern_expr'
import { TargetExpr } from '../expr/target'
import { isTargetArgsExpr } from '../expr/target_args'
import type { MismatchKind } from '../types'
import { targetText, type Checks } from './checks'
import { argumentName, capitalized, clipped, valueText } from './step_text'

export function patternText(pattern: PatternExpr): string {
  if (pattern instanceof TargetExpr) return `${targetText(pattern)}${wrapped(pattern)}`
  if (pattern instanceof MultiOutputPattern) return `a pattern of ${pattern.all.length} outputs`
  if (pattern instanceof ListOf) return 'a list'
  if (pattern instanceof RepeatedExpr) return `${targetText(pattern.inner)}, repeated`
  return clipped(pattern.repr())
}

/** The operator that a call of auto_functionalized wraps, without which the call's name is uninformative. */
function wrapped(pattern: TargetExpr): string {
  const first = isTargetArgsExpr(pattern) ? pattern.args[0] : null
  const isOp = isKind(first, 'op')
  return isOp && pattern.fns[0]!.startsWith('higher_order.') ? ` of ${first.name}` : ''
}

export function rootText(pattern: PatternExpr, node: Arg): string {
  const at = valueText(node)
  if (pattern instanceof MultiOutputPattern)
    return `The pattern has ${pattern.all.length} outputs: the first is tried at ${at}, the others from nodes that they share`
  if (pattern instanceof RepeatedExpr) return `${at} and all of its siblings must be ${targetText(pattern.inner)}`
  return `The pattern’s output is ${patternText(pattern)}: ${at} is compared with it`
}

export function failureText(
  kind: MismatchKind,
  argument: string | null,
  expected: string | null,
  found: string | null,
): string {
  switch (kind) {
    case 'constant_args':
      return `${capitalized(argumentName(argument ?? 'a constant'))} is ${found} in the graph and ${expected} in the pattern`
    case 'kwarg_mismatch':
      return `The pattern’s input ${argument} is ${expected} in one place and ${found} in another`
    case 'exclusive_arg':
      return `${found} is already the value of another exclusive input, and ${argument} may not share it`
    case 'no_anchor':
      return `No matched node leads to ${expected}, another output of the pattern`
    case 'non_list':
      return `The pattern has a list here, the graph ${found}`
    case 'no_match':
      return 'No item of the list matches'
    default:
      return `The graph has ${found ?? 'nothing'} where the pattern has ${expected ?? 'something else'}`
  }
}

/** `CallFunction(aten.mul.Tensor)`: the class of a pattern and its operator. */
function expressionName(pattern: PatternExpr): string {
  return pattern instanceof TargetExpr ? `${pattern.className}(${patternText(pattern)})` : patternText(pattern)
}

/** An expression and its checks in one sentence; a failing check is a coarse step of its own. */
export function expressionSentence(of: {
  pattern: PatternExpr
  node: Arg
  /** The argument of the enclosing expression; absent at the root. */
  where: string | undefined
  compared: Checks | null
}): string {
  const { pattern, node, where, compared } = of
  if (!compared)
    return where ? `${capitalized(where)}: ${patternText(pattern)} at ${valueText(node)}` : rootText(pattern, node)
  const name = expressionName(pattern)
  const begin = `${where ? `${capitalized(where)}: ` : ''}${name} at ${valueText(node)}`
  const failed = compared.checks.findIndex((c) => !c.ok)
  if (failed === 0) return `${begin}: is it the same operator?`
  if (failed > 0) return `${begin}: the operator is the same; the next check fails`
  const count = isTargetArgsExpr(pattern) ? pattern.flat.items.length : 0
  return `${begin}: the operator is the same; ${count > 0 ? 'now its first argument' : 'it has no arguments to compare'}`
}

/** @param next index of the enclosing expression's next argument; null if it has no more, or is no call */
export function boundSentence(node: Arg, outer: { node: Arg; next: number | null } | null): string {
  const done = `${valueText(node)} matches, with all of its arguments`
  if (!outer) return done
  const back = `${done}; back to ${valueText(outer.node)}`
  return outer.next === null ? back : `${back} and its ${ordinal(outer.next)} argument`
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth']
const ordinal = (index: number): string => ORDINALS[index] ?? 'next'

/** @param path of the argument; absent for the root of a pattern */
export function leafSentence(pattern: PatternExpr, path: string | undefined, found: string): string {
  const name = 'name' in pattern ? `${pattern.className}(${String(pattern.name)})` : `${pattern.className}()`
  const where = path === undefined ? '' : `${capitalized(argumentName(path))}: `
  const effect =
    pattern.className === 'Ignored' ? `accepts any value, here ${found}, and binds nothing` : `is bound to ${found}`
  return `${where}${name} ${effect}`
}
