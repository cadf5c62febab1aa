/** Patterns that match anything and differ in their captures. */
import { pyStringRepr, type Arg as FxArg } from '../../fx'
import { FailedMatch, Match, type MatchResult } from '../match'
import type { MatchContext } from '../match_context'
import { pyEqual } from '../py'
import { PatternExpr } from './pattern_expr'

/** Captures an argument, passed to the handler by position, depth first. */
export class Arg extends PatternExpr {
  override readonly className = 'Arg'

  matchNode(node: FxArg, ctx: MatchContext): MatchResult {
    return new Match(ctx, this, [node])
  }

  protected makeRepr(): string {
    return 'Arg()'
  }
}

/** Matches an argument without passing it to the handler. */
export class Ignored extends PatternExpr {
  override readonly className = 'Ignored'

  matchNode(_node: FxArg, ctx: MatchContext): MatchResult {
    return new Match(ctx, this)
  }

  protected makeRepr(): string {
    return '*'
  }

  override prettyPrint(): string {
    return 'Ignored()'
  }
}

/** Captures an argument by name. */
export class KeywordArg extends PatternExpr {
  constructor(readonly name: string) {
    super()
  }

  override readonly className = 'KeywordArg'

  matchNode(node: FxArg, ctx: MatchContext): MatchResult {
    return new Match(ctx, this, undefined, new Map<string, FxArg>().set(this.name, node))
  }

  protected makeRepr(): string {
    return `KeywordArg(${pyStringRepr(this.name)})`
  }
}

/** Captures an argument by name; no two may capture the same value. */
export class ExclusiveKeywordArg extends PatternExpr {
  constructor(readonly name: string) {
    super()
  }

  override readonly className = 'ExclusiveKeywordArg'

  matchNode(node: FxArg, ctx: MatchContext): MatchResult {
    if (ctx.exclusiveNodes.some((n) => pyEqual(n, node)))
      return new FailedMatch({ kind: 'exclusive_arg', pattern: this, node, name: this.name })
    ctx.exclusiveNodes.push(node)
    return new Match(ctx, this, undefined, new Map<string, FxArg>().set(this.name, node))
  }

  protected makeRepr(): string {
    return `ExclusiveKeywordArg(${pyStringRepr(this.name)})`
  }
}
