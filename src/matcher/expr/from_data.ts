/** Builds PatternExpr objects from the data that Python sends for hand-written patterns. */
import { NEWEST_RULES } from '../../base/torch_version'
import type { ConstantValues, TensorMeta } from '../../fx'
import { TorchError } from '../../trace/types'
import type { PatternArgData, PatternData, UserPatternData } from '../types'
import type { PatternHost } from '../host'
import { ListOf, MultiOutputPattern, RepeatedExpr } from './combined'
import { GetAttr } from './get_attr'
import { Arg, ExclusiveKeywordArg, Ignored, KeywordArg } from './leaves'
import { PatternExpr, type PatternArg, type UserParts } from './pattern_expr'
import { TargetExpr } from './target'
import { CallFunction, CallMethod, CallModule } from './target_args'
import { UserExpr } from './user_expr'
import { CallFunctionVarArgs, CallMethodVarArgs, CallModuleVarArgs } from './var_args'

/** Overload names of a packet, in the order of op_overloads(): `aten.cat` → [`aten.cat.default`, …]. */
export type OverloadsOf = (packet: string) => readonly string[]

/**
 * Largest number of elements whose values a fake tensor keeps (CONSTANT_NUMEL_LIMIT in
 * torch/_subclasses/fake_tensor.py).
 */
function keptValues(meta: TensorMeta, values: ConstantValues | null): ConstantValues | null {
  return meta.shape.every((size) => size === 1) ? values : null
}

/** The methods that a user's subclass overrides. */
function userParts(d: UserPatternData, made: PatternExpr, host?: () => PatternHost): UserParts {
  const { className, repr, match, anchors } = d
  return {
    ...(className !== undefined && { className }),
    ...(repr !== undefined && { repr }),
    ...(match !== undefined && { match: (node, ctx) => host!().matchUser(match, node, ctx, made) }),
    ...(anchors !== undefined && { anchors: (ctx, searched) => host!().anchorsUser(anchors, ctx, searched) }),
  }
}

/**
 * Builds a hand-written Python pattern. Equal ids are one object.
 * @param byId existing patterns, so that an object used in two registrations stays one
 */
export function exprFromData(
  data: PatternData,
  overloadsOf: OverloadsOf = () => [],
  byId: Map<number, PatternExpr> = new Map(),
  host?: () => PatternHost,
  rules = NEWEST_RULES,
): PatternExpr {
  const expr = (d: PatternData): PatternExpr => {
    const seen = byId.get(d.id)
    if (seen) return seen
    if (d.expr === 'ref') throw new Error(`pattern ${d.id} is referenced before it is defined`)
    const made = make(d)
    made.id = d.id
    if (made instanceof TargetExpr) made.rules = rules
    if (d.at) made.source = { file: d.at[0], line: d.at[1] }
    if (d.className !== undefined) made.override(userParts(d, made, host))
    byId.set(d.id, made)
    return made
  }

  const arg = (d: PatternArgData): PatternArg => {
    if ('pattern' in d) return expr(d.pattern)
    if ('value' in d) return d.value
    if ('list' in d) return { kind: 'pattern_list', items: d.list.map(arg) }
    if ('tuple' in d) return { kind: 'pattern_tuple', items: d.tuple.map(arg) }
    return { kind: 'pattern_dict', entries: d.dict.map(([k, v]) => [k, arg(v)] as const) }
  }

  const make = (d: Exclude<PatternData, { expr: 'ref' }>): PatternExpr => {
    switch (d.expr) {
      case 'User':
        return new UserExpr(d.op, d.fns && withOverloads(d.fns, overloadsOf))
      case 'Arg':
        return new Arg()
      case 'Ignored':
        return new Ignored()
      case 'KeywordArg':
        return new KeywordArg(d.name ?? '')
      case 'ExclusiveKeywordArg':
        return new ExclusiveKeywordArg(d.name ?? '')
      case 'GetAttr':
        return new GetAttr(d.value && { meta: d.value, values: keptValues(d.value, d.constant) }, 'None', d.users, true)
      case 'ListOf':
        return new ListOf(expr(d.pattern), d.partial)
      case 'MultiOutputPattern':
        return new MultiOutputPattern(
          d.outputs.map((o) => o && expr(o)),
          rules,
        )
      case 'RepeatedExpr': {
        const inner = expr(d.pattern)
        if (!(inner instanceof TargetExpr))
          throw new TorchError('AttributeError', `'${inner.className}' object has no attribute 'op'`)
        return new RepeatedExpr(inner)
      }
      default:
        return targetExpr(d, withOverloads(d.fns, overloadsOf), arg)
    }
  }
  return expr(data)
}

/** An expression with a target, by its kind. */
function targetExpr(
  d: Extract<PatternData, { args: unknown }>,
  fns: readonly string[],
  arg: (d: PatternArgData) => PatternArg,
): PatternExpr {
  // Arguments first, then keywords: a keyword may refer to a pattern defined among the arguments.
  const args = d.args.map(arg)
  const kwargs = new Map(d.kwargs.map(([k, v]) => [k, arg(v)] as const))
  switch (d.expr) {
    case 'CallFunction':
      return new CallFunction(fns, args, kwargs, d.users)
    case 'CallMethod':
      return new CallMethod(fns, args, kwargs, d.users)
    case 'CallModule':
      return new CallModule(fns, args, kwargs, d.users)
    case 'CallFunctionVarArgs':
      return new CallFunctionVarArgs(fns, d.users)
    case 'CallMethodVarArgs':
      return new CallMethodVarArgs(fns, d.users)
    case 'CallModuleVarArgs':
      return new CallModuleVarArgs(fns, d.users)
  }
}

/** Adds all overloads of the packets, even those already named: an entry is tried once for each. */
const withOverloads = (fns: readonly string[], overloadsOf: OverloadsOf): string[] => [
  ...fns,
  ...fns.filter(isPacket).flatMap(overloadsOf),
]

const isPacket = (fn: string): boolean =>
  fn.split('.').length === 2 && !/^(higher_order|operator|_operator|torch|math|builtins)\./.test(fn)
