/** A MatchContext that tells what it does. The matcher's own code runs; each of its calls is told on the way. */
import type { Arg } from '../../fx'
import type { PatternExpr } from '../expr/pattern_expr'
import { FailedMatch, type MatchResult } from '../match'
import { MatchContext } from '../match_context'
import type { SchemaLookup } from '../schema_facts'
import type { AttemptSteps } from './attempt_steps'

export class RecordingContext extends MatchContext {
  constructor(
    private readonly tells: AttemptSteps,
    outputs: readonly (PatternExpr | null)[],
    patternToNode: ReadonlyMap<PatternExpr, Arg> | null,
    schemaOf: SchemaLookup,
    reached?: MatchContext['reached'],
  ) {
    super(outputs, patternToNode, schemaOf, reached)
  }

  override match(pattern: PatternExpr, node: Arg): MatchResult {
    const { tells } = this
    const seen = this.patternToNode.get(pattern)
    if (seen !== undefined) {
      const result = super.match(pattern, node)
      tells.again(pattern, node, seen, result)
      return result
    }
    tells.enter(pattern, node, this)
    try {
      const result = super.match(pattern, node)
      tells.leave(result)
      return result
    } catch (e) {
      if (e instanceof FailedMatch) tells.leave(e)
      throw e
    }
  }

  override derive(
    outputs: readonly (PatternExpr | null)[],
    patternToNode: ReadonlyMap<PatternExpr, Arg> | null,
  ): MatchContext {
    return new RecordingContext(this.tells, outputs, patternToNode, this.schemaOf, this.reached)
  }

  override revert(prior: ReadonlyMap<PatternExpr, Arg>): void {
    super.revert(prior)
    this.tells.revert()
  }
}
