/** Finds the targets at which a pattern is tried. */
import { TorchError } from '../../trace/types'
import { MultiOutputPattern, RepeatedExpr } from '../expr/combined'
import type { PatternExpr } from '../expr/pattern_expr'
import { TargetExpr } from '../expr/target'
import { UserExpr } from '../expr/user_expr'

/** (op, target) pairs of a pattern's output. @throws TorchError for a pattern without targets */
export function targetsOf(pattern: PatternExpr): [string, string][] {
  if (pattern instanceof TargetExpr || pattern instanceof MultiOutputPattern || pattern instanceof RepeatedExpr)
    return pattern.fns.map((fn) => [pattern.op, fn])
  if (pattern instanceof UserExpr && pattern.op !== null && pattern.fns !== null) {
    const { op, fns } = pattern
    return fns.map((fn) => [op, fn])
  }
  throw new TorchError('AssertionError', 'pattern has no fns attribute')
}
