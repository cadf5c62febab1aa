import type { Arg, Graph, Node } from '../fx'
import { FailedMatch, Match, type MatchResult } from './match'
import type { Pattern } from './expr/pattern'
import { pyEqual } from './py'
import type { SchemaLookup } from './schema_facts'

/** A pattern that a context can match. */
export interface MatchablePattern extends Pattern {
  matchNode(node: Arg, ctx: MatchContext): MatchResult
}

/** State of a match in progress: the node bound to each pattern object so far. */
export class MatchContext {
  patternToNode: Map<Pattern, Arg>
  readonly exclusiveNodes: Arg[] = []
  /** The graph being matched. */
  graph: Graph | null = null

  constructor(
    readonly outputs: readonly (Pattern | null)[],
    patternToNode: ReadonlyMap<Pattern, Arg> | null,
    readonly schemaOf: SchemaLookup,
    /** Nodes whose operator and arity agreed with their pattern, even if their inputs did not; for near misses. */
    readonly reached: Node[] = [],
  ) {
    this.patternToNode = patternToNode ? new Map(patternToNode) : new Map()
  }

  /** Matches `pattern` at `node`, once: a pattern object seen before must match the same node again. */
  match(pattern: MatchablePattern, node: Arg): MatchResult {
    const seen = this.patternToNode.get(pattern)
    if (seen !== undefined) {
      if (pyEqual(seen, node)) return new Match(this, pattern)
      return new FailedMatch({ kind: 'repeated_pattern', pattern, node, before: seen })
    }
    const m = pattern.matchNode(node, this)
    // A failed pattern is bound to None and so "matches" a None argument when it occurs again, as in PyTorch.
    this.patternToNode.set(pattern, m.ok ? node : null)
    return m
  }

  /** A context for part of this attempt, with its own bindings. */
  derive(outputs: readonly (Pattern | null)[], patternToNode: ReadonlyMap<Pattern, Arg> | null): MatchContext {
    const derived = new MatchContext(outputs, patternToNode, this.schemaOf, this.reached)
    derived.graph = this.graph
    return derived
  }

  /** Undoes the bindings made since `prior` was saved. */
  revert(prior: ReadonlyMap<Pattern, Arg>): void {
    this.patternToNode = new Map(prior)
  }

  filterMultiUserPatterns(): Map<Pattern, Arg> {
    return new Map([...this.patternToNode].filter(([p, node]) => p.hasMultipleUsers() && node !== null))
  }
}

/** The context of a match; only a MatchContext creates matches. */
export const contextOf = (match: Match): MatchContext => match.ctx as MatchContext
