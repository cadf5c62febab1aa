/** What the matcher needs from the world above it, and what it tells while it works. */
import type { DropReason } from './drop_reason'
import type { Arg, ConstantValues, Graph, Node, SourceRef, TensorMeta, Val } from '../fx'

/** A Python callable held by src/python, by number. */
export type CallableId = number

export interface TraceOptions {
  /**
   * How many of the first arguments are symbolic sizes that become placeholders of the trace (so that sizes resolve to
   * them instead of making sym_size nodes) but are not passed to the function.
   */
  leadingSyms?: number
  /** For each argument, the index of the first one that is the same tensor, as two uses of a node are; -1: it stands alone. */
  sameAs?: readonly number[]
}

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
  /** extra_check(match). Returns what Python returned, untouched when it is no bool, so the caller can raise as PyTorch does. */
  extraCheck(fn: CallableId, match: MatchView): unknown
  /** What the last extra_check read of node.meta, beside `val`. */
  metaReads?(): readonly MetaRead[]
  /** The handler of a register_graph_pattern: edits the graph through the match. */
  handle?(fn: CallableId, match: MatchEdit): void
}

/** One key of a node's meta that an extra_check read: the value's repr, null where the node has no such key. */
export type MetaRead = readonly [node: string, key: string, value: string | null]

/** The part of Match that user code reads. */
export interface MatchView {
  nodes: readonly Node[]
  args: readonly unknown[]
  kwargs: ReadonlyMap<string, unknown>
  outputs: readonly Node[]
}

/** A Python exception: type, message and only the user's frames, innermost last. */
export class PythonError extends Error {
  constructor(
    readonly pythonType: string,
    message: string,
    readonly frames: readonly SourceRef[],
  ) {
    super(message)
  }
}

export type Phase = 'initial' | 'specific'

/** Where exactly a comparison failed; what the panels show instead of PyTorch's text. */
export interface Mismatch {
  /** FailedMatch's kind: `constant_args`, `function_mismatch`, `multiple_users`, `kwarg_mismatch`, `args_structure`, `no_match` … */
  kind: string
  graphNode: string | null
  /** Index of the pattern node in EntryReport.nodes, when one is to blame. */
  patternNode: number | null
  /** The argument: `group_size`, `1`, `0[2]`. */
  argument: string | null
  expected: string | null
  found: string | null
}

/** One PatternExpr tried at one anchor. `reason` is PyTorch's text, byte for byte. */
export interface Attempt {
  entry: number
  phase: Phase
  node: string
  ok: boolean
  reason: string | null
  nodes: readonly string[] | null
  /** PatternPrettyPrinter.run of the re-traced pattern, null where it raises; specific attempts only. */
  pattern?: string | null
  mismatch?: Mismatch
  /** For a failed attempt: nodes whose operator and argument structure agreed with the pattern, in order of visit. */
  reached?: readonly string[]
  /** Why an ok attempt was not applied: mutation region, stream, extra_check, a re-trace that raised. */
  dropped?: string
  /** The same as data; `dropped` is its text. */
  dropReason?: DropReason
  /** For one that an extra_check dropped: what the check read of node.meta. */
  reads?: readonly MetaRead[]
}

/** What a registration was made with and under what name: how people tell it from the others. */
export interface RegistrationFacts {
  /** Class of the object whose method registered it, or the qualified name of the function that made it. */
  title: string
  /** Of a search function that no class made: its name, and where it is defined. */
  definition?: readonly [name: string, file: string, line: number] | null
  /** Counts registrations; a pass has its entries by operator. */
  order?: number
  /** The lines of user code that led to the registration, as one text. */
  calls?: string
  /** The user's line that called register_replacement. */
  source: SourceRef | null
  /**
   * Closure variables of the search function and attributes of the instance it closes over or is bound to that are
   * plain values (`quant_key`, `is_e8m0`), each as the user wrote it: a number or an enum's member in its own words, a
   * value that a module-level variable names by that name (`kFp8Dynamic128Sym`).
   */
  bindings: Readonly<Record<string, string>>
  /** Variables of each loop around the call, outermost first. */
  loops?: readonly (readonly (readonly [name: string, value: string])[])[]
  /** Whatever else may tell registrations apart: functions, fields of objects, arguments of callers. */
  details?: Readonly<Record<string, string>>
}

/** One call of register_replacement, as src/python hands it over. */
export interface Registration extends RegistrationFacts {
  search: CallableId
  /** A bound method: make_fx names its inputs by number. */
  searchIsBound?: boolean
  replace: CallableId
  /** Parameter names of the search function, in order. */
  argNames: readonly string[]
  /** Metadata of the example inputs, scalars by value. */
  exampleInputs: readonly Val[]
  extraCheck: CallableId | null
  scalarWorkaround: ReadonlyMap<string, bigint | number | boolean> | null
  exclusiveArgNames: readonly string[]
  searchFnPattern: PatternData | null
  skipDuplicates: boolean
}

/** One call of register_graph_pattern: a pattern by hand, and a handler that edits the graph itself. */
export interface GraphRegistration extends RegistrationFacts {
  pattern: PatternData
  extraCheck: CallableId | null
  /** Called with (match, *match.args, **match.kwargs). */
  handler: CallableId
  /** Tried before what is registered already. */
  prepend: boolean
  /** The one function it is registered at; null: all of the pattern's. */
  target?: string | null
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

/** A PatternExpr written by hand in Python (CallFunction(…), KeywordArg(…)), as data. `ref` shares an object by identity. */
export type PatternData =
  | { expr: 'Arg' | 'ExclusiveKeywordArg' | 'KeywordArg' | 'Ignored'; id: number; name?: string }
  | {
      expr:
        'CallFunction' | 'CallMethod' | 'CallModule' | 'CallFunctionVarArgs' | 'CallMethodVarArgs' | 'CallModuleVarArgs'
      id: number
      /** As written, named as Node.target is; the matcher adds the overloads of a packet (`aten.add`). */
      fns: readonly string[]
      args: readonly PatternArgData[]
      kwargs: readonly (readonly [string, PatternArgData])[]
      /** 'MULTIPLE' or a count. */
      users: number | 'MULTIPLE'
    }
  | {
      expr: 'GetAttr'
      id: number
      value: TensorMeta | null
      constant: ConstantValues | null
      users: number | 'MULTIPLE'
    }
  | { expr: 'ListOf'; id: number; pattern: PatternData; partial: boolean }
  | { expr: 'MultiOutputPattern'; id: number; outputs: readonly (PatternData | null)[] }
  | { expr: 'RepeatedExpr'; id: number; pattern: PatternData }
  | { expr: 'ref'; id: number }

export type PatternArgData =
  | { pattern: PatternData }
  | { list: readonly PatternArgData[] }
  | { tuple: readonly PatternArgData[] }
  | { dict: readonly (readonly [string, PatternArgData])[] }
  | { value: Arg }

/** An entry of a run: its number, its pattern's text, and the places it was registered at, one for each time. */
export interface RegisteredEntry {
  number: number
  text: string
  targets: readonly (readonly [op: string, target: string])[]
}

/** What a pass holds: by op and target, each entry in the order in which they are tried. */
export type PatternTable = readonly (readonly [
  op: string,
  target: string,
  entries: readonly (readonly [number: number, text: string])[],
])[]
export type EntryTable = readonly (readonly [op: string, target: string, entries: readonly number[]])[]

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
  /** Applies a pass to a graph in Python's hands. @returns the count of matches @throws PythonError what it raised */
  applyOrThrow?(passId: number, graph: Graph): number
}
