/** Tries fixes: runs changed files through the engine's own Python, tracer and pipeline. */
import type { SourceFile } from '../../explain/fixes/change'
import type { SyntaxData } from '../../explain/fixes/syntax'
import type {
  Definition,
  FixPass,
  FixRun,
  TrialRunner,
  GraphEdit,
  PatternEdit,
  Setting,
  TrialEnvironment,
} from '../../explain/fixes/trials'
import { clone, type Graph } from '../../fx'
import type { EntryView, PatternRegistry, PatternRegistryOptions, SchemaLookup } from '../../matcher'
import type { PythonEnvironment, PythonHost, PythonRun } from '../../python/types'
import type { Tracer } from '../../trace/types'
import { DEFAULT_ENVIRONMENT } from '../../workspace/types'
import { checkNumbers, type KnownNumbers } from '../numbers/check'
import { functionKind } from '../numbers/functions'
import { newKinds } from '../numbers/new_kinds'
import type { NumbersResult } from '../numbers/types'
import { OperatorBodies } from '../programs/operator_bodies'
import { firedByEntry, type PassRun } from '../pipeline/apply_pass'
import { planPipeline } from '../pipeline/plan'
import { runPipeline } from '../pipeline/run'
import { RecordingRegistry } from './recording_registry'

/** Context of a trial. After a trial, Python no longer holds the session's registrations. */
export interface FixContext {
  host: PythonHost
  tracer: Tracer
  schemaOf: SchemaLookup
  options: PatternRegistryOptions
  /** Redirects registrations from Python to this registry. */
  register(registry: PatternRegistry): void
  /** True while Python holds the registrations of this registry. */
  holds(registry: PatternRegistry): boolean
  graph: Graph
  /** Names of the stages to apply; default: every defined stage. */
  passes: readonly string[] | undefined
  /** Of the workspace. */
  environment?: PythonEnvironment | undefined
}

export class FixTrials implements TrialRunner {
  private last: { files: readonly SourceFile[]; run: PythonRun; registry: RecordingRegistry } | null = null
  private readonly knownNumbers: KnownNumbers = new Map()
  private readonly edited = new Map<GraphEdit, Graph>()
  private readonly bodies = new WeakMap<FixRun, OperatorBodies>()
  private latest: FixRun | null = null

  constructor(private readonly context: FixContext) {}

  get graph(): Graph {
    return this.context.graph
  }

  get environment(): TrialEnvironment {
    return this.context.environment ?? DEFAULT_ENVIRONMENT
  }

  /** Marks the last trial's registrations as lost, because other code ran in Python since. */
  forget(): void {
    this.last = null
  }

  run(files: readonly SourceFile[], setting: Setting | null = null): FixRun {
    const { run, registry } = this.execute(files, setting)
    return this.outcome(files, run, registry, setting)
  }

  runWithPattern(files: readonly SourceFile[], pass: string, key: string, edit: PatternEdit): FixRun {
    const { holds, options } = this.context
    const kept = this.last?.files === files && holds(this.last.registry) ? this.last : null
    const { run, registry } = kept ?? this.execute(files)
    const { registry: edited, error } = registry.withEditedPattern(options, Number(key), edit)
    if (error !== null) {
      const failure = { type: 'RuntimeError', message: error, frames: [], traceback: '' }
      return this.outcome(files, { ...run, failure }, edited)
    }
    const isDefined = run.passes.some((p) => p.variable === pass)
    return this.outcome(files, isDefined ? run : { ...run, line: [] }, edited)
  }

  *numbers(run: FixRun, base: FixRun, ms: number): Generator<null, NumbersResult> {
    const started = performance.now()
    const kinds = newKinds(run, base, (of) => this.bodies.get(of) ?? null)
    return yield* checkNumbers(kinds, { started, ms }, this.knownNumbers)
  }

  *sameFunction(a: Graph, b: Graph, ms: number): Generator<null, NumbersResult | null> {
    const started = performance.now()
    const kind = functionKind('pattern', a, b, this.latest && this.bodies.get(this.latest))
    return kind && (yield* checkNumbers([kind], { started, ms }))
  }

  /** The bodies of a run's own operators, traced on demand. Runs the files again where a later run took Python. */
  private bodiesOf({ files, setting }: FixRun, places: PythonRun['bodies']): OperatorBodies {
    const { host, schemaOf } = this.context
    const trace = (call: Graph): Graph => {
      const isHeld = this.last?.files === files && this.context.holds(this.last.registry)
      if (!isHeld) this.execute(files, setting)
      return host.traceBody(call)
    }
    return new OperatorBodies({ place: (target) => places.get(target), schemaOf, trace })
  }

  syntax(text: string): SyntaxData | null {
    return this.context.host.syntax(text)
  }

  private execute(
    files: readonly SourceFile[],
    setting: Setting | null = null,
  ): { run: PythonRun; registry: RecordingRegistry } {
    const { host, register, options, environment } = this.context
    const registry = new RecordingRegistry(options)
    register(registry)
    host.precisePlaces(true)
    try {
      const changed = setting?.environment
      const run = host.run(files, changed ? { ...(environment ?? DEFAULT_ENVIRONMENT), ...changed } : environment)
      host.drainConsole()
      const made = { files, run, registry }
      this.last = changed ? null : made
      return made
    } finally {
      if (!host.broken) host.precisePlaces(false)
    }
  }

  /** @param key index of the entry's registration among those of the files */
  private replacementOf(
    { registration }: EntryView,
    key: string,
    { files, setting }: { files: readonly SourceFile[]; setting: Setting | null },
  ): Graph | null {
    const { last } = this
    const isHeld =
      last !== null &&
      this.context.holds(last.registry) &&
      last.registry.registrations[Number(key)]?.registration === registration
    const { registry } = isHeld ? last : this.execute(files, setting)
    const registered = registry.registrations[Number(key)]
    if (!registered) return null
    const { host } = this.context
    host.precisePlaces(true)
    try {
      return registry.traceReplacementExample(registered).graph
    } finally {
      if (!host.broken) host.precisePlaces(false)
    }
  }

  private graphOf({ graph: edit }: Setting): Graph {
    if (!edit) return this.context.graph
    let graph = this.edited.get(edit)
    if (!graph) {
      graph = clone(this.context.graph).graph
      edit(graph)
      this.edited.set(edit, graph)
    }
    return graph
  }

  private outcome(
    files: readonly SourceFile[],
    run: PythonRun,
    registry: RecordingRegistry,
    setting: Setting | null = null,
  ): FixRun {
    const { host, passes: listed, tracer, schemaOf } = this.context
    const definitions = run.failure ? new Map<number, Definition | null>() : definitionsOf(registry, host)
    const context = { registry, host, tracer, schemaOf, detail: 'attempts' } as const
    const { passes } = runPipeline(this.graphOf(setting ?? {}), planPipeline(run, listed), context)
    host.drainConsole()
    const replacement = (entry: EntryView, key: string): Graph | null =>
      run.failure ? null : this.replacementOf(entry, key, { files, setting })
    const keys = new Map(registry.registrations.map(({ registration }, i) => [registration, String(i)]))
    const made: FixRun = {
      files,
      setting,
      answers: run.asked,
      failure: run.failure && { ...run.failure, refusal: registry.refusalOf(run.failure.message)?.kind ?? null },
      total: passes.reduce((sum, p) => sum + p.count, 0),
      definition: (callable) => definitions.get(callable) ?? null,
      passes: passes.map((pass) =>
        fixPass(
          pass,
          pass.toExplain.entries.map((e) => keys.get(e.registration) ?? ''),
          replacement,
        ),
      ),
    }
    this.bodies.set(made, this.bodiesOf(made, run.bodies))
    this.latest = made
    return made
  }
}

/** @param entryKeys by entry */
function fixPass(
  pass: PassRun,
  entryKeys: readonly string[],
  replacement: (entry: EntryView, key: string) => Graph | null,
): FixPass {
  const { key, before, after, copies, matches, toExplain } = pass
  const fired = firedByEntry(pass)
  const replacements = new Map<number, Graph | null>()
  return {
    key,
    name: toExplain.name,
    before,
    after,
    copies,
    matches,
    toExplain,
    replacement(entry) {
      let graph = replacements.get(entry)
      if (graph === undefined)
        replacements.set(entry, (graph = replacement(toExplain.entries[entry]!, entryKeys[entry] ?? '')))
      return graph
    },
    keyOf: (entry) => entryKeys[entry] ?? '',
    entryOf: (entryKey) => (entryKeys.includes(entryKey) ? entryKeys.indexOf(entryKey) : null),
    fired: (entry) => fired[entry] ?? 0,
  }
}

/** Definition sites of all search and replacement functions and handlers, by callable. */
function definitionsOf(registry: RecordingRegistry, host: PythonHost): Map<number, Definition | null> {
  const definitions = new Map<number, Definition | null>()
  for (const { registration } of registry.registrations)
    for (const id of 'search' in registration ? [registration.search, registration.replace] : [registration.handler])
      definitions.set(id, host.callablePlace(id))
  return definitions
}
