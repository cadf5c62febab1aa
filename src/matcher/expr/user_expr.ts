/** A pattern of a user-defined class that derives directly from PatternExpr; its `_match` does all the work. */
import type { Arg, NodeOp } from '../../fx'
import { TorchError } from '../../trace/types'
import type { MatchResult } from '../match'
import type { MatchContext } from '../match_context'
import { PatternExpr } from './pattern_expr'

export class UserExpr extends PatternExpr {
  override readonly className = 'UserExpr'

  constructor(
    /** Its attributes `op` and `fns`, if any: a pass tries it at those targets. */
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
