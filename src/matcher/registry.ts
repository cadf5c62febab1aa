/** Where register_replacement's calls arrive: traces search functions, keeps passes, applies them. */
import { printGraph, targetToText, type Arg, type Graph, type Val } from '../fx'
import { TorchError } from '../trace/types'
import { argsOfMatch, specificOf } from './stage_two/check'
import type { Rejected } from './stage_two/trace_cache'
import { GraphEntry, ReplacementEntry, type Entry } from './entry'
import { MultiOutputPattern, RepeatedExpr } from './expr/combined'
import { exprFromData, type OverloadsOf } from './expr/from_data'
import type { PatternExpr } from './expr/pattern_expr'
import { TargetExpr } from './expr/target'
import { UserExpr } from './expr/user_expr'
import { fxToPattern, INITIAL_IGNORE_TYPES } from './fx_to_pattern'
import { HandlerEdit } from './handler_edit'
import { takeHiddenNames } from './hidden_names'
import type { Match } from './match'
import { MatchContext } from './match_context'
import type { ApplyObserver } from './observer'
import { PatternMatcherPass, type ApplyResult } from './pass'
import { PatternPrettyPrinter } from './pretty_printer'
import { RefusedRegistration, type RefusalKind } from './reasons/refusal'
import type { SchemaLookup } from './schema_facts'
import { countLeaves, traceArgInfo } from './trace_args'
import {
  PythonError,
  type EntryTable,
  type GraphRegistration,
  type PatternData,
  type PatternTable,
  type RegisteredEntry,
  type Registration,
} from './types'
import type { MatchEdit, PatternHost, RegistrationSink } from './host'

export interface PatternRegistryOptions {
  /** The Python side; asked for when it is needed, as it may load later. */
  host: () => PatternHost
  /** Schemas: mutability, defaults. Without it, no operator is known to mutate. */
  schemaOf?: SchemaLookup
  overloadsOf?: OverloadsOf
}

export interface EntryView {
  index: number
  registration: Registration | GraphRegistration
  /** PatternPrettyPrinter.run of the initial pattern; for the kinds it cannot print, their repr. */
  text: string
  /** False where PatternPrettyPrinter.run raises. */
  printable: boolean
  /** `call_function:torch.ops.aten.add.Tensor`. */
  keys: readonly string[]
  /** The search function as traced over the example inputs; null when its pattern was given by hand. */
  searchGraph: Graph | null
}

/** A re-traced search function, with the names of its placeholders; or why it could not be traced. */
export type SpecificTrace =
  { graph: Graph; placeholders: readonly string[]; toInitial: readonly (number | null)[] | null } | Rejected

export interface PassView {
  id: number
  /** PatternMatcherPass(pass_name=…). */
  name: string | null
  entries: readonly EntryView[]
}

export class PatternRegistry implements RegistrationSink {
  private readonly passes = new Map<number, PatternMatcherPass>()
  private readonly patternsById = new Map<number, PatternExpr>()
  /** The last registration that was refused. */
  private refused: RefusedRegistration | null = null
  /** By number. */
  private readonly entries: Entry[] = []

  constructor(private readonly options: PatternRegistryOptions) {}

  newPass(passId: number, passName: string | null): void {
    this.passes.set(passId, new PatternMatcherPass(passId, passName))
  }

  /** @throws TorchError, PythonError for what register_replacement raises */
  registerReplacement(passId: number, registration: Registration): RegisteredEntry | null {
    try {
      return this.addReplacement(this.passOf(passId), registration)
    } catch (e) {
      if (e instanceof RefusedRegistration) this.refused = e
      throw e
    }
  }

  /** Why register_replacement raised this message; null when it did not. Python passes errors on as text. */
  refusalOf(message: string): RefusalKind | null {
    return this.refused !== null && this.refused.message === message ? this.refused.kind : null
  }

  private addReplacement(pass: PatternMatcherPass, registration: Registration): RegisteredEntry | null {
    const initialArgs = initialTraceArgs(registration)
    const given = registration.searchFnPattern
    const searchGraph = given ? null : this.traceSearch(registration, initialArgs)
    const pattern = given
      ? this.patternOf(given)
      : fxToPattern(searchGraph!, {
          ignoreTypes: INITIAL_IGNORE_TYPES,
          argNames: traceArgInfo(registration.argNames, initialArgs).flatNames,
          scalarWorkaround: registration.scalarWorkaround,
          exclusiveArgNames: registration.exclusiveArgNames,
          nestedInputs: initialArgs.some((v) => v.kind === 'vals'),
        })
    const text = PatternPrettyPrinter.run(pattern)
    const passes = [pass, ...(registration.alsoIn ?? []).map((id) => this.passOf(id))]
    const graphText = searchGraph && tracedText(searchGraph, registration)
    for (const held of passes) if (isDuplicate(held, text, graphText, registration.skipDuplicates)) return null
    return this.add(
      passes,
      new ReplacementEntry(registration, pattern, text, searchGraph, targetsOf(pattern), initialArgs),
    )
  }

  /** @throws TorchError for what register_graph_pattern raises */
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
    return { number: entry.number, text: entry.text, targets: entry.targets }
  }

  setPatterns(passId: number, table: EntryTable): void {
    this.passOf(passId).setTable(
      table.map(([op, target, numbers]) => [op, target, numbers.map((n) => this.entries[n]!)]),
    )
  }

  patternOf(data: PatternData): PatternExpr {
    return exprFromData(data, this.options.overloadsOf, this.patternsById, (fn, node, ctx, pattern) => {
      const { matchUser } = this.options.host()
      if (!matchUser) throw new Error('this host runs no _match')
      return matchUser.call(this.options.host(), fn, node, ctx, pattern)
    })
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
    return new HandlerEdit(match, graph, this.options.host(), this.schemaOf)
  }

  private get schemaOf(): SchemaLookup {
    return this.options.schemaOf ?? (() => null)
  }

  patternsOf(passId: number): PatternTable {
    return this.passOf(passId).table()
  }

  pass(passId: number): PassView {
    const pass = this.passOf(passId)
    return { id: pass.id, name: pass.name, entries: pass.entries.map((e) => viewOf(e, pass)) }
  }

  /** Applies a pass to the graph, in place. User errors are in the result. */
  apply(passId: number, graph: Graph, observer?: ApplyObserver): ApplyResult {
    const { host, schemaOf = () => null } = this.options
    takeHiddenNames(graph, schemaOf)
    return this.passOf(passId).apply(graph, host(), schemaOf, observer)
  }

  /** The same for a call from Python: the count of matches. @throws PythonError what the pass raised */
  applyOrThrow(passId: number, graph: Graph): number {
    const { count, error } = this.apply(passId, graph)
    if (error) throw new PythonError(error.pythonType, error.message, [])
    return count
  }

  /** The replacement over the example inputs, for showing; matching traces it again with the graph's shapes. */
  traceReplacementExample(entry: EntryView): { graph: Graph | null; error: string | null } {
    const { registration } = entry
    if (!('replace' in registration)) return { graph: null, error: null }
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
   * The search function of an entry traced with what a match would capture, as the specific stage would; cached with
   * the stage's own traces. Null for a pattern given by hand, and where an argument has no value.
   */
  specificTrace(passId: number, entryIndex: number, captured: ReadonlyMap<string, Arg>): SpecificTrace | null {
    const entry = this.passOf(passId).entries[entryIndex]
    if (!(entry instanceof ReplacementEntry) || entry.givenPattern) return null
    try {
      const args = argsOfMatch(entry, { kwargs: new Map(captured) })
      if ('rejected' in args) return null
      const specific = specificOf(entry, args, this.options.host())
      if ('rejected' in specific) return specific
      const { graph, placeholders, toInitial } = specific
      return graph && { graph, placeholders, toInitial }
    } catch (e) {
      if (e instanceof PythonError || e instanceof TorchError)
        return { rejected: { kind: 'retrace-raised', type: e.pythonType, message: e.message } }
      throw e
    }
  }

  /**
   * Both functions of an entry traced over other inputs than the example's, as `resize` gives them; null for a pattern
   * given by hand.
   * @throws TorchError, PythonError for what the functions raise
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

/** The example inputs by argument, scalar_workaround's values in their places. */
function initialTraceArgs(registration: Registration): Val[] {
  let next = 0
  return registration.argNames.map((name): Val => {
    const scalar = registration.scalarWorkaround?.get(name)
    if (scalar !== undefined) return { kind: 'scalar', value: scalar }
    const input = registration.exampleInputs[next++]
    if (!input) throw new TorchError('IndexError', 'list index out of range')
    return input
  })
}

/** The tensors of Python's that the leaves of initialTraceArgs are. */
function exampleIds({ argNames, exampleInputs, exampleIds: ids, scalarWorkaround }: Registration) {
  if (!ids) return undefined
  let [input, leaf] = [0, 0]
  return argNames.flatMap((name): (number | null)[] => {
    if (scalarWorkaround?.has(name)) return [null]
    const count = countLeaves(exampleInputs[input++] ?? null)
    return ids.slice(leaf, (leaf += count))
  })
}

/** The search graph as make_fx prints it: FX does not see the parameters of a bound method, so they are `arg0_1`. */
function tracedText(graph: Graph, { searchIsBound }: Registration): string {
  const text = printGraph(graph)
  if (!searchIsBound) return text
  const inputs = [...graph.nodes()].filter((n) => n.op === 'placeholder').map((n) => n.name)
  return text.replace(/\b\w+_1\b/g, (name) => {
    const i = inputs.indexOf(name)
    return i < 0 ? name : `arg${i}_1`
  })
}

/**
 * check_and_add_duplicate_pattern: constants are wildcards in the text, so two patterns are the same only when the
 * traced graphs are too.
 * @throws TorchError unless duplicates are to be skipped
 */
function isDuplicate(pass: PatternMatcherPass, text: string, graphText: string | null, skip: boolean): boolean {
  const seen = pass.seenPatterns.get(text)
  if (!seen || seen.length === 0) {
    pass.seenPatterns.set(text, [graphText])
    return false
  }
  if (graphText === null || seen.includes(graphText)) {
    if (skip) return true
    const what = graphText === null ? 'no graph' : `duplicated match graph ${graphText} `
    throw new RefusedRegistration('duplicate-pattern', 'RuntimeError', `Duplicate pattern: ${text} with ${what}`)
  }
  seen.push(graphText)
  return false
}

function targetsOf(pattern: PatternExpr): [string, string][] {
  if (pattern instanceof TargetExpr || pattern instanceof MultiOutputPattern || pattern instanceof RepeatedExpr)
    return pattern.fns.map((fn) => [pattern.op, fn])
  if (pattern instanceof UserExpr && pattern.op !== null && pattern.fns !== null) {
    const { op, fns } = pattern
    return fns.map((fn) => [op, fn])
  }
  throw new TorchError('AssertionError', 'pattern has no fns attribute')
}

function viewOf(entry: Entry, pass: PatternMatcherPass): EntryView {
  const { index, registration, pattern, text, searchGraph } = entry
  const printable = PatternPrettyPrinter.canPrint(pattern)
  return {
    index,
    registration,
    text,
    printable,
    searchGraph,
    keys: [...new Set(pass.targetsOf(entry).map(([op, t]) => `${op}:${qualified(op, t)}`))],
  }
}

/** _get_qualified_name: `_operator.getitem`, `torch.ops.aten.add.Tensor`. */
function qualified(op: string, target: string): string {
  if (op !== 'call_function' && target.split('.').length < 3) return target
  if (/^builtins\./.test(target)) return target.slice('builtins.'.length)
  return /^operator\./.test(target) ? `_${target}` : targetToText(target)
}
