/**
 * Registers patterns: traces search functions, holds the passes, and applies them. Reason for length: one object for
 * Python, with every call on the passes of a run.
 */
import { orElse } from '../base/or_else'
import type { Arg, Graph, Node, Val } from '../fx'
import { TorchError } from '../trace/types'
import { argsOfMatch, specificOf, traceAgain } from './stage_two/check'
import { fixedLiteralsOf } from './stage_two/fixed_literals'
import { TraceCache, type Rejected } from './stage_two/trace_cache'
import { GraphEntry, ReplacementEntry, type Entry } from './entry'
import { exprFromData, type OverloadsOf } from './expr/from_data'
import type { PatternExpr } from './expr/pattern_expr'
import { fxToPattern } from './fx_to_pattern'
import { HandlerEdit } from './handler_edit'
import { takeHiddenNames } from './hidden_names'
import type { Match } from './match'
import { MatchContext } from './match_context'
import type { ApplyObserver } from './observer'
import { PatternMatcherPass, type ApplyResult } from './pass'
import { PatternPrettyPrinter } from './pretty_printer'
import { isDuplicate, isKnownText, refusedMethod, tracedText } from './registration/duplicates'
import { entryPatterns, type EntryPatterns } from './registration/entry_patterns'
import { entryView, type EntryView, type PassView } from './registration/entry_view'
import { exampleIds, initialTraceArgs } from './registration/example_inputs'
import { stageOneOptions } from './registration/stage_one'
import { targetsOf } from './registration/pattern_targets'
import { RefusedRegistration } from './reasons/refusal'
import { NEWEST_RULES, type TorchRules } from '../base/torch_version'
import type { SchemaLookup, TorchFacts } from './schema_facts'
import {
  PythonError,
  type EntryTable,
  type GraphRegistration,
  type PatternData,
  type PatternTable,
  type RegisteredEntry,
  type Registration,
  type StubDecision,
} from './types'
import type { MatchEdit, PatternHost, RegistrationSink } from './host'

export type { EntryView, PassView }

export interface PatternRegistryOptions {
  /** The Python side; a getter, because Python may load later. */
  host: () => PatternHost
  /** Operator schemas: mutability, defaults. Without it, no operator is known to mutate. */
  schemaOf?: SchemaLookup
  overloadsOf?: OverloadsOf
  /** Default: the newest PyTorch's. */
  rules?: () => TorchRules
}

/** A re-traced search function with the names of its placeholders, or the reason why tracing failed. */
export type SpecificTrace =
  | {
      graph: Graph
      placeholders: readonly string[]
      toInitial: readonly (number | null)[] | null
      /** The graph has no shapes: this is the initial trace, where the floats of these nodes are exact. */
      fixedFloats?: ReadonlySet<Node>
    }
  | Rejected

export interface InitialPattern {
  pattern: PatternExpr
  /** PatternPrettyPrinter.run of it. */
  text: string
  searchGraph: Graph | null
  /** The search graph as text, which tells duplicates apart; null for a given pattern. */
  graphText: string | null
  /** True if stage two compares it as it is. */
  given: boolean
}

export class PatternRegistry implements RegistrationSink {
  private readonly passes = new Map<number, PatternMatcherPass>()
  private readonly patternsById = new Map<number, PatternExpr>()
  /** The most recently refused registration. */
  private refused: RefusedRegistration | null = null
  /** By number. */
  private readonly entries: Entry[] = []
  /** Patterns of all passes, before PyTorch 2.13. */
  private readonly texts = new Set<string>()

  constructor(protected readonly options: PatternRegistryOptions) {}

  newPass(passId: number, passName: string | null): void {
    this.passes.set(passId, new PatternMatcherPass(passId, passName))
  }

  /** @throws TorchError, PythonError for errors that register_replacement raises */
  registerReplacement(passId: number, registration: Registration): RegisteredEntry | null {
    try {
      return this.addReplacement(this.passOf(passId), registration)
    } catch (e) {
      if (e instanceof RefusedRegistration) this.refused = e
      throw e
    }
  }

  /**
   * The reason behind a message that register_replacement raised; null if it did not. Python passes errors on as text.
   */
  refusalOf(message: string): RefusedRegistration | null {
    return this.refused?.message === message ? this.refused : null
  }

  private addReplacement(pass: PatternMatcherPass, registration: Registration): RegisteredEntry | null {
    const initialArgs = initialTraceArgs(registration)
    const { pattern, text, searchGraph, graphText, given } = this.initialPattern(registration, initialArgs)
    const passes = [pass, ...(registration.alsoIn ?? []).map((id) => this.passOf(id))]
    if (!registration.accepted && this.isDuplicate(passes, registration, text, graphText)) return null
    return this.add(
      passes,
      new ReplacementEntry({
        registration,
        pattern,
        text,
        searchGraph,
        given,
        targets: targetsOf(pattern),
        initialArgs,
        rules: this.rules,
        traces: this.tracesOf(registration),
      }),
    )
  }

  /** @throws RefusedRegistration unless duplicates are to be skipped */
  private isDuplicate(
    passes: readonly PatternMatcherPass[],
    { skipDuplicates, pretraced }: Registration,
    text: string,
    graphText: string | null,
  ): boolean {
    if (this.rules.duplicatesByPass) return passes.some((p) => isDuplicate(p, text, graphText, skipDuplicates))
    return isKnownText(this.texts, text, skipDuplicates && pretraced === true)
  }

  /**
   * The pattern of stage one. A pretraced one is the trace of its search function, or a file of it; the trace is kept
   * where both are equal, because it has the lines and constants that the file lacks.
   */
  protected initialPattern(registration: Registration, args: readonly Val[]): InitialPattern {
    const { searchFnPattern, pretraced = false } = registration
    const traced = (): InitialPattern => {
      if (registration.searchIsBound && !this.rules.boundMethods) throw refusedMethod(args.length)
      const searchGraph = this.traceSearch(registration, args)
      const pattern = fxToPattern(searchGraph, stageOneOptions(registration, args, this.rules))
      const text = PatternPrettyPrinter.run(pattern, this.rules)
      return {
        ...{ pattern, text, searchGraph, given: pretraced },
        graphText: pretraced ? null : tracedText(searchGraph, registration),
      }
    }
    if (!searchFnPattern) return traced()
    const pattern = this.patternOf(searchFnPattern)
    const text = PatternPrettyPrinter.run(pattern, this.rules)
    const given = { pattern, text, searchGraph: null, graphText: null, given: true }
    if (!pretraced) return given
    const now = orElse(traced, given, PythonError, TorchError)
    return now.text === given.text ? now : given
  }

  /** Where an entry's re-traces are kept. */
  protected tracesOf(_registration: Registration): TraceCache {
    return new TraceCache()
  }

  /** @throws TorchError for errors that register_graph_pattern raises */
  registerGraphPattern(passId: number, registration: GraphRegistration): RegisteredEntry {
    const pattern = this.patternOf(registration.pattern)
    const text = PatternPrettyPrinter.canPrint(pattern) ? PatternPrettyPrinter.run(pattern) : pattern.repr()
    const only = registration.target ?? null
    const targets = targetsOf(pattern).filter(([, target], i, all) =>
      only === null ? true : target === only && all.findIndex((t) => t[1] === only) === i,
    )
    return this.add([this.passOf(passId)], new GraphEntry(registration, pattern, text, targets))
  }

  private add(passes: readonly PatternMatcherPass[], entry: Entry): RegisteredEntry {
    entry.number = this.entries.push(entry) - 1
    passes.forEach((pass, i) => pass.add(i === 0 ? entry : entry.copy()))
    return { number: entry.number, text: entry.text, repr: entry.pattern.repr(), targets: entry.targets }
  }

  setPatterns(passId: number, table: EntryTable): void {
    this.passOf(passId).setTable(
      table.map(([op, target, numbers]) => [op, target, numbers.map((n) => this.entries[n]!)]),
    )
  }

  patternOf(data: PatternData): PatternExpr {
    return exprFromData(data, this.options.overloadsOf, this.patternsById, this.options.host, this.rules)
  }

  contextOf(
    outputs: readonly (PatternExpr | null)[],
    bindings: ReadonlyMap<PatternExpr, Arg>,
    graph: Graph,
  ): MatchContext {
    const ctx = new MatchContext(outputs, bindings, this.schemaOf)
    ctx.graph = graph
    return ctx
  }

  editOf(match: Match, graph: Graph): MatchEdit {
    return new HandlerEdit(match, graph, this.options.host(), this.facts)
  }

  private get schemaOf(): SchemaLookup {
    return this.options.schemaOf ?? (() => null)
  }

  private get rules(): TorchRules {
    return this.options.rules?.() ?? NEWEST_RULES
  }

  private get facts(): TorchFacts {
    return { schemaOf: this.schemaOf, rules: this.rules }
  }

  patternsOf(passId: number): PatternTable {
    return this.passOf(passId).table()
  }

  pass(passId: number): PassView {
    const pass = this.passOf(passId)
    return { id: pass.id, name: pass.name, entries: pass.entries.map((e) => entryView(e, pass)) }
  }

  /** The patterns of an entry by stage. @throws Error if the pass has no such entry */
  patternsIn(passId: number, entryIndex: number): EntryPatterns {
    const entry = this.passOf(passId).entries[entryIndex]
    if (!entry) throw new Error(`no entry ${entryIndex} in pass ${passId}`)
    return entryPatterns(entry)
  }

  /** Applies a pass to the graph in place. Errors of user code are in the result. */
  apply(passId: number, graph: Graph, observer?: ApplyObserver): ApplyResult {
    takeHiddenNames(graph, this.schemaOf)
    return this.passOf(passId).apply(graph, this.options.host(), this.facts, observer)
  }

  /**
   * The same for a call from Python.
   * @returns the number of matches
   * @throws PythonError from the pass
   */
  applyOrThrow(passId: number, graph: Graph): number {
    const { count, error } = this.apply(passId, graph)
    if (error) throw new PythonError(error.pythonType, error.message, [])
    return count
  }

  /** Answers of stubs that decided what the entry's search function traced to. */
  traceDecisions({ registration }: Pick<EntryView, 'registration'>): readonly StubDecision[] {
    const host = this.options.host()
    return 'search' in registration && !host.recorded ? host.traceDecisions(registration.search) : []
  }

  /** The replacement traced with the example inputs, for display; matching traces it again with the graph's shapes. */
  traceReplacementExample(entry: Pick<EntryView, 'registration'>): { graph: Graph | null; error: string | null } {
    const { registration } = entry
    if (!('replace' in registration)) return { graph: null, error: null }
    if (registration.subgraph) return { graph: registration.subgraph.replacement, error: null }
    try {
      const args = initialTraceArgs(registration)
      return { graph: this.options.host().trace(registration.replace, registration.argNames, args), error: null }
    } catch (e) {
      if (e instanceof PythonError || e instanceof TorchError)
        return { graph: null, error: `${e.pythonType}: ${e.message}` }
      throw e
    }
  }

  /**
   * The search function of an entry traced with given captures, as in stage two; cached together with that stage's
   * traces. Null for a hand-written pattern, and if an argument has no value.
   */
  specificTrace(passId: number, entryIndex: number, captured: ReadonlyMap<string, Arg>): SpecificTrace | null {
    const entry = this.passOf(passId).entries[entryIndex]
    if (!(entry instanceof ReplacementEntry) || entry.givenPattern) return null
    return this.traceFor(entry, captured, specificOf)
  }

  /**
   * The same for a pretraced pattern, which PyTorch does not trace for a match: what its search function is with these
   * values. Null without a trace of the registration.
   */
  untakenTrace(passId: number, entryIndex: number, captured: ReadonlyMap<string, Arg>): SpecificTrace | null {
    const entry = this.passOf(passId).entries[entryIndex]
    if (!(entry instanceof ReplacementEntry) || !entry.givenPattern || !entry.searchGraph) return null
    return this.traceFor(entry, captured, traceAgain)
  }

  private traceFor(
    entry: ReplacementEntry,
    captured: ReadonlyMap<string, Arg>,
    trace: typeof specificOf,
  ): SpecificTrace | null {
    try {
      const args = argsOfMatch(entry, { kwargs: new Map(captured) })
      if ('rejected' in args) return args.rejected.kind === 'unknown-shape' ? this.fixedTrace(entry) : null
      const specific = trace(entry, args, this.options.host())
      if ('rejected' in specific) return specific
      const { graph, placeholders, toInitial } = specific
      return graph && { graph, placeholders, toInitial }
    } catch (e) {
      if (e instanceof PythonError || e instanceof TorchError)
        return { rejected: { kind: 'retrace-raised', type: e.pythonType, message: e.message } }
      throw e
    }
  }

  private fixedTrace(entry: ReplacementEntry): SpecificTrace | null {
    const host = this.options.host()
    const fixed = host.recorded ? null : fixedLiteralsOf(entry, host)
    if (!fixed || !entry.searchGraph) return null
    return {
      graph: entry.searchGraph,
      placeholders: entry.argInfo.flatNames,
      toInitial: null,
      fixedFloats: fixed.nodes,
    }
  }

  /**
   * Both functions of an entry traced with inputs resized by `resize`; null for a hand-written pattern.
   * @throws TorchError, PythonError for errors that the functions raise
   */
  traceBoth(
    passId: number,
    entryIndex: number,
    resize: (argNames: readonly string[], inputs: readonly Val[]) => Val[],
  ): { search: Graph; replacement: Graph } | null {
    const entry = this.passOf(passId).entries[entryIndex]
    if (!(entry instanceof ReplacementEntry)) return null
    const { registration } = entry
    const args = resize(registration.argNames, initialTraceArgs(registration))
    return {
      search: this.traceSearch(registration, args),
      replacement: this.options.host().trace(registration.replace, registration.argNames, args),
    }
  }

  private traceSearch(registration: Registration, args: readonly Val[]): Graph {
    const examples = exampleIds(registration)
    return this.options.host().trace(registration.search, registration.argNames, args, examples ? { examples } : {})
  }

  private passOf(id: number): PatternMatcherPass {
    const pass = this.passes.get(id)
    if (!pass) throw new Error(`no pass ${id}`)
    return pass
  }
}
