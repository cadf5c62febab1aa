/** Patterns that combine other patterns: lists, several outputs, repeated operations. */
import { Node, type Arg, type NodeOp } from '../../fx'
import { NEWEST_RULES } from '../../base/torch_version'
import { TorchError } from '../../trace/types'
import { FailedMatch, Match, type MatchResult } from '../match'
import type { MatchContext } from '../match_context'
import { pyTypeName } from '../py'
import { asserted } from '../reasons/refusal'
import { containerParts } from './arg_text'
import { PatternExpr, type PatternPrinter } from './pattern_expr'
import { TargetExpr } from './target'

/** Matches a list whose items each match `pattern`; with `partial`, at least one. */
export class ListOf extends PatternExpr {
  constructor(
    readonly pattern: PatternExpr,
    readonly partial: boolean = false,
  ) {
    super()
  }

  override readonly className = 'ListOf'

  matchNode(node: Arg, ctx: MatchContext): MatchResult {
    const parts = node instanceof Node ? null : containerParts(node)
    if (!parts || parts.kind === 'dict' || parts.items.length === 0)
      return new FailedMatch({ kind: 'non_list', pattern: this, node })
    const m = new Match(ctx, this)
    // Patterns with several users keep their node across items, so that no node is visited twice.
    let patternToNode = ctx.filterMultiUserPatterns()
    let matched = false
    for (const [i, child] of (parts.items as readonly Arg[]).entries()) {
      if (!(child instanceof Node))
        throw new TorchError('AttributeError', `'${pyTypeName(child)}' object has no attribute 'graph'`)
      const childCtx = ctx.derive(ctx.outputs, patternToNode)
      const childMatch = childCtx.match(this.pattern, child)
      patternToNode = childCtx.filterMultiUserPatterns()
      if (!childMatch.ok) {
        if (!this.partial) return new FailedMatch({ kind: 'list_item', index: i, failure: childMatch.failure })
        continue
      }
      matched = true
      m.extend(childMatch.bundle())
    }
    if (!matched) return new FailedMatch({ kind: 'no_match', pattern: this, node, item: this.pattern })
    return m.bundle()
  }

  protected makeRepr(): string {
    return `ListOf(${this.pattern.repr()})`
  }
}

/** A pattern with several outputs: matched from output 0; the others are found through shared pattern objects. */
export class MultiOutputPattern extends PatternExpr {
  private readonly first: TargetExpr

  /** @throws TorchError as PyTorch asserts: output 0 must be a call */
  constructor(
    readonly all: readonly (PatternExpr | null)[],
    rules = NEWEST_RULES,
  ) {
    super()
    const first = all[0]
    if (!(first instanceof TargetExpr)) {
      const name = first ? `torch._inductor.pattern_matcher.${first.className}` : 'NoneType'
      throw asserted(`expected _TargetExpr, got <class '${name}'>`, rules)
    }
    this.first = first
  }

  override readonly className = 'MultiOutputPattern'

  get op(): NodeOp {
    return this.first.op
  }

  get fns(): readonly string[] {
    return this.first.fns
  }

  protected override outputs(): readonly (PatternExpr | null)[] {
    return this.all
  }

  matchNode(node: Arg, ctx: MatchContext): MatchResult {
    const m = ctx.match(this.first, node)
    if (!m.ok) return m
    for (const pattern of this.all.slice(1)) {
      if (pattern === null) continue
      const child = matchFromAnchors(pattern, ctx)
      if (!child.ok) return child
      m.extend(child)
    }
    return m
  }

  protected makeRepr(): string {
    return `MultiOutputPattern([${this.all.map((p) => p?.repr() ?? 'None').join(', ')}])`
  }

  override prettyPrint(pp: PatternPrinter): string {
    return `MultiOutputPattern([${this.all.map((p) => pp.prettyPrint(p)).join(',\n  ')}\n])`
  }
}

/** Matches a further output: the first node that fits among those which matched nodes lead to. */
export function matchFromAnchors(pattern: PatternExpr, ctx: MatchContext): MatchResult {
  const prior = new Map(ctx.patternToNode)
  let m: MatchResult = new FailedMatch({ kind: 'no_anchor', pattern })
  for (const node of pattern.anchorNodes(ctx, new Set())) {
    m = ctx.match(pattern, node)
    if (m.ok) return m
    // Revert any partial matches.
    ctx.revert(prior)
  }
  return m
}

/** Matches an operation and each sibling of it on the same inputs. */
export class RepeatedExpr extends PatternExpr {
  constructor(readonly inner: TargetExpr) {
    super()
  }

  override readonly className = 'RepeatedExpr'

  get op(): NodeOp {
    return this.inner.op
  }

  get fns(): readonly string[] {
    return this.inner.fns
  }

  matchNode(node: Arg, ctx: MatchContext): MatchResult {
    const m = ctx.match(this.inner, node)
    if (!m.ok) return m
    ctx.patternToNode.delete(this.inner)
    const start = node as Node
    for (const anchor of this.inner.anchorNodes(ctx, new Set(this.inner.rules.siblingsWithoutItself ? [start] : []))) {
      const other = ctx.derive([this], null).match(this.inner, anchor)
      if (!other.ok) return other
      m.extend(other)
    }
    return m
  }

  protected makeRepr(): string {
    return 'RepeatedExpr()'
  }
}
