/** Interface between the matcher and Python: callbacks into user code, and the registrations it makes. */
import type { Arg, Graph, Node, Val } from '../fx'
import type { PatternExpr } from './expr/pattern_expr'
import type { Match, MatchResult } from './match'
import type { DropReason } from './reasons/drop_reason'
import type { MatchContext } from './match_context'
import type {
  CallableId,
  EntryTable,
  GraphRegistration,
  MetaRead,
  PatternData,
  PatternTable,
  PythonError,
  RefusingReturn,
  RegisteredEntry,
  Registration,
  StubDecision,
  TraceOptions,
} from './types'

/** The functions of patterns. All calls are synchronous. Errors raised by user code arrive as PythonError. */
interface PatternFunctions {
  /**
   * fwd_only(fn, args): traces `fn` with fake tensors of these metadata (and plain values for scalars). Returns the
   * graph after decomposition, no-op removal and dead-code elimination; placeholders are named after the parameters.
   */
  trace(fn: CallableId, argNames: readonly string[], args: readonly Val[], options?: TraceOptions): Graph
  /** extra_check(match). */
  extraCheck(fn: CallableId, match: MatchView): CheckAnswer
  /** Handler of a register_graph_pattern, which edits the graph through the match. */
  handle(fn: CallableId, match: MatchEdit): void
  /**
   * A user-defined `_match`.
   * @throws FailedMatch as raised by user code
   * @throws PythonError
   */
  matchUser(fn: CallableId, node: Arg, ctx: MatchContext, pattern: PatternExpr): MatchResult
  /** A user-defined `find_anchor_nodes`. @throws PythonError */
  anchorsUser(fn: CallableId, ctx: MatchContext, searched: ReadonlySet<Node>): readonly Node[]
}

/** Python, which calls the functions. */
export interface LiveHost extends PatternFunctions {
  readonly recorded: false
  /** Answers of stubs that decided what a function traced to in the last run. */
  traceDecisions(fn: CallableId): readonly StubDecision[]
}

/** A capture, which answers as the functions did where PyTorch called them. */
export interface RecordedHost extends PatternFunctions {
  readonly recorded: true
  /** The matcher tries an entry, by its registration number, at a node: answers from now on are for this attempt. */
  visiting(entry: number, node: Node): void
  /** Stage two's trace of the search function at the present node; null: the pattern is used as it is. */
  recordedTrace(search: CallableId): RecordedTrace | null
}

export type PatternHost = LiveHost | RecordedHost

export interface CheckAnswer {
  /**
   * What the check returned, unchanged even if it is not a bool, so that the caller can raise as PyTorch does; or what it
   * raised.
   */
  result: { value: unknown } | { raised: PythonError }
  /** The keys of node.meta that it read, except `val` of a node that has one. */
  reads: readonly MetaRead[]
  /** Answers of stubs that it used. */
  stubs: readonly StubDecision[]
  /** Where it returned False; null if it did not, or outside the user's files. */
  returned: RefusingReturn | null
}

/** A trace of the search function as PyTorch recorded it in stage two, or the reason why there is none. */
export type RecordedTrace =
  | {
      graph: Graph
      /** Names of the graph's placeholders, including leading symbolic sizes. */
      placeholders: readonly string[]
    }
  | { rejected: DropReason }

/** The part of Match that user code reads. */
export interface MatchView {
  nodes: readonly Node[]
  args: readonly unknown[]
  kwargs: ReadonlyMap<string, unknown>
  /** Null for an output that is None in the pattern. */
  outputs: readonly (Node | null)[]
  ctx: MatchContext
}

/**
 * A match that a handler may edit: the readable part, and Match's own edits. Edits of Node and Graph are methods there.
 */
export interface MatchEdit extends MatchView {
  graph: Graph
  /** The nodes that a replacement erases: the matched nodes, or those that user code assigned. */
  nodes: readonly Node[]
  /**
   * match.replace_by_example(fn, args): traces fn with the metadata of args and replaces the match with it. Returns the
   * inserted nodes.
   * @param argNames one per item of `args`, for the placeholders of the trace
   */
  replaceByExample(fn: CallableId, argNames: readonly string[], args: readonly unknown[]): readonly Node[]
  /** match.replace_with_graph(graph, args): replaces the match with an already traced graph. */
  replaceWithGraph(replacement: Graph, args: readonly unknown[]): readonly Node[]
  /** match.erase_nodes(): erases unused matched nodes. */
  eraseNodes(): void
}

/**
 * Receives registrations, synchronously while user code runs. Throws TorchError (src/trace/types.ts) for PyTorch's own
 * errors, which the user's register_replacement call then raises.
 */
export interface RegistrationSink {
  newPass(passId: number, passName: string | null): void
  /** @returns null if a duplicate was skipped */
  registerReplacement(passId: number, registration: Registration): RegisteredEntry | null
  registerGraphPattern(passId: number, registration: GraphRegistration): RegisteredEntry
  /** PatternMatcherPass.patterns as user code reads it. */
  patternsOf(passId: number): PatternTable
  /** PatternMatcherPass.patterns as changed by user code: entry numbers by op and target. */
  setPatterns(passId: number, table: EntryTable): void
  /** The pattern for this data; the same object each time. */
  patternOf(data: PatternData): PatternExpr
  /** MatchContext(outputs, pattern_to_node, graph=graph). */
  contextOf(
    outputs: readonly (PatternExpr | null)[],
    bindings: ReadonlyMap<PatternExpr, Arg>,
    graph: Graph,
  ): MatchContext
  /** Edits that user code may make through a match that it found itself. */
  editOf(match: Match, graph: Graph): MatchEdit
  /**
   * Applies a pass to a graph owned by Python.
   * @returns the number of matches
   * @throws PythonError from user code
   */
  applyOrThrow(passId: number, graph: Graph): number
}
