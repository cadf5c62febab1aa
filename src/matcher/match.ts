/** What one PatternExpr tried at one node yields: a Match, or a FailedMatch that can say why. */
import type { Arg, Node } from '../fx'
import type { PatternExpr } from './expr/pattern_expr'
import type { MatchContext } from './match_context'
import { pyEqual, pyRepr, tupleRepr } from './py'
import type { Mismatch } from './types'

/** A value that a pattern captured: an argument of a node, or (from ListOf) tuples of such values. */
export type Captured = Arg | CapturedTuple
export interface CapturedTuple {
  readonly kind: 'captured'
  readonly items: readonly Captured[]
}

/** Represents a successful match, and what it captured. */
export class Match {
  readonly ok = true
  args: Captured[]
  /** Matched nodes, inputs before users, in the order of matching. */
  nodes: Node[] = []

  constructor(
    readonly ctx: MatchContext,
    readonly pattern: PatternExpr,
    args: readonly Captured[] = [],
    public kwargs: Map<string, Captured> = new Map(),
  ) {
    this.args = [...args]
  }

  /**
   * @param at where in the pattern the other match belongs, for the report
   * @throws FailedMatch when one name captured two values
   */
  extend(other: Match, at?: { pattern: PatternExpr; node: Node }): void {
    for (const [key, value] of other.kwargs) {
      const mine = this.kwargs.get(key)
      if (mine !== undefined && !capturedEqual(mine, value)) throw kwargMismatch(key, mine, value, at)
    }
    this.args.push(...other.args)
    this.nodes.push(...other.nodes)
    for (const [key, value] of other.kwargs) this.kwargs.set(key, value)
  }

  /** Wraps args in an extra tuple (ListOf). */
  bundle(): Match {
    this.args = this.args.length > 0 ? [{ kind: 'captured', items: this.args }] : []
    return this
  }

  outputNodes(): (Node | null)[] {
    return this.ctx.outputs.map((p) => (p === null ? null : ((this.ctx.patternToNode.get(p) ?? null) as Node | null)))
  }
}

function capturedEqual(a: Captured, b: Captured): boolean {
  if (isCapturedTuple(a) || isCapturedTuple(b))
    return (
      isCapturedTuple(a) &&
      isCapturedTuple(b) &&
      a.items.length === b.items.length &&
      a.items.every((x, i) => capturedEqual(x, b.items[i]!))
    )
  return pyEqual(a, b)
}

export const isCapturedTuple = (a: Captured): a is CapturedTuple =>
  typeof a === 'object' && a !== null && 'kind' in a && a.kind === 'captured'

/** Where a comparison failed, with the pattern object still at hand; becomes a Mismatch when it is reported. */
export interface MismatchAt extends Omit<Mismatch, 'patternNode'> {
  pattern: PatternExpr | null
}

/** Represents an unsuccessful match. Its text is made only when asked for: most attempts fail and few are read. */
export class FailedMatch {
  readonly ok = false

  constructor(
    private readonly text: string | (() => string),
    private readonly where: MismatchAt | (() => MismatchAt),
  ) {}

  /** `str(FailedMatch)`, byte for byte. */
  get reason(): string {
    return typeof this.text === 'string' ? this.text : this.text()
  }

  get at(): MismatchAt {
    return typeof this.where === 'function' ? this.where() : this.where
  }
}

export type MatchResult = Match | FailedMatch

function kwargMismatch(
  key: string,
  mine: Captured,
  other: Captured,
  at?: { pattern: PatternExpr; node: Node },
): FailedMatch {
  return new FailedMatch(`kwarg mismatch: ${key}`, () => ({
    kind: 'kwarg_mismatch',
    graphNode: at?.node.name ?? null,
    pattern: at?.pattern ?? null,
    argument: key,
    expected: capturedRepr(mine),
    found: capturedRepr(other),
  }))
}

/** `repr` of a captured value; nodes print as their names. */
export function capturedRepr(value: Captured): string {
  return isCapturedTuple(value) ? tupleRepr(value.items.map(capturedRepr)) : pyRepr(value)
}
