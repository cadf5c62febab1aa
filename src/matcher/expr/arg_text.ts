/** repr() and str() of a pattern's arguments: constants, patterns, and containers of both. */
import { Node, type Arg } from '../../fx'
import { dictRepr, listRepr, pyRepr, pyStr, tupleRepr } from '../py'
import { PatternExpr, type PatternArg } from './pattern_expr'

export function argRepr(arg: PatternArg): string {
  if (arg instanceof PatternExpr) return arg.repr()
  const parts = containerParts(arg)
  if (!parts) return pyRepr(arg as Arg)
  if (parts.kind === 'dict') return dictRepr(parts.entries.map(([k, v]) => [k, argRepr(v)]))
  const items = parts.items.map(argRepr)
  return parts.kind === 'list' ? listRepr(items) : tupleRepr(items)
}

/** The text of an f-string's `{value}`: str(), where a bare string has no quotes and a device is `cuda:0`. */
export function argStr(arg: PatternArg): string {
  if (arg instanceof PatternExpr || containerParts(arg)) return argRepr(arg)
  return pyStr(arg as Arg)
}

export type Container =
  | { kind: 'list' | 'tuple'; items: readonly PatternArg[] }
  | { kind: 'dict'; entries: readonly (readonly [string, PatternArg])[] }

/** The items of a Python list, tuple or dict in any representation; null for anything else. */
export function containerParts(arg: PatternArg): Container | null {
  if (arg === null || typeof arg !== 'object' || arg instanceof PatternExpr || arg instanceof Node) return null
  if (Array.isArray(arg)) return { kind: 'list', items: arg as readonly Arg[] }
  const value = arg as Exclude<typeof arg, readonly Arg[]>
  switch (value.kind) {
    case 'pattern_list':
      return { kind: 'list', items: value.items }
    case 'tuple':
    case 'pattern_tuple':
      return { kind: 'tuple', items: value.items }
    case 'dict':
      return { kind: 'dict', entries: [...value.entries] }
    case 'pattern_dict':
      return { kind: 'dict', entries: value.entries }
    default:
      return null
  }
}
