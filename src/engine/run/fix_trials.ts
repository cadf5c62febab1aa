/** Tries fixes: each trial is a run with changed files. */
import type { SourceFile } from '../../explain/fixes/change'
import type { SyntaxData } from '../../explain/fixes/syntax'
import type {
  Definition,
  FixPass,
  FixRun,
  NamedPass,
  TrialRunner,
  GraphEdit,
  PatternEdit,
  Setting,
  TrialEnvironment,
} from '../../explain/fixes/trials'
import { clone, type Graph } from '../../fx'
import type { EntryView, GraphRegistration, Registration } from '../../matcher'
import { PythonError } from '../../matcher/types'
import type { PythonHost } from '../../python/types'
import { DEFAULT_ENVIRONMENT } from '../../workspace/types'
import { checkNumbers, type KnownNumbers } from '../numbers/check'
import { functionKind } from '../numbers/functions'
import { stageNumbers } from '../numbers/edits_numbers'
import { newKinds } from '../numbers/new_kinds'
import type { NumbersResult } from '../numbers/types'
import type { OperatorBodies } from '../programs/operator_bodies'
import { firedByEntry, type PassRun } from '../pipeline/apply_pass'
import { nameOf } from '../pipeline/plan'
import type { PipelineRun } from '../pipeline/run'
import { bodiesOf } from './bodies'
import { fixStages, type EditedFixStage } from './code_stages'
import type { Interpreter, Registrations } from './interpreter'
import type { RecordingRegistry } from './recording_registry'
import { applyTo, type Run } from './run'

type Recorded = Registrations<RecordingRegistry>

/** A trial is a run of changed files. Several runs may keep their registrations; code that needs Python leases it. */
export class FixTrials implements TrialRunner {
  /** The last registrations in the workspace's environment. */
  private last: Loaded | null = null
  /** The registrations of the first run, with unchanged files. */
  private first: (Loaded & { pipeline: PipelineRun }) | null = null
  private readonly knownNumbers: KnownNumbers = new Map()
  private readonly edited = new Map<GraphEdit, Graph>()
  private readonly bodies = new WeakMap<FixRun, OperatorBodies>()
  private latest: FixRun | null = null
  private runs = 0

  /** @param repaired the run whose files are changed */
  constructor(
    private readonly interpreter: Interpreter,
    private readonly repaired: Pick<Run, 'graph' | 'environment' | 'listed'>,
  ) {}

  get tried(): number {
    return this.runs - (this.first ? 1 : 0)
  }

  get graph(): Graph {
    return this.repaired.graph
  }

  get environment(): TrialEnvironment {
    return this.repaired.environment ?? DEFAULT_ENVIRONMENT
  }

  run(files: readonly SourceFile[], setting: Setting | null = null): FixRun {
    return this.trial(files, this.load(files, setting), setting)
  }

  runCode(files: readonly SourceFile[], setting: Setting | null): FixRun {
    return this.trial(files, this.load(files, setting), setting, null, 'report')
  }

  screen(files: readonly SourceFile[], pass: NamedPass, key: string): FixRun | null {
    const { first, interpreter } = this
    const part = first && partWith(first.pipeline, pass, this.repaired.graph)
    const changed = files.filter((f, i) => f.text !== first?.files[i]!.text)
    if (!part || changed.length === 0 || !Number.isInteger(Number(key))) return null
    const { registry, python } = first.registrations
    const of = registry.ofFiles[Number(key)]?.registration
    if (!of || !('search' in of)) return null
    const patched = interpreter.patched(first.registrations, { files: changed, of }, (again) =>
      again instanceof PythonError
        ? { registry, error: `${again.pythonType}: ${again.message}` }
        : registry.withPatternAgain(Number(key), null, again),
    )
    if (!patched) return null
    const { made, holding } = patched
    return this.trial(files, { ...replayed(made, python, pass), holding }, null, part)
  }

  runWithPattern(
    files: readonly SourceFile[],
    pass: NamedPass,
    key: string,
    edit: PatternEdit,
    alone: boolean,
  ): FixRun {
    const { interpreter, first } = this
    const known = [first, this.last].find((l) => l?.files === files)
    const base = known?.registrations ?? this.load(files)
    const made = interpreter.with(base, () => base.registry.withPatternAgain(Number(key), edit))
    const part = alone && first ? partWith(first.pipeline, pass, this.repaired.graph) : null
    return this.trial(files, { ...replayed(made, base.python, pass), holding: base.holding }, null, part)
  }

  *numbers(run: FixRun, base: FixRun, ms: number): Generator<null, NumbersResult> {
    const started = performance.now()
    const kinds = newKinds(run, base, (of) => this.bodies.get(of) ?? null)
    return yield* checkNumbers(kinds, { started, ms }, this.knownNumbers)
  }

  stageNumbers(run: FixRun, stage: string, ms: number): Generator<null, NumbersResult> {
    const { rewrite } = (run.stages as readonly EditedFixStage[]).find((s) => s.name === stage)!
    const budget = { started: performance.now(), ms }
    return stageNumbers(rewrite, this.bodies.get(run) ?? null, budget, this.knownNumbers)
  }

  *sameFunction(a: Graph, b: Graph, ms: number): Generator<null, NumbersResult | null> {
    const started = performance.now()
    const kind = functionKind('pattern', a, b, this.latest && this.bodies.get(this.latest))
    return kind && (yield* checkNumbers([kind], { started, ms }))
  }

  syntax(text: string): SyntaxData | null {
    return this.interpreter.host.syntax(text)
  }

  private load(files: readonly SourceFile[], setting: Setting | null = null): Recorded {
    const { environment, graph } = this.repaired
    const changed = setting?.environment
    const code = {
      files,
      environment: changed ? { ...(environment ?? DEFAULT_ENVIRONMENT), ...changed } : environment,
      precise: true,
    }
    const registrations = this.interpreter.load(code, graph)
    this.last = changed ? null : { files, registrations }
    return registrations
  }

  private graphOf({ graph: edit }: Setting): Graph {
    if (!edit) return this.repaired.graph
    let graph = this.edited.get(edit)
    if (!graph) {
      graph = clone(this.repaired.graph).graph
      edit(graph)
      this.edited.set(edit, graph)
    }
    return graph
  }

  /** @param part the stages to run; null: all */
  private trial(
    files: readonly SourceFile[],
    registrations: Recorded,
    setting: Setting | null = null,
    part: Part | null = null,
    detail: 'attempts' | 'report' = 'attempts',
  ): FixRun {
    this.runs++
    const { interpreter } = this
    const { environment } = this.repaired
    const { graph, listed } = part ?? { graph: this.graphOf(setting ?? {}), listed: this.repaired.listed }
    return interpreter.with(registrations, ({ host }) => {
      const run = applyTo(interpreter, registrations, { files, environment, graph, listed, detail })
      const bodies = bodiesOf(interpreter, registrations)
      // Code only runs with changed files.
      if (detail === 'attempts' && setting === null && registrations === this.last?.registrations)
        this.first ??= { files, registrations, pipeline: run.pipeline }
      const definitions = run.failure
        ? new Map<number, Definition | null>()
        : definitionsOf(
            [...registrations.registry.ofFiles.map((r) => r.registration), ...madeIn(run, registrations)],
            host,
          )
      const stages = detail === 'report' ? fixStages(run, bodies) : []
      const made = { ...this.fixRun(run, registrations, setting, definitions), stages }
      this.bodies.set(made, bodies)
      this.latest = made
      return made
    })
  }

  private fixRun(
    { files, failure, pipeline }: Run,
    registrations: Recorded,
    setting: Setting | null,
    definitions: ReadonlyMap<number, Definition | null>,
  ): Omit<FixRun, 'stages'> {
    const { registry, python } = registrations
    const keys = new Map<unknown, string>(registry.ofFiles.map((r, i) => [r.registration, String(i)]))
    // A changed pattern affects the order of these no more than it affects that of registrations.
    madeIn({ pipeline }, registrations).forEach((registration, i) => keys.set(registration, `made ${i}`))
    const replacement = (entry: EntryView): Graph | null =>
      failure ? null : this.interpreter.with(registrations, () => registry.traceReplacementExample(entry).graph)
    return {
      files,
      setting,
      answers: python.asked,
      failure: failure && { ...failure, refusal: registry.refusalOf(failure.message)?.kind ?? null },
      total: pipeline.passes.reduce((sum, p) => sum + p.count, 0),
      definition: (callable) => definitions.get(callable) ?? null,
      passes: pipeline.passes.map((pass) =>
        fixPass(
          pass,
          pass.toExplain.entries.map((e) => keys.get(e.registration) ?? ''),
          replacement,
        ),
      ),
    }
  }
}

interface Loaded {
  files: readonly SourceFile[]
  registrations: Recorded
}

/** Stages that one call applies, and the graph that they receive. */
interface Part {
  graph: Graph
  listed: readonly string[]
}

/** The stages of the call that applies a pass; null for a pass that is applied more than once. */
function partWith({ stages, passes }: PipelineRun, { key, name }: NamedPass, source: Graph): Part | null {
  const at = stages.findIndex((s) => s.pass !== null && passes[s.pass]!.key === key)
  const again = passes.filter((p) => p.toExplain.name === name).length > 1
  const callableOf = (i: number): number | null | undefined => {
    const { stage } = stages[i] ?? {}
    return stage && 'defined' in stage ? stage.defined.callable : undefined
  }
  if (at < 0 || again) return null
  const together = (i: number): boolean => callableOf(at) !== null && callableOf(i) === callableOf(at)
  let [from, to] = [at, at]
  while (together(from - 1)) from--
  while (together(to + 1)) to++
  const listed = stages.slice(from, to + 1).map(({ stage }) => nameOf(stage))
  return { graph: stages[from - 1]?.after ?? source, listed: [...new Set(listed)] }
}

/** Registrations made again, with the outcome of their run. */
function replayed(
  { registry, error }: ReturnType<RecordingRegistry['withPatternAgain']>,
  python: Recorded['python'],
  { name }: NamedPass,
): Pick<Recorded, 'registry' | 'python'> {
  const failure = error === null ? python.failure : { type: 'RuntimeError', message: error, frames: [], traceback: '' }
  const line = error !== null || python.passes.some((p) => p.variable === name) ? python.line : []
  return { registry, python: { ...python, failure, line } }
}

/** @param entryKeys by entry */
function fixPass(
  pass: PassRun,
  entryKeys: readonly string[],
  replacement: (entry: EntryView) => Graph | null,
): FixPass {
  const { key, before, after, copies, matches, toExplain } = pass
  // The matches of a search do not count if the code raised before it replaced them.
  const fired = pass.passId === null && pass.raised ? [] : firedByEntry(pass)
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
      if (graph === undefined) replacements.set(entry, (graph = replacement(toExplain.entries[entry]!)))
      return graph
    },
    keyOf: (entry) => entryKeys[entry] ?? '',
    entryOf: (entryKey) => (entryKeys.includes(entryKey) ? entryKeys.indexOf(entryKey) : null),
    fired: (entry) => fired[entry] ?? 0,
  }
}

/** Definition sites of all search and replacement functions and handlers, by callable. */
function definitionsOf(
  registrations: readonly (Registration | GraphRegistration)[],
  host: PythonHost,
): Map<number, Definition | null> {
  const definitions = new Map<number, Definition | null>()
  for (const registration of registrations)
    for (const id of 'search' in registration ? [registration.search, registration.replace] : [registration.handler])
      definitions.set(id, id < 0 ? null : host.callablePlace(id))
  return definitions
}

/** The patterns that stages registered when they were called, in order: those that SubgraphMatcher searched, and those of passes. */
function madeIn({ pipeline }: Pick<Run, 'pipeline'>, { registry }: Recorded): EntryView['registration'][] {
  const ofFiles = new Set<unknown>(registry.ofFiles.map((r) => r.registration))
  return pipeline.passes.flatMap((p) => p.toExplain.entries.map((e) => e.registration)).filter((r) => !ofFiles.has(r))
}
