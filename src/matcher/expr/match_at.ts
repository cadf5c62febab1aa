/** Questions about one expression at one node, for explanations: an exception of the matcher is a no. */
import { orElse } from '../../base/or_else'
import type { Arg, Graph, Node } from '../../fx'
import { TorchError } from '../../trace/types'
import { FailedMatch } from '../match'
import { MatchContext } from '../match_context'
import type { SchemaLookup } from '../schema_facts'
import type { PatternExpr } from './pattern_expr'
import type { TargetArgsExpr } from './target_args'

/** The pattern that an expression belongs to, and the graph that it is matched with. */
export interface MatchScope {
  /** Outputs of the whole pattern: their users are not compared. */
  outputs: readonly (PatternExpr | null)[]
  graph: Graph
  schemaOf: SchemaLookup
}

/** True if the expression matches at the node, with all expressions in its arguments. */
export function matchesAt(pattern: PatternExpr, node: Node, { outputs, graph, schemaOf }: MatchScope): boolean {
  const ctx = new MatchContext(outputs, null, schemaOf)
  ctx.graph = graph
  return orElse(() => ctx.match(pattern, node).ok, false, FailedMatch, TorchError)
}

/** The node's arguments paired with `flat.items`; null if their number, keywords or structure differ. */
export const argumentsAt = (call: TargetArgsExpr, node: Node, schemaOf: SchemaLookup): readonly Arg[] | null =>
  orElse(
    () => {
      const given = call.argumentsOf(node, schemaOf)
      return given && call.itemsLike(given.args, given.kwargs)
    },
    null,
    FailedMatch,
    TorchError,
  )
