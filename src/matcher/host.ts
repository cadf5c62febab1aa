/** The Python side of the matcher: what it asks of Python, and where registrations arrive. */
import type { Arg, Graph, Node, Val } from '../fx'
import type { PatternExpr } from './expr/pattern_expr'
import type { Match, MatchResult } from './match'
import type { MatchContext } from './match_context'
import type {
  CallableId,
  EntryTable,
  GraphRegistration,
  MetaRead,
  PatternData,
  PatternTable,
  RegisteredEntry,
  Registration,
  StubDecision,
  TraceOptions,
} from './types'

/**
 * The Python side of patterns, as src/python implements it. Everything here is synchronous.
 * Errors raised by user code arrive as PythonError.
 */
export interface PatternHost {
  /**
   * fwd_only(fn, args): traces `fn` over fake tensors with these metadata (and plain values for scalars).
   * Returns the graph after decomposition, no-op removal and dead code; placeholders are named after the parameters.
   */
  trace(fn: CallableId, argNames: readonly string[], args: readonly Val[], options?: TraceOptions): Graph
  /** extra_check(match). Returns what Python returned, untouched when it is not a bool, so the caller can raise as PyTorch does. */
  extraCheck(fn: CallableId, match: MatchView): unknown
  /** What the last extra_check read of node.meta, beside `val`. */
  metaReads?(): readonly MetaRead[]
  /** Answers of stubs that the last extra_check used. */
  stubDecisions?(): readonly StubDecision[]
  /** The handler of a register_graph_pattern: edits the graph through the match. */
  handle?(fn: CallableId, match: MatchEdit): void
  /** A `_match` of the user's own. @throws FailedMatch what it raised as such @throws PythonError */
  matchUser?(fn: CallableId, node: Arg, ctx: MatchContext, pattern: PatternExpr): MatchResult
}

/** The part of Match that user code reads. */
export interface MatchView {
  nodes: readonly Node[]
  args: readonly unknown[]
  kwargs: ReadonlyMap<string, unknown>
  /** Null for an output that the pattern has as None. */
  outputs: readonly (Node | null)[]
  ctx: MatchContext
}

/** A match that a handler may act on: what it reads, and Match's own edits. Node and Graph edits are their methods. */
export interface MatchEdit extends MatchView {
  graph: Graph
  /**
   * match.replace_by_example(fn, args): traces fn with the metadata of args and puts it in the match's place.
   * Returns the nodes put in.
   * @param argNames one for each of `args`: placeholders of the trace are named after them
   */
  replaceByExample(fn: CallableId, argNames: readonly string[], args: readonly unknown[]): readonly Node[]
  /** match.replace_with_graph(graph, args): puts a graph that was traced before in the match's place. */
  replaceWithGraph(replacement: Graph, args: readonly unknown[]): readonly Node[]
  /** match.erase_nodes(): erases matched nodes that nothing uses. */
  eraseNodes(): void
}

/**
 * Where registrations arrive, called synchronously while user code runs. It throws TorchError (src/trace/types.ts)
 * for what PyTorch would raise: the user's register_replacement call raises it.
 */
export interface RegistrationSink {
  newPass(passId: number, passName: string | null): void
  /** @returns null where a duplicate was skipped */
  registerReplacement(passId: number, registration: Registration): RegisteredEntry | null
  registerGraphPattern?(passId: number, registration: GraphRegistration): RegisteredEntry
  /** What user code reads as PatternMatcherPass.patterns. */
  patternsOf?(passId: number): PatternTable
  /** PatternMatcherPass.patterns as user code changed it: the numbers of entries by op and target. */
  setPatterns?(passId: number, table: EntryTable): void
  /** The pattern that this data tells of: the same object each time. */
  patternOf?(data: PatternData): PatternExpr
  /** MatchContext(outputs, pattern_to_node, graph=graph). */
  contextOf?(
    outputs: readonly (PatternExpr | null)[],
    bindings: ReadonlyMap<PatternExpr, Arg>,
    graph: Graph,
  ): MatchContext
  /** What user code may do with a match that it found itself. */
  editOf?(match: Match, graph: Graph): MatchEdit
  /** Applies a pass to a graph in Python's hands. @returns the count of matches @throws PythonError what it raised */
  applyOrThrow?(passId: number, graph: Graph): number
}
