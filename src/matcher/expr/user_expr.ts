/** A pattern of a class of the user's that inherits from PatternExpr itself: all it does is its own `_match`. */
import type { Arg, NodeOp } from '../../fx'
import { TorchError } from '../../trace/types'
import type { MatchResult } from '../match'
import type { MatchContext } from '../match_context'
import { PatternExpr } from './pattern_expr'

export class UserExpr extends PatternExpr {
  constructor(
    /** Its attributes `op` and `fns`, where it has them: a pass tries it at those. */
    readonly op: NodeOp | null,
    readonly fns: readonly string[] | null,
  ) {
    super()
  }

  matchNode(_node: Arg, _ctx: MatchContext): MatchResult {
    throw new TorchError(
      'TypeError',
      `Can't instantiate abstract class ${this.className} without an implementation for abstract method '_match'`,
    )
  }

  protected makeRepr(): string {
    return `${this.className}()`
  }
}
