/** Result of one pattern tried at one node: a Match, or a FailedMatch with a lazy reason. */
import { type Arg, type Node, isKind } from '../fx'
import type { Pattern } from './expr/pattern'
import { failureText, mismatchOf, type Failure, type MismatchAt } from './reasons/failure'
import { dictRepr, pyEqual, pyRepr, tupleRepr } from './py'

/** A captured value: an argument of a node, or (from ListOf) a tuple of such values. */
export type Captured = Arg | CapturedTuple
export interface CapturedTuple {
  readonly kind: 'captured'
  readonly items: readonly Captured[]
  /** For a dict argument. */
  readonly keys?: readonly string[]
}

/** Shared empty initial state of most matches; never modified. */
const NO_ARGS: Captured[] = []
const NO_NODES: Node[] = []
const NO_KWARGS: Map<string, Captured> = new Map()

/** The part of a context that a match reads; MatchContext implements it. */
export interface MatchBindings {
  readonly outputs: readonly (Pattern | null)[]
  readonly patternToNode: ReadonlyMap<Pattern, Arg>
}

/** A successful match with its captures. */
export class Match {
  readonly ok = true
  /** Matched nodes, inputs before users, in the order of matching. */
  nodes: readonly Node[] = NO_NODES

  /** Takes ownership of `args` and `kwargs`. */
  constructor(
    readonly ctx: MatchBindings,
    readonly pattern: Pattern,
    public args: readonly Captured[] = NO_ARGS,
    public kwargs: ReadonlyMap<string, Captured> = NO_KWARGS,
  ) {}

  /** Adds the node of the pattern itself, after those of its arguments. */
  addNode(node: Node): void {
    if (this.nodes.length === 0) this.nodes = [node]
    else (this.nodes as Node[]).push(node)
  }

  /**
   * Merges another match, which must not be used afterwards.
   * @param pattern for the report, the pattern of the node where the other match belongs
   * @throws FailedMatch if one name captured two values
   */
  extend(other: Match, pattern?: Pattern, node?: Node): void {
    if (this.kwargs.size === 0) this.kwargs = other.kwargs
    else if (other.kwargs.size > 0) this.extendKwargs(other.kwargs, pattern, node)
    if (this.args.length === 0) this.args = other.args
    else for (const a of other.args) (this.args as Captured[]).push(a)
    if (this.nodes.length === 0) this.nodes = other.nodes
    else for (const n of other.nodes) (this.nodes as Node[]).push(n)
  }

  private extendKwargs(kwargs: ReadonlyMap<string, Captured>, pattern?: Pattern, node?: Node): void {
    // If there are several mismatches, the first in the smaller match is reported.
    for (const key of (this.kwargs.size < kwargs.size ? this.kwargs : kwargs).keys()) {
      const mine = this.kwargs.get(key)
      const value = kwargs.get(key)
      if (mine !== undefined && value !== undefined && !capturedEqual(mine, value))
        throw kwargMismatch(key, mine, value, pattern, node)
    }
    for (const [key, value] of kwargs) (this.kwargs as Map<string, Captured>).set(key, value)
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

export const isCapturedTuple = (a: Captured): a is CapturedTuple => isKind(a, 'captured')

/** An unsuccessful match. */
export class FailedMatch {
  readonly ok = false

  constructor(readonly failure: Failure) {}

  /** `str(FailedMatch)`, byte for byte. */
  get reason(): string {
    return failureText(this.failure)
  }

  get at(): MismatchAt {
    return mismatchOf(this.failure)
  }
}

export type MatchResult = Match | FailedMatch

function kwargMismatch(
  key: string,
  mine: Captured,
  other: Captured,
  pattern: Pattern | undefined,
  node: Node | undefined,
): FailedMatch {
  return new FailedMatch({
    kind: 'kwarg_mismatch',
    name: key,
    pattern: pattern ?? null,
    node: node ?? null,
    expected: () => capturedRepr(mine),
    found: () => capturedRepr(other),
  })
}

/** `repr` of a captured value; nodes print by name. */
export function capturedRepr(value: Captured): string {
  if (!isCapturedTuple(value)) return pyRepr(value)
  const items = value.items.map(capturedRepr)
  return value.keys ? dictRepr(value.keys.map((k, i) => [k, items[i]!] as const)) : tupleRepr(items)
}
