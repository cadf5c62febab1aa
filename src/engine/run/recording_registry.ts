/** A registry that records registrations in order, so that they can be replayed. */
import { messageOf } from '../../base/error_message'
import {
  PatternRegistry,
  type GraphRegistration,
  type InitialPattern,
  type LiveHost,
  type PatternRegistryOptions,
  type EntryView,
  type Registration,
} from '../../matcher'
import type { Val } from '../../fx'
import { TraceCache } from '../../matcher/stage_two/trace_cache'
import { PythonError, type CallableId, type RegisteredEntry } from '../../matcher/types'
import { TorchError } from '../../trace/types'
import type { PatternEdit } from '../../explain/fixes/trials'

type TracedReplacement = ReturnType<PatternRegistry['traceReplacementExample']>

/** Recorded patterns are not registered again: their functions cannot run. */
interface LiveOptions extends PatternRegistryOptions {
  host: () => LiveHost
}

export class RecordingRegistry extends PatternRegistry {
  readonly passIds: [number, string | null][] = []
  readonly registrations: { pass: number; registration: Registration | GraphRegistration }[] = []

  /** The number of registrations once the files had run; stages make the others each time they are called. */
  private ofFilesOnly = Infinity

  /** Registrations that raised an exception which user code caught. */
  private readonly raised = new Set<Registration | GraphRegistration>()
  /** The traces of the search functions. */
  private readonly traced = new Map<Registration, InitialPattern>()
  /** The traces of the replacements. */
  private readonly replaced = new Map<EntryView['registration'], TracedReplacement>()
  /** The traces of both for matches. */
  private readonly retraced = new Map<Registration, TraceCache>()
  /** The result returned to Python for each registration; null: its pattern is a duplicate. */
  private readonly answered: (RegisteredEntry | null)[] = []
  /** True if user code has changed the tables of passes. */
  private rearranged = false

  constructor(protected override readonly options: LiveOptions) {
    super(options)
  }

  /** Marks the following registrations as made by stages. */
  filesRan(): void {
    this.ofFilesOnly = this.registrations.length
  }

  /** The registrations that the files made. */
  get ofFiles(): RecordingRegistry['registrations'] {
    return this.registrations.slice(0, this.ofFilesOnly)
  }

  /** True if a stage registered patterns while it was called. */
  get hasOfStages(): boolean {
    return this.registrations.length > this.ofFilesOnly
  }

  protected override initialPattern(registration: Registration, args: readonly Val[]): InitialPattern {
    let known = this.traced.get(registration)
    if (!known) this.traced.set(registration, (known = super.initialPattern(registration, args)))
    return known
  }

  override traceReplacementExample(entry: Pick<EntryView, 'registration'>): TracedReplacement {
    const { registration } = entry
    let known = this.replaced.get(registration)
    if (!known) this.replaced.set(registration, (known = super.traceReplacementExample(entry)))
    return known
  }

  /** Continues with the registration's traces in `retraced`. */
  protected override tracesOf(registration: Registration): TraceCache {
    const traces = new TraceCache(this.retraced.get(registration))
    this.retraced.set(registration, traces)
    return traces
  }

  override setPatterns(...args: Parameters<PatternRegistry['setPatterns']>): void {
    this.rearranged = true
    super.setPatterns(...args)
  }

  override newPass(id: number, name: string | null): void {
    this.passIds.push([id, name])
    super.newPass(id, name)
  }

  override registerReplacement(pass: number, registration: Registration): RegisteredEntry | null {
    return this.recorded({ pass, registration }, () => super.registerReplacement(pass, registration))
  }

  override registerGraphPattern(pass: number, registration: GraphRegistration): RegisteredEntry {
    return this.recorded({ pass, registration }, () => super.registerGraphPattern(pass, registration))
  }

  private recorded<T extends RegisteredEntry | null>(
    made: RecordingRegistry['registrations'][number],
    register: () => T,
  ): T {
    this.registrations.push(made)
    try {
      const answer = register()
      this.answered.push(answer)
      return answer
    } catch (e) {
      this.raised.add(made.registration)
      throw e
    }
  }

  /** The files ran again: the tensors of the example inputs have new numbers. */
  takeInputs({ registrations }: RecordingRegistry): void {
    for (const [i, { registration }] of this.registrations.entries()) {
      const again = registrations[i]?.registration
      if ('search' in registration && again && 'search' in again && again.exampleIds)
        registration.exampleIds = again.exampleIds
    }
  }

  /**
   * Replays all registrations in a new registry; these functions are traced again. Null if Python would get a different answer,
   * because the user's code could then take another path.
   */
  tracedAgain(touched: ReadonlySet<CallableId>): RecordingRegistry | null {
    // Stages that create passes register patterns when they are called: only a run shows which.
    if (this.raised.size > 0 || this.rearranged || this.hasOfStages) return null
    const registry = new RecordingRegistry(this.options)
    for (const [registration, traced] of this.traced)
      if (!touched.has(registration.search)) registry.traced.set(registration, traced)
    for (const [registration, traced] of this.replaced)
      if (!('replace' in registration && touched.has(registration.replace))) registry.replaced.set(registration, traced)
    for (const [registration, traces] of this.retraced)
      if (![registration.search, registration.replace].some((fn) => touched.has(fn)))
        registry.retraced.set(registration, traces)
    try {
      for (const [id, name] of this.passIds) registry.newPass(id, name)
      for (const { pass, registration } of this.registrations)
        if ('search' in registration) registry.registerReplacement(pass, registration)
        else registry.registerGraphPattern(pass, registration)
    } catch (e) {
      if (e instanceof PythonError || e instanceof TorchError) return null
      throw e
    }
    registry.filesRan()
    return registry.answered.every((a, i) => a?.number === this.answered[i]?.number) ? registry : null
  }

  /**
   * Replays the files' registrations in a new registry; the search function of one is traced again.
   * @param index of the registration to trace again
   * @param edit a change of its trace
   * @param instead the same registration, made again by changed code
   * @returns the new registry, and the message of an exception that a registration raised now but not before
   */
  withPatternAgain(
    index: number,
    edit: PatternEdit | null,
    instead: Registration | null = null,
  ): {
    registry: RecordingRegistry
    error: string | null
  } {
    const { options } = this
    const target = this.ofFiles[index]?.registration
    const search = target && 'search' in target ? target.search : null
    const host = () => (search === null || !edit ? options.host() : editingHost(options.host(), search, edit))
    const registry = new RecordingRegistry({ ...options, host })
    for (const [registration, traced] of this.traced)
      if (registration !== target) registry.traced.set(registration, traced)
    for (const [id, name] of this.passIds) registry.newPass(id, name)
    for (const { pass, registration: first } of this.ofFiles) {
      const registration = first === target && instead ? instead : first
      try {
        if ('search' in registration) registry.registerReplacement(pass, registration)
        else registry.registerGraphPattern(pass, registration)
      } catch (e) {
        if (!this.raised.has(first)) return { registry, error: messageOf(e) }
      }
    }
    registry.filesRan()
    return { registry, error: null }
  }
}

/** Records registrations that hold no pattern. */
export class NotingRegistry extends PatternRegistry {
  constructor(
    options: PatternRegistryOptions,
    private readonly noted: Registration[],
  ) {
    super(options)
  }

  override registerReplacement(_pass: number, registration: Registration): null {
    this.noted.push(registration)
    return null
  }
}

/** Python, with an edit applied to the trace of one function. */
const editingHost = (host: LiveHost, search: number, edit: PatternEdit): LiveHost => ({
  recorded: false,
  trace(fn, argNames, args, options) {
    const graph = host.trace(fn, argNames, args, options)
    if (fn === search) edit(graph)
    return graph
  },
  extraCheck: (fn, match) => host.extraCheck(fn, match),
  handle: (fn, match) => host.handle(fn, match),
  matchUser: (fn, node, ctx, pattern) => host.matchUser(fn, node, ctx, pattern),
  anchorsUser: (fn, ctx, searched) => host.anchorsUser(fn, ctx, searched),
  traceDecisions: (fn) => host.traceDecisions(fn),
})
