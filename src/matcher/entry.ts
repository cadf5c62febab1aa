/** The entries of a pass: a pattern with its replacement, or with a handler that edits the graph. */
import { NEWEST_RULES, type TorchRules } from '../base/torch_version'
import type { Graph, Val } from '../fx'
import { TraceCache } from './stage_two/trace_cache'
import type { PatternExpr } from './expr/pattern_expr'
import { traceArgInfo, type TraceArgInfo } from './trace_args'
import type { GraphRegistration, Registration } from './types'

/** A registered replacement with its pattern, before it is added to a pass. */
export interface ReplacementEntryOptions {
  registration: Registration
  pattern: PatternExpr
  /** PatternPrettyPrinter.run of the pattern. */
  text: string
  /** The traced search function; null for a hand-written pattern. */
  searchGraph: Graph | null
  /** True if stage two compares the pattern as it is. */
  given: boolean
  /** (op, target) pairs at which the entry is tried. */
  targets: readonly (readonly [op: string, target: string])[]
  /** The example inputs by argument of the search function. */
  initialArgs: readonly Val[]
  /** Default: the newest PyTorch's. */
  rules?: TorchRules
  traces?: TraceCache
}

export class ReplacementEntry {
  /** Position among the pass's entries. */
  index = 0
  /** Registration number within the run. */
  number = 0
  readonly argInfo: TraceArgInfo
  /** requires_grad of the example inputs' leaves. */
  readonly requiresGrad: readonly boolean[]
  readonly traces: TraceCache

  readonly registration: Registration
  readonly pattern: PatternExpr
  readonly text: string
  readonly searchGraph: Graph | null
  /** True if the pattern was given, with search_fn_pattern or by gen_register_replacement: then there is no re-trace. */
  readonly givenPattern: boolean
  readonly targets: readonly (readonly [op: string, target: string])[]
  readonly rules: TorchRules

  constructor({
    registration,
    pattern,
    text,
    searchGraph,
    given,
    targets,
    initialArgs,
    rules = NEWEST_RULES,
    traces = new TraceCache(),
  }: ReplacementEntryOptions) {
    this.rules = rules
    this.traces = traces
    this.registration = registration
    this.pattern = pattern
    this.text = text
    this.searchGraph = searchGraph
    this.givenPattern = given
    this.targets = targets
    this.argInfo = traceArgInfo(registration.argNames, initialArgs)
    this.requiresGrad = initialArgs.flatMap(gradLeaves)
  }

  /** A copy of the entry for another pass. */
  copy(): ReplacementEntry {
    return Object.assign(Object.create(ReplacementEntry.prototype) as ReplacementEntry, this)
  }
}

function gradLeaves(val: Val | null): boolean[] {
  if (val?.kind === 'vals') return val.items.flatMap(gradLeaves)
  return [val?.kind === 'tensor' && (val.requiresGrad ?? false)]
}

/** A hand-written pattern whose handler edits the graph (GraphPatternEntry). */
export class GraphEntry {
  /** Position among the pass's entries. */
  index = 0
  /** Registration number within the run. */
  number = 0
  readonly searchGraph = null

  constructor(
    readonly registration: GraphRegistration,
    readonly pattern: PatternExpr,
    readonly text: string,
    readonly targets: readonly (readonly [op: string, target: string])[],
  ) {}

  /** A copy of the entry for another pass. */
  copy(): GraphEntry {
    return Object.assign(Object.create(GraphEntry.prototype) as GraphEntry, this)
  }
}

export type Entry = ReplacementEntry | GraphEntry
