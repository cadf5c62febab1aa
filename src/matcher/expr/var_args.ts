import type { Arg, NodeOp } from '../../fx'
import { Match, type MatchResult } from '../match'
import type { MatchContext } from '../match_context'
import type { Users } from './pattern'
import { TargetExpr } from './target'

/** Matches a node by target and users, regardless of its arguments, and passes those to the handler. */
abstract class TargetExprVarArgs extends TargetExpr {
  matchNode(node: Arg, ctx: MatchContext): MatchResult {
    if (!this.matchFns(node)) return this.functionMismatch(node, true)
    if (!this.matchUsers(node, ctx)) return this.multipleUsers(node, true)
    const m = new Match(ctx, this, [...node.args], new Map(node.kwargs))
    m.addNode(node)
    return m
  }
}

const varArgs = (op: NodeOp, className: string) =>
  class extends TargetExprVarArgs {
    override readonly className = className

    constructor(fns: readonly string[], users: Users = 1) {
      super(op, fns, users)
    }
  }

export const CallFunctionVarArgs = varArgs('call_function', 'CallFunctionVarArgs')
export const CallMethodVarArgs = varArgs('call_method', 'CallMethodVarArgs')
export const CallModuleVarArgs = varArgs('call_module', 'CallModuleVarArgs')
