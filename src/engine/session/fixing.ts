/** The world that fixes are tried in: changed files through the engine's own Python, tracer and matcher. */
import { messageOf } from '../../base/error_message'
import type { SourceFile } from '../../explain/fixes/change'
import type { SyntaxData } from '../../explain/fixes/syntax'
import type {
  Definition,
  FixPass,
  FixRun,
  FixWorld,
  GraphEdit,
  PatternEdit,
  Setting,
  Surroundings,
} from '../../explain/fixes/world'
import { clone, type Graph } from '../../fx'
import { PatternRegistry, type GraphRegistration, type PatternHost, type Registration } from '../../matcher'
import type { PythonEnvironment, PythonHost, PythonRun } from '../../python/types'
import { DEFAULT_ENVIRONMENT } from '../../workspace/types'
import { applyPasses, passKeysOf, wantedPasses } from '../pipeline/passes'

/** What a session lends; what it registered itself is gone from Python once a fix has run. */
export interface Lent {
  host: PythonHost
  /** From now on, registrations go there. */
  register(registry: PatternRegistry): void
  /** True while Python holds what was registered there. */
  holds(registry: PatternRegistry): boolean
  options: ConstructorParameters<typeof PatternRegistry>[0]
  graph: Graph
  /** Variables of the passes to apply; every module-level one when left out. */
  passes: readonly string[] | undefined
  /** Of the workspace. */
  environment?: PythonEnvironment | undefined
}

/** Keeps what was registered, in order, so that it can be registered once more. */
class Recorder extends PatternRegistry {
  readonly passIds: [number, string | null][] = []
  readonly made: { pass: number; registration: Registration | GraphRegistration }[] = []

  override newPass(id: number, name: string | null): void {
    this.passIds.push([id, name])
    super.newPass(id, name)
  }

  override registerReplacement(pass: number, registration: Registration): void {
    this.made.push({ pass, registration })
    super.registerReplacement(pass, registration)
  }

  override registerGraphPattern(pass: number, registration: GraphRegistration): void {
    this.made.push({ pass, registration })
    super.registerGraphPattern(pass, registration)
  }
}

export class EngineFixWorld implements FixWorld {
  private last: { files: readonly SourceFile[]; run: PythonRun; recorder: Recorder } | null = null

  private readonly edited = new Map<GraphEdit, Graph>()

  constructor(private readonly lent: Lent) {}

  get graph(): Graph {
    return this.lent.graph
  }

  get surroundings(): Surroundings {
    return this.lent.environment ?? DEFAULT_ENVIRONMENT
  }

  /** Other code has run in Python since: what the last run registered is gone. */
  forget(): void {
    this.last = null
  }

  run(files: readonly SourceFile[], setting: Setting | null = null): FixRun {
    const { run, recorder } = this.execute(files, setting)
    return this.outcome(files, run, recorder, setting)
  }

  runWithPattern(files: readonly SourceFile[], pass: string, key: string, edit: PatternEdit): FixRun {
    const kept = this.last?.files === files && this.lent.holds(this.last.recorder) ? this.last : null
    const { run, recorder } = kept ?? this.execute(files)
    const passId = run.passes.find((p) => p.variable === pass)?.passId
    const search = recorder.made[Number(key)]
    const { options } = this.lent
    const edited = new Recorder({
      ...options,
      host: () =>
        search && 'search' in search.registration
          ? editing(options.host(), search.registration.search, edit)
          : options.host(),
    })
    for (const [id, name] of recorder.passIds) edited.newPass(id, name)
    try {
      for (const { pass: id, registration } of recorder.made)
        if ('search' in registration) edited.registerReplacement(id, registration)
        else edited.registerGraphPattern(id, registration)
    } catch (e) {
      const message = messageOf(e)
      return this.outcome(
        files,
        { ...run, failure: { type: 'RuntimeError', message, frames: [], traceback: '' } },
        edited,
      )
    }
    return this.outcome(files, passId === undefined ? { ...run, passes: [] } : run, edited)
  }

  syntax(text: string): SyntaxData | null {
    return this.lent.host.syntax(text)
  }

  private execute(
    files: readonly SourceFile[],
    setting: Setting | null = null,
  ): { run: PythonRun; recorder: Recorder } {
    const { host, register, options } = this.lent
    const recorder = new Recorder(options)
    register(recorder)
    host.precisePlaces(true)
    try {
      const { environment } = this.lent
      const changed = setting?.environment
      const run = host.run(files, changed ? { ...(environment ?? DEFAULT_ENVIRONMENT), ...changed } : environment)
      host.drainConsole()
      const made = { files, run, recorder }
      this.last = changed ? null : made
      return made
    } finally {
      if (!host.broken) host.precisePlaces(false)
    }
  }

  private graphOf({ graph: edit }: Setting): Graph {
    if (!edit) return this.lent.graph
    let graph = this.edited.get(edit)
    if (!graph) {
      graph = clone(this.lent.graph).graph
      edit(graph)
      this.edited.set(edit, graph)
    }
    return graph
  }

  private outcome(
    files: readonly SourceFile[],
    run: PythonRun,
    recorder: Recorder,
    setting: Setting | null = null,
  ): FixRun {
    const { host, passes, options } = this.lent
    const graph = this.graphOf(setting ?? {})
    const definitions = new Map<number, Definition | null>()
    if (!run.failure)
      for (const { registration } of recorder.made)
        if ('search' in registration)
          for (const id of [registration.search, registration.replace]) definitions.set(id, host.callablePlace(id))
    const wanted = wantedPasses(run.passes, passes)
    const { applied } = run.failure
      ? { applied: [] }
      : applyPasses(graph, recorder, wanted, options.schemaOf ?? ((): null => null))
    host.drainConsole()
    const ordinal = new Map(recorder.made.map(({ registration }, i) => [registration, String(i)]))
    const passKeys = passKeysOf(applied.map((p) => p.report.name))
    return {
      files,
      setting,
      asked: run.asked,
      failure: run.failure,
      total: applied.reduce((sum, p) => sum + p.report.count, 0),
      definition: (callable) => definitions.get(callable) ?? null,
      passes: applied.map(({ report, toExplain, before, after, copies, matches }, i): FixPass => {
        const keys = toExplain.entries.map((e) => ordinal.get(e.registration) ?? '')
        return {
          key: passKeys[i]!,
          name: report.name,
          before,
          after,
          copies,
          matches,
          toExplain,
          keyOf: (entry) => keys[entry] ?? '',
          entryOf: (key) => (keys.includes(key) ? keys.indexOf(key) : null),
          fired: (entry) => report.entries[entry]?.fired ?? 0,
        }
      }),
    }
  }
}

/** The host, with what one function traces to changed. */
const editing = (host: PatternHost, search: number, edit: PatternEdit): PatternHost => ({
  trace(fn, argNames, args, options) {
    const graph = host.trace(fn, argNames, args, options)
    if (fn === search) edit(graph)
    return graph
  },
  extraCheck: (fn, match) => host.extraCheck(fn, match),
  ...(host.handle && { handle: (fn, match) => host.handle!(fn, match) }),
})
