import { graphOf, type Arg, type Node } from '../../fx'
import { FailedMatch, type MatchResult } from '../match'
import { MatchContext } from '../match_context'
import type { Pattern } from './pattern'
import type { SchemaLookup } from '../schema_facts'

const noSchemas: SchemaLookup = () => null

export type ContextMaker = (outputs: readonly (PatternExpr | null)[], schemaOf: SchemaLookup) => MatchContext

/** Prints the arguments of a pattern; PatternPrettyPrinter implements it. */
export interface PatternPrinter {
  prettyPrint(arg: PatternArg): string
}

export interface UserParts {
  className?: string
  repr?: string
  match?: (node: Arg, ctx: MatchContext) => MatchResult
}

/** Base class of the kinds of patterns. One object may stand at several places; it then means one graph value. */
export abstract class PatternExpr implements Pattern {
  /** Position of the node it was made of in the traced search graph; null for patterns written by hand. */
  patternNode: number | null = null
  /** The object of Python's that it was made of; null for one made of a trace. */
  id: number | null = null
  /** What a class of the user's has in place of the built-in kind's. */
  protected own: UserParts = {}
  private reprText: string | null = null

  /** Tries this pattern at `node` (a node, or an argument below one). @throws FailedMatch on a kwarg mismatch */
  abstract matchNode(node: Arg, ctx: MatchContext): MatchResult

  protected abstract makeRepr(): string

  /** Python's repr(), kept: a pattern is not changed once it is matched. */
  repr(): string {
    return (this.reprText ??= this.own.repr ?? this.makeRepr())
  }

  /** As PatternPrettyPrinter writes it where that differs from repr(); null: it has no pretty_print of its own. */
  prettyPrint(_pp: PatternPrinter): string | null {
    return null
  }

  /** The outputs a context of a whole match has. */
  protected outputs(): readonly (PatternExpr | null)[] {
    return [this]
  }

  /** One attempt: this whole pattern at this node. */
  match(node: Node, schemaOf: SchemaLookup = noSchemas): MatchResult {
    return this.attempt(node, schemaOf).result
  }

  /**
   * An attempt, with the context it leaves: what aligned before it failed.
   * @param contextOf makes the context, for who watches each step
   */
  attempt(
    node: Node,
    schemaOf: SchemaLookup = noSchemas,
    contextOf?: ContextMaker | null,
  ): { result: MatchResult; ctx: MatchContext } {
    const outputs = this.outputs()
    const ctx = contextOf ? contextOf(outputs, schemaOf) : new MatchContext(outputs, null, schemaOf)
    ctx.graph = graphOf(node)
    try {
      return { result: ctx.match(this, node), ctx }
    } catch (e) {
      if (e instanceof FailedMatch) return { result: e, ctx }
      throw e
    }
  }

  hasMultipleUsers(): boolean {
    return false
  }

  /** Gives it what a class of the user's has of its own: its `_match` is then asked first. */
  override(own: UserParts): void {
    this.own = own
    if (own.className !== undefined) Object.defineProperty(this, 'className', { value: own.className })
    if (own.match) {
      this.builtinMatch = this.matchNode.bind(this)
      this.matchNode = own.match
    }
  }

  /** What the built-in kind does at a node: super()._match of a class of the user's. */
  builtinMatch(node: Arg, ctx: MatchContext): MatchResult {
    return this.matchNode(node, ctx)
  }

  /** Nodes already matched that lead to where this pattern may be; see MultiOutputPattern. */
  *anchorNodes(ctx: MatchContext, _searched: Set<Node>): IterableIterator<Arg> {
    const seen = ctx.patternToNode.get(this)
    if (seen !== undefined) yield seen
  }

  /** `type(self).__name__`. */
  get className(): string {
    return this.constructor.name
  }
}

/** An argument of a pattern: a pattern, a constant, or a container of both. */
export type PatternArg = PatternExpr | Arg | PatternList | PatternTuple | PatternDict
export interface PatternList {
  readonly kind: 'pattern_list'
  readonly items: readonly PatternArg[]
}
export interface PatternTuple {
  readonly kind: 'pattern_tuple'
  readonly items: readonly PatternArg[]
}
export interface PatternDict {
  readonly kind: 'pattern_dict'
  readonly entries: readonly (readonly [string, PatternArg])[]
}
