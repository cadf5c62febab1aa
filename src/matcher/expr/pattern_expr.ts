import { graphOf, type Arg, type Node, type SourceRef } from '../../fx'
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
  anchors?: (ctx: MatchContext, searched: ReadonlySet<Node>) => readonly Node[]
}

/** Base class of all pattern kinds. An object that occurs several times means one graph value. */
export abstract class PatternExpr implements Pattern {
  /** Index of its node in the traced search graph; null for hand-written patterns. */
  patternNode: number | null = null
  /** The Python object it was built from; null for a traced pattern. */
  id: number | null = null
  /** The line of user code that made that object. */
  source: SourceRef | null = null
  /** Methods that a user-defined subclass overrides. */
  protected own: UserParts = {}
  private reprText: string | null = null

  /**
   * Matches this pattern at `node` (a node or an argument).
   * @throws FailedMatch on a kwarg mismatch
   */
  abstract matchNode(node: Arg, ctx: MatchContext): MatchResult

  protected abstract makeRepr(): string

  /** Python's repr(), cached: a pattern does not change once it is matched. */
  repr(): string {
    return (this.reprText ??= this.own.repr ?? this.makeRepr())
  }

  /** PatternPrettyPrinter's text if it differs from repr(); null if the kind has no pretty_print of its own. */
  prettyPrint(_pp: PatternPrinter): string | null {
    return null
  }

  /** The outputs for the context of a whole match. */
  protected outputs(): readonly (PatternExpr | null)[] {
    return [this]
  }

  /** One attempt: matches this whole pattern at this node. */
  match(node: Node, schemaOf: SchemaLookup = noSchemas): MatchResult {
    return this.attempt(node, schemaOf).result
  }

  /**
   * An attempt that also returns its context, which shows what aligned before a failure.
   * @param contextOf creates the context, for an observer of single steps
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

  /** Sets the overrides of a user-defined subclass: its `_match` is then called first. */
  override(own: UserParts): void {
    this.own = own
    if (own.className !== undefined) Object.defineProperty(this, 'className', { value: own.className })
    if (own.match) {
      this.builtinMatch = this.matchNode.bind(this)
      this.matchNode = own.match
    }
    const { anchors } = own
    if (anchors)
      this.anchorNodes = function* (ctx, searched) {
        for (const node of anchors(ctx, searched)) {
          yield node
          searched.add(node)
        }
      }
  }

  /** True if a user-defined subclass matches it with a `_match` of its own. */
  get hasOwnMatch(): boolean {
    return this.own.match !== undefined
  }

  /** Matches with the built-in kind: super()._match of a user-defined subclass. */
  builtinMatch(node: Arg, ctx: MatchContext): MatchResult {
    return this.matchNode(node, ctx)
  }

  /** Matched nodes from which this pattern may be reached; see MultiOutputPattern. */
  *anchorNodes(ctx: MatchContext, _searched: Set<Node>): IterableIterator<Arg> {
    const seen = ctx.patternToNode.get(this)
    if (seen !== undefined) yield seen
  }

  /** `type(self).__name__`. */
  abstract readonly className: string
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
