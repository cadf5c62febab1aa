/** Tells which stage compares an expression. Follows register_replacement of PyTorch 2.14.1. */
import { Node, type Arg } from '../../fx'
import { containerParts } from '../../matcher/expr/arg_text'
import { PatternExpr, type PatternArg } from '../../matcher/expr/pattern_expr'
import { TargetExpr } from '../../matcher/expr/target'
import type { Piece } from './pieces'
import type { PatternKind } from './sentences'
import type { ComparedIn } from './types'

export interface StageFacts {
  comparedIn: ComparedIn
  stages: string
}

export function stageFacts(piece: Piece, kind: PatternKind): StageFacts {
  if (kind === 'graph')
    return { comparedIn: 'one', stages: 'Compared once: a pattern of register_graph_pattern has no stage two.' }
  if (kind === 'given')
    return { comparedIn: 'both', stages: 'Both stages compare it: a search_fn_pattern is not traced again.' }
  const { arg, constant } = piece
  if (constant !== undefined || (!(arg instanceof PatternExpr) && isWildcard(piece)))
    return {
      comparedIn: 'two',
      stages:
        'Stage one accepts any value; stage two traces again with the matched shapes and compares its constant exactly.',
    }
  if (arg instanceof PatternExpr && !(arg instanceof TargetExpr) && arg.className.endsWith('Arg'))
    return { comparedIn: 'both', stages: 'Both stages bind it.' }
  return { comparedIn: 'both', stages: 'Both stages compare it.' }
}

/** True for a constant, or a list of constants, that stage one replaces by Ignored(). */
function isWildcard({ arg, call, parent }: Piece): boolean {
  const parts = containerParts(arg)
  if (parts) return parts.kind === 'list' && parts.items.length > 0 && parts.items.every((i) => isIgnored(i, false))
  const caller = call?.piece.arg
  const indexes = caller instanceof TargetExpr && caller.fns[0]!.endsWith('operator.getitem')
  return parent !== null && isIgnored(arg, indexes)
}

/** Types of the constants that stage one ignores: int, float, device and dtype. The index of a getitem is never ignored. */
function isIgnored(arg: PatternArg, isIndex: boolean): boolean {
  if (arg instanceof PatternExpr || arg instanceof Node || arg === null) return false
  if (typeof arg === 'bigint') return !isIndex
  if (typeof arg === 'number') return true
  const kind =
    typeof arg === 'object' && 'kind' in arg ? (arg as Exclude<Arg, readonly Arg[]> & { kind: string }).kind : ''
  return kind === 'dtype' || kind === 'device'
}
