/**
 * Handles matching calls from Python: user-defined `_match`, MatchContext.match and pattern.match. Contexts and matches
 * are numbered within a run.
 */
import { type Arg, type Node, isKind } from '../fx'
import { FailedMatch, Match, type Captured, type MatchResult } from '../matcher/match'
import type { MatchContext } from '../matcher/match_context'
import type { PatternExpr } from '../matcher/expr/pattern_expr'
import { PythonError, type CallableId, type PatternData } from '../matcher/types'
import type { RegistrationSink } from '../matcher/host'
import { TorchError, type DispatchArg } from '../trace/types'
import type { EngineHandlers } from './calls/table'
import type { Channel } from './channel'
import type { OpenGraphs } from './open_graphs'
import { patternData, type Tagged } from './registration'
import type { SharedValues } from './values'
import type { Json } from './wire'

export interface MatchCallsOptions {
  sink(): RegistrationSink
  channel: Channel
  values: SharedValues
  graphs: OpenGraphs
}

export class MatchCalls {
  private readonly contexts: MatchContext[] = []
  private readonly numbers = new Map<MatchContext, number>()
  private readonly matches: Match[] = []

  constructor(private readonly options: MatchCallsOptions) {}

  /** Resets the state for a new run. */
  forget(): void {
    this.contexts.length = 0
    this.matches.length = 0
    this.numbers.clear()
  }

  /** The number by which Python refers to a context. */
  numberOf(ctx: MatchContext): number {
    let number = this.numbers.get(ctx)
    if (number === undefined) this.numbers.set(ctx, (number = this.contexts.push(ctx) - 1))
    return number
  }

  /** A match found by a call from Python. */
  match(number: number): Match {
    return this.matches[number]!
  }

  /** Calls a user-defined `_match`. @throws FailedMatch, PythonError */
  callUser(fn: CallableId, node: Arg, ctx: MatchContext, pattern: PatternExpr): MatchResult {
    const { graphs, channel } = this.options
    return graphs.within(ctx.graph, () => {
      try {
        const made = channel.call('match_user', fn, graphs.encode(node), this.numberOf(ctx))
        return this.decode(made as Tagged, ctx, pattern)
      } catch (e) {
        if (e instanceof PythonError && e.pythonType === 'FailedMatch') throw failed(e.message, pattern)
        throw e
      }
    })
  }

  /** Calls a user-defined `find_anchor_nodes`. @throws PythonError */
  anchorsOfUser(fn: CallableId, ctx: MatchContext, searched: ReadonlySet<Node>): readonly Node[] {
    const { graphs, channel } = this.options
    return graphs.within(ctx.graph, () => {
      const known = [...searched].map((n) => graphs.encode(n))
      return channel.call('anchors_user', fn, this.numberOf(ctx), known).map((key) => graphs.node(key))
    })
  }

  /** The engine's side of Python's calls on match contexts. */
  readonly handlers: Pick<EngineHandlers, 'match_context' | 'match_bindings' | 'match_in' | 'match_builtin'> = {
    match_context: (outputs, bindings, graph) => {
      const { sink, graphs, values } = this.options
      const bound = new Map(bindings.map(([p, node]) => [this.pattern(p), values.decode(node) as Arg] as const))
      const patterns = outputs.map((o) => (o === null ? null : this.pattern(o)))
      return this.numberOf(sink().contextOf(patterns, bound, graphs.graphOf(graph)))
    },
    match_bindings: (context) =>
      [...this.contexts[context]!.patternToNode].flatMap(([p, node]) =>
        p.id === null ? [] : [[p.id, this.options.graphs.encode(node)]],
      ),
    match_in: (context, pattern, node) =>
      this.tried(() => this.contexts[context]!.match(this.pattern(pattern), this.nodeOf(node))),
    match_builtin: (context, pattern, node) =>
      this.tried(() => this.pattern(pattern).builtinMatch(this.nodeOf(node), this.contexts[context]!)),
  }

  private nodeOf(data: Json): Arg {
    return this.options.values.decode(data) as Arg
  }

  private pattern(data: Json): PatternExpr {
    const { sink, values } = this.options
    return sink().patternOf(patternData(data as Tagged, (d) => values.decode(d)) as PatternData)
  }

  /** @throws TorchError FailedMatch where two captures of one name differ */
  private tried(attempt: () => MatchResult): Json {
    try {
      return this.encode(attempt())
    } catch (e) {
      if (e instanceof FailedMatch) throw new TorchError('FailedMatch', e.reason)
      throw e
    }
  }

  private encode(result: MatchResult): Json {
    if (!result.ok) return { failed: result.reason }
    const { graphs } = this.options
    return {
      number: this.matches.push(result) - 1,
      nodes: result.nodes.map((n) => graphs.encode(n)),
      args: result.args.map((a) => graphs.captured(a)),
      kwargs: [...result.kwargs].map(([k, v]) => [k, graphs.captured(v)]),
    }
  }

  private decode(made: Tagged, ctx: MatchContext, pattern: PatternExpr): MatchResult {
    if ('failed' in made) return failed(made.failed as string, pattern)
    const { values, graphs } = this.options
    const captured = (d: Json): Captured => asCaptured(values.decode(d))
    const match = new Match(
      ctx,
      pattern,
      (made.args as Json[]).map(captured),
      new Map((made.kwargs as [string, Json][]).map(([k, v]) => [k, captured(v)])),
    )
    for (const key of made.nodes as string[]) match.addNode(graphs.node(key))
    return match
  }
}

/** ListOf's results are tuples in Python. */
function asCaptured(value: DispatchArg): Captured {
  if (isKind(value, 'tuple'))
    return { kind: 'captured', items: (value.items as readonly DispatchArg[]).map(asCaptured) }
  return value as Captured
}

const failed = (text: string, pattern: PatternExpr): FailedMatch =>
  new FailedMatch({ kind: 'user_match', pattern, text })
