/** A MatchContext that records its calls as steps; the matcher's own code does the matching. */
import type { Arg } from '../../fx'
import type { PatternExpr } from '../expr/pattern_expr'
import { FailedMatch, type MatchResult } from '../match'
import { MatchContext } from '../match_context'
import type { SchemaLookup } from '../schema_facts'
import type { AttemptSteps } from './attempt_steps'

export class RecordingContext extends MatchContext {
  constructor(
    private readonly steps: AttemptSteps,
    outputs: readonly (PatternExpr | null)[],
    patternToNode: ReadonlyMap<PatternExpr, Arg> | null,
    schemaOf: SchemaLookup,
    reached?: MatchContext['reached'],
  ) {
    super(outputs, patternToNode, schemaOf, reached)
  }

  override match(pattern: PatternExpr, node: Arg): MatchResult {
    const { steps } = this
    const seen = this.patternToNode.get(pattern)
    if (seen !== undefined) {
      const result = super.match(pattern, node)
      steps.again(pattern, node, seen, result)
      return result
    }
    steps.enter(pattern, node, this)
    try {
      const result = super.match(pattern, node)
      steps.leave(result)
      return result
    } catch (e) {
      if (e instanceof FailedMatch) steps.leave(e)
      throw e
    }
  }

  override derive(
    outputs: readonly (PatternExpr | null)[],
    patternToNode: ReadonlyMap<PatternExpr, Arg> | null,
  ): MatchContext {
    return new RecordingContext(this.steps, outputs, patternToNode, this.schemaOf, this.reached)
  }

  override revert(prior: ReadonlyMap<PatternExpr, Arg>): void {
    super.revert(prior)
    this.steps.revert()
  }
}
