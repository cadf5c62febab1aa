/**
 * Describes the checks that TargetExpr.matchNode and its overrides make before comparing arguments, in their order. The
 * matcher itself decides; these are the same predicates, evaluated for display only.
 */
import { Node, type Arg } from '../../fx'
import { isContainer, pytreeFlatten, simpleFlatten } from '../expr/flatten'
import { MULTIPLE } from '../expr/pattern'
import { type PatternArg } from '../expr/pattern_expr'
import { TargetExpr } from '../expr/target'
import { isTargetArgsExpr, type TargetArgsExpr } from '../expr/target_args'
import type { MatchContext } from '../match_context'
import { normalizeFunction } from '../signatures/normalize'
import { count, listed } from '../../base/english'
import { clipped, valueText } from './step_text'

export interface Check {
  kind: 'comparison' | 'users'
  ok: boolean
  expected: string
  found: string
  text: string
}

export interface Checks {
  checks: Check[]
  /** The node's arguments paired with the pattern's; null if a check failed, or the pattern has no arguments. */
  items: readonly Arg[] | null
}

export function checksOf(pattern: TargetExpr, node: Arg, ctx: MatchContext): Checks {
  const checks: Check[] = []
  const add = (check: Check): boolean => {
    checks.push(check)
    return check.ok
  }
  const failed: Checks = { checks, items: null }
  if (!add(targetCheck(pattern, node)) || !(node instanceof Node)) return failed
  const withArgs = isTargetArgsExpr(pattern)
  if (withArgs && !add(arityCheck(pattern, node))) return failed
  if (!add(usersCheck(pattern, node, ctx))) return failed
  if (!withArgs) return failed
  let { args, kwargs } = node
  if (kwargs.size < pattern.kwargs.size) {
    const normalized = normalizeFunction(node.target, args, kwargs, ctx.schemaOf)
    const fits = normalized?.args.length === pattern.args.length && normalized.kwargs.size >= pattern.kwargs.size
    if (!add(defaultsCheck(pattern, node, fits)) || !normalized) return failed
    ;({ args, kwargs } = normalized)
  }
  const nested = pattern.args.some(isContainer) || [...pattern.kwargs.values()].some(isContainer)
  const named = [...kwargs].filter(([k]) => pattern.kwargs.has(k))
  const found = (nested ? pytreeFlatten : simpleFlatten)(args, named as [string, PatternArg][])
  const same = found.spec === pattern.flat.spec
  if (!same || nested || pattern.kwargs.size > 0) {
    add({
      kind: 'comparison',
      ok: same,
      expected: clipped(pattern.flat.paths.join(', ')),
      found: clipped(found.paths.join(', ')),
      text: same
        ? `The arguments have the same structure on both sides`
        : `The arguments of ${node.name} have a different structure than the pattern’s`,
    })
  }
  return { checks, items: same ? (found.items as Arg[]) : null }
}

/** The accepted targets of a pattern; an operator packet represents its overloads. */
export function targetText(pattern: TargetExpr): string {
  const [first, ...rest] = pattern.fns
  if (rest.length === 0) return pattern.fnsRepr()
  const own = rest.filter((fn) => !fn.startsWith(`${first}.`))
  return own.length === 0 ? first! : clipped([first, ...own].join(' or '))
}

function targetCheck(pattern: TargetExpr, node: Arg): Check {
  const ok = pattern.matchFns(node)
  const expected = targetText(pattern)
  const found = node instanceof Node ? (node.op === 'placeholder' ? 'placeholder' : node.target) : valueText(node)
  const text = ok
    ? `${(node as Node).name} is ${found}`
    : node instanceof Node
      ? `${node.name} is ${node.op === 'placeholder' ? 'an input of the graph' : found}, not ${expected}`
      : `The graph has the constant ${found} where the pattern has ${expected}`
  return { kind: 'comparison', ok, expected, found, text }
}

function arityCheck(pattern: TargetArgsExpr, node: Node): Check {
  const [expected, found] = [pattern.args.length, node.args.length]
  const ok = expected === found
  const text = ok
    ? `${count(found, 'positional argument')} on both sides`
    : `${node.name} has ${count(found, 'positional argument')}, the pattern ${expected}`
  return { kind: 'comparison', ok, expected: String(expected), found: String(found), text }
}

function usersCheck(pattern: TargetExpr, node: Node, ctx: MatchContext): Check {
  const found = String(node.users.size)
  const base = { kind: 'users', found } as const
  if (ctx.outputs.includes(pattern))
    return {
      ...base,
      ok: true,
      expected: 'any',
      text: `${node.name} is an output of the pattern: any users are allowed`,
    }
  if (pattern.users === MULTIPLE)
    return { ...base, ok: true, expected: 'any', text: 'The pattern accepts any number of users here' }
  const ok = node.users.size === pattern.users
  const who = listed([...node.users].map((n) => n.name))
  const text = ok
    ? `${node.name} has ${count(node.users.size, 'user')}, as in the pattern`
    : `${node.name} has ${count(node.users.size, 'user')} (${who}); inside the pattern it has ${pattern.users}`
  return { ...base, ok, expected: String(pattern.users), text }
}

function defaultsCheck(pattern: TargetArgsExpr, node: Node, ok: boolean): Check {
  const expected = clipped([...pattern.kwargs.keys()].join(', '))
  const found = clipped([...node.kwargs.keys()].join(', ')) || 'none'
  const text = ok
    ? `The keyword arguments that ${node.name} omits are filled in from the schema’s defaults`
    : `${node.name} lacks keyword arguments that the pattern has, and its schema has no defaults for them`
  return { kind: 'comparison', ok, expected, found, text }
}
