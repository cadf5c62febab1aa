/** Applies the entries of a pass to one graph: attempts, checks, replacements. */
import { plainText } from '../base/message'
import { Node, type Arg, type Graph } from '../fx'
import { TorchError } from '../trace/types'
import { fixedLiteralsOf } from './stage_two/fixed_literals'
import { argsOfMatch, replacementOf, specificOf, type MatchArgs } from './stage_two/check'
import { commonCustomContext, customContexts, mergeCustomContext } from './custom_context'
import { BriefReasons } from './reasons/brief'
import { dropMessage, unknownShape, type DropReason } from './reasons/drop_reason'
import { GraphEntry, type Entry, type ReplacementEntry } from './entry'
import type { PatternExpr } from './expr/pattern_expr'
import { capturedRepr, type Captured, type Match, type MatchBindings, type MatchResult } from './match'
import { MutationRegions } from './mutation_regions'
import { HandlerEdit, viewOf } from './handler_edit'
import type { AppliedMatch, ApplyObserver, StepHooks } from './observer'
import { PatternPrettyPrinter } from './pretty_printer'
import { dictRepr, pythonClass, pyTruth } from './py'
import { replaceWithGraph } from './replace'
import type { SchemaLookup, TorchFacts } from './schema_facts'
import { capturedLeaves, unflattenMatchKwargs } from './trace_args'
import { VAL_KEYS, type Attempt, type CallableId, type MetaRead, type Phase } from './types'
import type { CheckAnswer, PatternHost } from './host'

/** What a check read, and where it returned False. */
type Refusal = Pick<CheckAnswer, 'reads' | 'returned'>

/** One application of a pass to a graph. */
export class Application {
  private readonly schemaOf: SchemaLookup
  private readonly regions: MutationRegions
  private readonly steps: StepHooks | null
  private readonly texts = new Map<PatternExpr, string | null>()
  private readonly briefs = new BriefReasons()

  constructor(
    private readonly graph: Graph,
    private readonly host: PatternHost,
    private readonly facts: TorchFacts,
    private readonly observer: ApplyObserver,
  ) {
    this.schemaOf = facts.schemaOf
    this.regions = new MutationRegions(graph, facts.schemaOf, facts.rules.refreshesRegions)
    this.steps = observer.steps ?? null
  }

  /** True if the entry matched at the node and was replaced. */
  tryEntry(entry: Entry, node: Node): boolean {
    const { steps } = this
    steps?.entry(entry, node)
    if (this.host.recorded) this.host.visiting(entry.number, node)
    const initial = this.attempt(entry, entry.pattern, 'initial', node, null)
    const match = initial.result
    if (!match.ok) return false
    const oneRegion = this.regions.areOne(match.nodes)
    steps?.regions(match.nodes, this.regions, oneRegion)
    if (!oneRegion) return dropped(initial, { kind: 'mutation-regions' })
    const oneContext = customContexts(match.nodes, this.facts.rules) === 1
    steps?.streams(match.nodes, oneContext)
    if (!oneContext) return dropped(initial, { kind: 'streams' })
    if (entry instanceof GraphEntry) return this.tryHandler(entry, node, match, initial)
    const args = argsOfMatch(entry, match)
    steps?.retrace(entry, args)
    if ('rejected' in args)
      return this.contradicts(entry, node, args.rejected) ? false : dropped(initial, args.rejected)
    const specific = specificOf(entry, args, this.host)
    steps?.retraced(entry, specific)
    if ('rejected' in specific) return dropped(initial, specific.rejected)
    const anchor = match.outputNodes()[0]
    if (!anchor) throw new TorchError('AssertionError', 'output node is None')
    const phase = specific.pattern === entry.pattern ? 'initial' : 'specific'
    const second = this.attempt(entry, specific.pattern, phase, anchor, specific.toInitial)
    if (!second.result.ok) return false
    if (this.facts.rules.scalarsInCheck)
      second.result.kwargs = unflattenMatchKwargs(second.result.kwargs, specific.argInfo, { defaults: args.structured })
    if (!this.passesExtraCheck(entry, second.result, second)) return false
    this.replace(entry, node, match, args)
    return true
  }

  /** True if the shapes that the graph lacks cannot let the entry match, because a fixed literal differs: an attempt says so. */
  private contradicts(entry: ReplacementEntry, node: Node, { kind }: DropReason): boolean {
    if (kind !== 'unknown-shape' || this.host.recorded) return false
    const pattern = fixedLiteralsOf(entry, this.host)?.pattern
    if (!pattern || pattern.attempt(node, this.schemaOf, null).result.ok) return false
    this.attempt(entry, pattern, 'specific', node, null)
    return true
  }

  private passesExtraCheck(entry: ReplacementEntry, match: Match, at: AttemptResult): boolean {
    const check = entry.registration.extraCheck
    if (check === null) return true
    const answer = this.callExtraCheck(check, match, at)
    if (answer === null) return false
    const passes = pyTruth(answer.value)
    this.steps?.extraCheck(passes)
    if (answer.value === null) return dropped(at, { kind: 'extra-check', none: true })
    return passes || this.refused(at, answer)
  }

  /**
   * Calls the user's check, and records the stubs whose answers it used. Null for one that raised after it read the shape
   * of a node without one: it gives no answer, and the match is dropped.
   */
  private callExtraCheck(check: CallableId, match: Match, at: AttemptResult): ({ value: unknown } & Refusal) | null {
    const { result, reads, stubs, returned } = this.host.extraCheck(check, viewOf(match))
    if (at.attempt && stubs.length > 0) at.attempt.stubs = stubs
    if ('value' in result) return { value: result.value, reads, returned }
    const shapeless = this.withoutVal(reads)
    if (shapeless.length === 0) throw result.raised
    dropped(at, unknownShape(shapeless))
    return null
  }

  private refused({ attempt }: AttemptResult, { reads, returned }: Refusal): false {
    const shapeless = this.withoutVal(reads)
    if (shapeless.length > 0) return dropped({ attempt }, unknownShape(shapeless))
    if (attempt && reads.length > 0) attempt.reads = reads
    if (attempt && returned) attempt.returned = returned
    return dropped({ attempt }, { kind: 'extra-check' })
  }

  /** Nodes whose value has a shape that was read where the graph has none. */
  private withoutVal(reads: readonly MetaRead[]): string[] {
    const names = new Set(reads.flatMap(([name, key, value]) => (value === null && VAL_KEYS.has(key) ? [name] : [])))
    // The output has no val, and neither has a call that returns nothing; a node that user code makes has none in PyTorch either.
    return [...names].filter((name) => {
      const node = this.graph.find(name)
      return node && node.users.size > 0 && !node.meta.madeAt
    })
  }

  private tryHandler(entry: GraphEntry, node: Node, match: Match, at: AttemptResult): boolean {
    const { extraCheck, handler } = entry.registration
    if (extraCheck !== null) {
      const answer = this.callExtraCheck(extraCheck, match, at)
      if (answer === null) return false
      const passes = this.facts.rules.boolChecks ? answer.value : pyTruth(answer.value)
      if (typeof passes !== 'boolean')
        throw new TorchError('AssertionError', `Expected bool, got <class '${pythonClass(passes)}'>`)
      this.steps?.extraCheck(passes)
      if (!passes) return this.refused(at, answer)
    }
    const edit = new HandlerEdit(match, this.graph, this.host, this.facts)
    const context = this.facts.rules.memoryPools ? commonCustomContext(match.nodes) : {}
    this.steps?.replacing(entry, match)
    const seen = this.observer.applied && appliedView(entry, node, match)
    const created: Node[] = []
    this.regions.tracking(
      (made) => {
        mergeCustomContext(made.meta, context)
        created.push(made)
      },
      () => this.graph.insertingBefore(node, () => this.host.handle(handler, edit)),
    )
    if (seen) {
      const [added, made] = [edit.added, created].map((nodes) => nodes.filter((n) => !n.erased).map((n) => n.name))
      const replacedBy = seen.outputs.map(() => null)
      this.observer.applied!({ ...seen, added: added!, replacedBy, made: made! })
      this.steps?.replaced(match, added!, replacedBy)
    }
    return true
  }

  private replace(entry: ReplacementEntry, node: Node, match: Match, args: MatchArgs): void {
    const replacement = replacementOf(entry, args, this.host)
    match.kwargs = args.structured
    const inputs = normalizeArgs(entry, match)
    this.steps?.replacing(entry, match)
    const seen = this.observer.applied && appliedView(entry, node, match)
    this.regions.around(match.nodes, replacement.nodes(), () => {
      const { added, replacedBy } = replaceWithGraph(match, this.graph, replacement, inputs, this.facts)
      if (!seen) return
      const names = added.map((n) => n.name)
      const outputs = replacedBy.map((n) => n?.name ?? null)
      this.observer.applied!({ ...seen, added: names, replacedBy: outputs })
      this.steps?.replaced(match, names, outputs)
    })
  }

  /** Text of a re-traced pattern, cached because equal layers share one. */
  private textOf(pattern: PatternExpr): string | null {
    let text = this.texts.get(pattern)
    if (text === undefined) {
      text = PatternPrettyPrinter.canPrint(pattern) ? PatternPrettyPrinter.run(pattern) : null
      this.texts.set(pattern, text)
    }
    return text
  }

  /** Tries a pattern. The Attempt is built only if an observer takes it. */
  private attempt(
    entry: Entry,
    pattern: PatternExpr,
    phase: Phase,
    node: Node,
    toInitial: readonly (number | null)[] | null,
  ): AttemptResult {
    const { result, ctx } = pattern.attempt(
      node,
      this.schemaOf,
      this.steps && this.steps.attempt(entry, phase, node, toInitial),
    )
    this.steps?.verdict(result)
    if (!this.observer.attempt) return { attempt: null, result }
    const attempt: Attempt = {
      entry: entry.index,
      phase,
      node: node.name,
      ok: result.ok,
      reason: null,
      nodes: result.ok ? result.nodes.map((n) => n.name) : null,
    }
    if (phase === 'specific') attempt.pattern = this.textOf(pattern)
    if (!result.ok) {
      // Field by field: destructuring with a rest object would cost as much as the attempt itself.
      const { kind, graphNode, pattern: blamed, argument, expected, found } = result.at
      const index = blamed?.patternNode ?? null
      const patternNode = index === null || !toInitial ? index : (toInitial[index] ?? null)
      attempt.reason = result.reason
      attempt.brief = this.briefs.of(result.failure, attempt.reason)
      attempt.mismatch = { kind, graphNode, patternNode, argument, expected, found }
      attempt.reached = ctx.reached.map((n) => n.name)
    }
    this.observer.attempt(attempt)
    return { attempt, result }
  }
}

interface AttemptResult {
  /** Null without an observer. */
  attempt: Attempt | null
  result: MatchResult
}

/** Records why a matching attempt was dropped. */
function dropped({ attempt }: Pick<AttemptResult, 'attempt'>, reason: DropReason): false {
  if (attempt) {
    attempt.dropped = plainText(dropMessage(reason))
    attempt.dropReason = reason
  }
  return false
}

/** Report data of an applied match, collected before the graph changes. */
function appliedView(entry: Entry, node: Node, match: Match): Omit<AppliedMatch, 'added' | 'replacedBy'> {
  return {
    entry: entry.index,
    node: node.name,
    nodes: match.nodes.map((n) => n.name),
    outputs: match.outputNodes().map((n) => n?.name ?? null),
    args: match.args.map(capturedRepr),
    kwargs: Object.fromEntries([...match.kwargs].map(([k, v]) => [k, capturedRepr(v)])),
    map: patternMap(match.ctx),
  }
}

/**
 * Flat inputs for the replacement's placeholders.
 * @throws TorchError for captures that belong to no argument
 */
function normalizeArgs(entry: ReplacementEntry, match: Match): Arg[] {
  if (match.args.length > 0)
    throw new TorchError(
      'TypeError',
      `register_replacement.<locals>.normalize_args() takes 0 positional arguments but ${match.args.length} ${match.args.length === 1 ? 'was' : 'were'} given`,
    )
  const rest = new Map(match.kwargs)
  const inputs: Arg[] = []
  const take = (name: string): void => {
    inputs.push(...capturedLeaves(rest.get(name) as Captured))
    rest.delete(name)
  }
  entry.registration.argNames.forEach(take)
  for (let i = 1; rest.has(`tangents_${i}`); i++) take(`tangents_${i}`)
  if (rest.size > 0) {
    const left = dictRepr([...rest].map(([k, v]) => [k, capturedRepr(v)] as const))
    throw new TorchError('AssertionError', `leftover kwargs: ${left}`)
  }
  return inputs
}

function patternMap(ctx: MatchBindings): [number, string][] {
  const map: [number, string][] = []
  for (const [pattern, node] of ctx.patternToNode)
    if (pattern.patternNode !== null && node instanceof Node) map.push([pattern.patternNode, node.name])
  return map.sort((a, b) => a[0] - b[0])
}
