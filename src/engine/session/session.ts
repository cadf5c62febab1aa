/**
 * The state of one open workspace in the engine: the run of the last analysis, and queries over it.
 * Reason for length: one method for each request of the worker.
 */
import { memoizeByObject } from '../../base/memoize'
import { findFixes, type FixBudget } from '../../explain/fixes/search'
import type { RunPrograms } from '../../gpu/types'
import type { PythonAssets, SyntaxData } from '../../python/types'
import { withCalls } from '../../workspace/registration_calls'
import { pythonFiles } from '../../workspace/python_files'
import { DEFAULT_ENVIRONMENT, type Workspace } from '../../workspace/types'
import { reportAnalysis } from './analysis_report'
import { withGuesses } from '../shapes/with_guesses'
import { Captures } from '../capture/captures'
import { answerOf } from '../capture/report'
import { sameRegistrations } from '../capture/own_files'
import { isAsRecorded } from '../capture/workspace'
import { recordedRun, recordedSource } from '../capture/recorded_run'
import { complete } from '../../explain/pace'
import { explainPattern } from '../../explain/expressions/explain_pattern'
import type { ExplainedPattern } from '../../explain/expressions/types'
import type { ReportedPass } from '../report/pass_report'
import { matchNumbers } from '../numbers/match_numbers'
import type { MatchNumbers } from '../numbers/match_numbers_text'
import { graphPrograms } from '../programs/run_program'
import type { OperatorBodies } from '../programs/operator_bodies'
import { bodiesOf } from '../run/bodies'
import { stagesToFix } from '../run/code_stages'
import { FixTrials } from '../run/fix_trials'
import { Interpreter } from '../run/interpreter'
import { applyTo, makeRun, reportPasses, type Run, type RunInput } from '../run/run'
import { loweredText } from './lower'
import { matchPrograms, registeredPrograms } from './session_programs'
import type {
  Cause,
  FixesFound,
  GraphColumn,
  GraphShapes,
  PassExplained,
  PinAnswer,
  PyTorchAnswer,
  Report,
} from '../protocol'
import { editedFiles, isSameReport } from './edited_files'
import { explainPasses } from './explaining'
import { compareWith, graphOfFile, otherFile } from './comparing'
import { exportOf, type ExportRun } from './exporting'
import type { CompareReport } from '../compare/types'
import { PatternTrials } from '../from_selection/pattern_trials'
import type { PatternOptions, SelectionAnswer } from '../from_selection/types'
import type { Exported, ExportKind } from '../export/types'
import { languageFacts } from '../language/facts'
import type { LanguageFacts } from '../language/types'
import type { FolderCounts } from '../table/types'
import { FolderCounter } from './folder_counts'
import { withColumn, withExplained, withFixes } from './merge_results'
import { GraphCache, printAs, type FinishedGraph, type ReadGraph } from './graph_cache'
import { GraphColumns } from './graph_columns'
import { pinAnswer } from './pin'
import { StageGraphs, type KeyedStage } from '../pipeline/stage_graphs'
import { timelineOf } from './steps'
import type { Timeline } from './steps_types'
import { switchedOff } from '../switches/switched_off'
import { turnedOn } from '../switches/turn_on'
import type { SwitchedOff } from '../switches/types'

/** Time limit for comparing one kind of match, in ms, because the page waits for it. */
const KIND_MS = 1500

export interface Analysis {
  report: Report
  /** Equal keys mean equal graph views. */
  graphKey: string
  afterKey: string | null
}

/** The last analysis. */
interface Analyzed {
  workspace: Workspace
  run: Run
  source: ReadGraph
  passes: ReportedPass[]
  /** The graphs between the passes and after them; null if the files failed. */
  stages: StageGraphs | null
  after: FinishedGraph | null
  causes: readonly Cause[]
  explained: PassExplained[] | null
  /** For a capture: the run of its files, which explains it. */
  own?: Pick<Analyzed, 'run' | 'passes'>
}

/** True if the last analysis was derived from the previous run. */
interface AnsweredEdit {
  of: Analyzed
  report: Report
}

export class Session {
  readonly interpreter: Interpreter
  readonly ready: Promise<void>
  private readonly graphs: GraphCache
  private readonly captures = new Captures()
  private readonly columns = new GraphColumns()
  private readonly counter: FolderCounter
  private last: Analyzed | null = null
  /** The last analysis that ran all files. */
  private whole: Analyzed | null = null
  private edit: AnsweredEdit | null = null
  /** The syntax of a run's texts: Python parses each once per run. */
  private readonly syntaxOf = memoizeByObject(({ recorded }: Run) => {
    const parsed = new Map<string, SyntaxData | null>()
    return (text: string): SyntaxData | null => {
      if (recorded) return null
      if (!parsed.has(text)) parsed.set(text, this.interpreter.host.syntax(text))
      return parsed.get(text) ?? null
    }
  })

  /** @param onReady called once Python has loaded, before any user code runs */
  constructor(
    private readonly assets: PythonAssets,
    onReady?: () => void,
  ) {
    this.interpreter = new Interpreter(assets, onReady)
    this.ready = this.interpreter.ready
    this.graphs = new GraphCache(this.interpreter.schemaOf, this.interpreter.tracer)
    this.counter = new FolderCounter(this.interpreter)
  }

  pythonReady(): boolean {
    return this.interpreter.isReady
  }

  /** True if `analyze` runs no Python: the workspace is a capture in its recorded state. */
  isRecorded(workspace: Workspace): boolean {
    return isAsRecorded(workspace)
  }

  /** True if the last analysis was of a capture in its recorded state. */
  get recorded(): boolean {
    return (this.last?.run.recorded ?? null) !== null
  }

  /** True if Python is unusable: create another session. */
  broken(): boolean {
    return this.interpreter.broken
  }

  /** The workspace's graph; parsed again only when its text changes. */
  read(workspace: Workspace): ReadGraph {
    return this.graphs.read(workspace)
  }

  /**
   * Runs the workspace's Python and applies its passes to a copy of its graph. Python must be ready, unless the workspace is in its
   * recorded state. The report does not yet contain guessed shapes, the list of what is off, near misses and causes: see
   * `guessShapes`, `switchedOff` and `explain`, or `analyzeWhole`.
   * @param withOff true to include what the environment turned off
   */
  analyze(workspace: Workspace, { withOff = false }: { withOff?: boolean } = {}): Analysis {
    const started = performance.now()
    const { run, source } = this.run(workspace)
    const analysis = this.analyzedRun({ workspace, run, source, withOff }, started)
    this.whole = this.last
    return analysis
  }

  /**
   * The same for an edit whose answer can be derived from the last run, in a fraction of its time: code that the edit does not
   * affect is not run again. The caller verifies it with `confirmed`. Null if only a run shows the changes.
   */
  analyzeEdit(workspace: Workspace): Analysis | null {
    const { interpreter, whole } = this
    const started = performance.now()
    const edited = whole && editedFiles(whole.run, whole.workspace, workspace)
    // Nothing was edited: the user asks for a run.
    if (!edited || (edited.changed.length === 0 && whole === this.last)) return null
    const registrations = interpreter.edited(edited.registrations, edited.changed)
    if (!registrations) return null
    let source = this.read(workspace)
    const run = applyTo(interpreter, registrations, {
      files: edited.files,
      environment: workspace.environment,
      graph: source.graph,
      shaped: () => (source = this.graphs.readAfterPython(workspace)),
      listed: workspace.passes,
      detail: 'report',
    })
    const analysis = this.analyzedRun({ workspace, run, source }, started)
    this.edit = { of: this.last!, report: analysis.report }
    return analysis
  }

  /** True if the last analysis was derived from an earlier run and no run has confirmed it. */
  get isUnconfirmed(): boolean {
    return this.edit !== null && this.edit.of === this.last
  }

  /** Runs all files of the last analysis, if it was derived. Null if its report stands. */
  confirmed(): Analysis | null {
    const { edit, last } = this
    if (!edit || edit.of !== last) return null
    this.edit = null
    const analysis = this.analyze(last.workspace)
    if (!isSameReport(analysis.report, edit.report)) return analysis
    this.last!.explained = last.explained
    return null
  }

  /** Makes Python hold the last run's registrations again, which edits are answered from. */
  expectEdits(): void {
    const { whole, interpreter } = this
    if (whole && whole === this.last && !whole.run.recorded && !interpreter.holds(whole.run.registrations))
      interpreter.bringBack(whole.run.registrations)
  }

  private analyzedRun(
    { workspace, run, source, withOff }: Pick<Analyzed, 'workspace' | 'run' | 'source'> & { withOff?: boolean },
    started: number,
  ): Analysis {
    const { interpreter } = this
    const { registry } = run.registrations
    const { value, console } = interpreter.printing(run.registrations, (lease) => {
      const passes = reportPasses(interpreter, run)
      const captured = this.captures.reportOf(workspace, passes, run.recorded)
      const after = run.failure ? null : this.graphs.finish(run.pipeline.graph)
      const code = run.failure || run.recorded ? null : lease.host.runTests(run.graph)
      return { passes, captured, after, code }
    })
    const { passes, captured, after, code } = value
    const copies = after ? [...run.pipeline.stages, { after: after.swept, copies: after.copies }] : []
    const stages = after && new StageGraphs(run.graph, copies, source, after)
    const syntaxOf = this.syntaxOf(run)
    const report = reportAnalysis({
      workspace,
      source,
      run,
      stubs: code?.stubs ?? run.stubs,
      console: [...run.console, ...console],
      tests: code?.tests ?? [],
      passes: passes.map((p) => p.report),
      graphs: stages,
      after: after?.view ?? null,
      entriesIn: (passId) => registry.pass(passId).entries.length,
      syntaxOf,
      off: withOff ? switchedOff(run, syntaxOf) : [],
      ...(captured && { capture: captured }),
    })
    report.timings.totalMs = performance.now() - started
    this.last = { workspace, run, source, passes, stages, after, causes: run.causes, explained: null }
    return { report, graphKey: source.key, afterKey: after?.key ?? null }
  }

  /** Runs a workspace: its files, or the recorded patterns of its capture. */
  private run(workspace: Workspace): { run: Run; source: ReadGraph } {
    const { interpreter, captures } = this
    const read = this.read(workspace)
    const { tracer, schemaOf } = interpreter
    if (isAsRecorded(workspace)) {
      const replayed = interpreter.replay(read.graph, () =>
        captures.replay(workspace, { tracer, schemaOf, detail: 'report' }),
      )
      if (replayed) {
        const source = recordedSource(read, replayed)
        return { run: recordedRun(interpreter, workspace, source, replayed), source }
      }
    }
    let source = read
    const shaped = () => (source = this.graphs.readAfterPython(workspace))
    return { run: this.runFiles(workspace, { graph: read.graph, shaped }), source }
  }

  /** Runs the files of a workspace. A capture's files register patterns as in the recorded process. */
  private runFiles(workspace: Workspace, on: Pick<RunInput, 'graph' | 'shaped'>): Run {
    const { interpreter, captures } = this
    const files = pythonFiles(workspace)
    const { environment, passes: listed } = workspace
    const make = (): Run =>
      makeRun(interpreter, {
        ...on,
        files: withCalls(files, captures.callsOf(workspace)),
        environment,
        listed,
        detail: 'report',
      })
    const run = make()
    if (run.failure || run.pipeline.passes.length > 0 || !workspace.capture) return run
    return captures.findCalls(workspace, (text) => interpreter.host.syntax(text)) ? make() : run
  }

  /**
   * For a capture in its recorded state: explains it through a run of its files, which have lines, and then finds fixes. Runs the
   * files until the first yield. Null if Python is not ready, or the files do not register the recorded patterns.
   */
  *explainByFiles(): Generator<void, PassExplained[] | null> {
    const { last } = this
    const own = this.ownRun()
    yield
    const explained = last && own && this.last === last ? yield* this.explained(last, own) : null
    if (explained) last!.own = own!
    return explained
  }

  /** The run of a capture's files, if its registrations and matches equal the recorded ones. */
  private ownRun(): Pick<Analyzed, 'run' | 'passes'> | null {
    const { last } = this
    if (!last?.run.recorded || !this.pythonReady() || last.run.files.length === 0) return null
    const run = this.runFiles(last.workspace, { graph: last.source.graph })
    if (run.failure || !sameRegistrations(last.run.pipeline.passes, run.pipeline.passes)) return null
    return { run, passes: reportPasses(this.interpreter, run) }
  }

  /**
   * The last run; for a capture in its recorded state, the run of its files if its registrations and matches equal the recorded
   * ones.
   */
  explainableRun(): Run {
    return this.ownRun()?.run ?? this.lastRun()
  }

  /** The editor's completions. The modules are in the state after the user's files ran. */
  language(): LanguageFacts {
    const { host, tracer } = this.interpreter
    return languageFacts(host, tracer.declaredSchemas())
  }

  /** The shapes of the last analysis with guesses; null if its graph has all shapes. The caller may stop at a yield. */
  *guessShapes(): Generator<void, GraphShapes | null> {
    const { last } = this
    if (!last) return null
    return yield* withGuesses(last.source, last.passes, last.workspace.environment ?? DEFAULT_ENVIRONMENT)
  }

  /** What the environment turned off in the last analysis; computed after the report, because Python parses a file for it. */
  switchedOff(): SwitchedOff[] {
    const { last } = this
    return last ? switchedOff(last.run, this.syntaxOf(last.run)) : []
  }

  /** Explains why patterns of the last analysis did not fire. The caller may stop at a yield; a new analysis ends it. */
  *explain(): Generator<void, PassExplained[]> {
    const { last } = this
    return (last && (yield* this.explained(last, last))) ?? []
  }

  /** Explains the last analysis through a run; null once there is a new analysis. */
  private *explained(
    last: Analyzed,
    { run, passes }: Pick<Analyzed, 'run' | 'passes'>,
  ): Generator<void, PassExplained[] | null> {
    const slices = explainPasses(this.interpreter, run, passes)
    for (;;) {
      const step = slices.next()
      if (step.done) return (last.explained = step.value)
      yield
      if (this.last !== last) return null
    }
  }

  /**
   * Counts of the last analysis's pipeline on each graph of its workspace; null at points where the caller may stop. A
   * new analysis ends it.
   */
  *graphColumns(): Generator<GraphColumn | null> {
    const { last, interpreter } = this
    if (!last?.workspace.graphs || last.stages === null || last.run.recorded) return
    const { problems } = this.read(last.workspace)
    const shown = { graph: last.workspace.graph.name, problems, passes: last.passes }
    for (const found of this.columns.of(last.workspace, shown, interpreter, last.run)) {
      yield found
      if (this.last !== last) return
    }
  }

  /** Counts of the workspace's passes on its shown graph. Other requests about the last analysis still work. */
  counts(workspace: Workspace): FolderCounts {
    return this.counter.count(workspace)
  }

  /**
   * Fixes for the explained causes, as they are found; null between two trials, where the caller may stop. A new analysis
   * ends it. Other requests about the last analysis still work.
   * @returns true if the search ended before everything was tried
   */
  *fixes(budget?: FixBudget): Generator<FixesFound[] | null, { cut: boolean }> {
    const { last } = this
    if (!last) return { cut: true }
    const { run, passes: applied } = last.own ?? last
    // Recorded patterns have no code to edit, and the files did not run because Python could not be loaded.
    if (run.recorded) return { cut: run.files.length > 0 && !this.pythonReady() }
    const { causes, explained } = last
    const passes = (explained ?? []).map((e) => ({ ...e, key: applied[e.pass]?.key ?? '' }))
    const search = findFixes(
      new FixTrials(this.interpreter, run),
      { files: run.files, causes, passes, stages: stagesToFix(run) },
      budget,
    )
    for (;;) {
      const step = search.next()
      if (step.done) return step.value
      yield step.value
      if (this.last !== last || this.broken()) return { cut: true }
    }
  }

  /** Trials of fixes for the last analysis. @throws Error when nothing was analyzed */
  fixTrials(): FixTrials {
    return new FixTrials(this.interpreter, this.analyzed().run)
  }

  /**
   * The complete report in one call, for the terminal and for stored reports.
   * @param fixes also search for fixes, which takes several runs of the workspace per cause
   */
  analyzeWhole(workspace: Workspace, { fixes = false }: { fixes?: boolean } = {}): Analysis {
    const analysis = this.analyze(workspace, { withOff: true })
    const recorded = complete(this.explain())
    const explained = complete(this.explainByFiles()) ?? recorded
    const passes = analysis.report.passes.map((p, i) => withExplained(p, explained[i]!))
    const shapes = complete(this.guessShapes())
    let report: Report = { ...analysis.report, passes, ...(shapes && { shapes }) }
    for (const column of this.graphColumns()) if (column) report = withColumn(report, column)
    if (fixes) for (const found of this.fixes()) report = (found ?? []).reduce(withFixes, report)
    return { ...analysis, report }
  }

  /** The run of the last analysis. @throws Error when nothing was analyzed */
  lastRun(): Run {
    return this.analyzed().run
  }

  private analyzed(): Analyzed {
    if (!this.last) throw new Error('Nothing has been analyzed yet.')
    return this.last
  }

  /**
   * The graph of the last analysis, traced like a pattern: Dynamo's functions and methods, and operators that Inductor decomposes,
   * become the operators that patterns hold.
   * @returns the text of print_readable
   * @throws Error, one plain sentence with the call that cannot be traced
   */
  lower(): string {
    const { workspace, run } = this.analyzed()
    return this.interpreter.with(run.registrations, ({ host }) => loweredText(host, this.read(workspace).graph))
  }

  /**
   * The workspace of the last analysis as text that runs on a real PyTorch. Runs the workspace again, on each graph.
   * @throws Error when nothing was analyzed, or its Python failed
   */
  exported(kind: ExportKind, failing = false): Exported {
    const { workspace } = this.analyzed()
    const from: ExportRun = {
      workspace,
      interpreter: this.interpreter,
      library: this.assets.lib(),
      run: () => this.run(workspace).run,
      recordedOf: (run) => run.recorded && this.captures.recorded(workspace, run.recorded),
    }
    return exportOf(kind, from, failing)
  }

  /** PyTorch's answer to the files of the last analysis, from a recording of their passes on its graph; null if it cannot be read. */
  pytorchAnswer(recording: string): PyTorchAnswer | null {
    return answerOf(recording, this.analyzed().passes)
  }

  /**
   * Compares another graph of the last analysis's workspace with the shown graph: lost and new matches, with the changes that
   * decide.
   * @throws Error, one plain sentence
   */
  compare(other: string, role: 'old' | 'new'): CompareReport {
    const { interpreter } = this
    const { workspace, run, passes } = this.analyzed()
    const file = otherFile(workspace, other)
    const recorded = this.captures.compare(workspace, file, role, (f) => graphOfFile(f, interpreter.tracer))
    return (
      recorded ??
      interpreter.with(run.registrations, () => compareWith(other, role, { interpreter, workspace, run, passes }))
    )
  }

  /** A pattern for nodes of the workspace's graph, run beside the workspace's own code. */
  pattern(workspace: Workspace, nodes: readonly string[], options: PatternOptions): SelectionAnswer {
    const trials = new PatternTrials(this.interpreter, workspace.files)
    const { graph } = this.read(workspace)
    const made = trials.make(graph, workspace.graph.name, nodes, options)
    if (!made.ok) return { made: null, choices: [], refused: made.error }
    return { made: made.value, choices: trials.choices(graph, made.value, nodes), refused: null }
  }

  /** @throws Error, one plain sentence, if the last analysis has no such stage */
  print(workspace: Workspace, as: 'fx' | 'readable', which: 'before' | 'after' | number): string {
    if (typeof which === 'number') return printAs(this.ranStages().graph(which), as)
    const after = which === 'after' ? this.last?.after?.swept : undefined
    return printAs(after ?? this.read(workspace).graph, as)
  }

  program(pass: string, match: number): RunPrograms {
    return this.programs(({ passes }, bodies) => matchPrograms(passes, pass, match, bodies))
  }

  /**
   * The two sides of a registration, traced over inputs of these shapes (by argument; default: the example's). @throws
   * Error, one plain sentence
   */
  variantProgram(pass: string, entry: number, shapes: Record<string, number[]>): RunPrograms {
    return this.programs(({ passes, run: { registrations } }, bodies) =>
      registeredPrograms(passes, { registry: registrations.registry, bodies }, pass, entry, shapes),
    )
  }

  /** The whole graph before and after the passes of the last analysis. @throws Error, one plain sentence */
  graphProgram(): RunPrograms {
    return this.programs(({ workspace, passes: [first], after }, bodies) => {
      if (!first || !after) throw new Error('No pass has run, so there is no graph after it.')
      return graphPrograms(`${workspace.graph.name}, before and after`, first.before, after.swept, bodies)
    })
  }

  /** Programs with the bodies of the workspace's own operators. */
  private programs(make: (last: Analyzed, bodies: OperatorBodies) => RunPrograms): RunPrograms {
    const { interpreter } = this
    const last = this.analyzed()
    const { registrations } = last.run
    return interpreter.with(registrations, () => make(last, bodiesOf(interpreter, registrations)))
  }

  /** The match timeline of a pass at one node. @throws Error when there is no such pass */
  steps(pass: string, entry: number | null, node: string): Timeline {
    const { run, passes } = this.analyzed()
    const applied = passOf(passes, pass)
    const { before } = applied
    const passId = registeredId(applied)
    const { registrations, recorded } = run
    return this.interpreter.with(registrations, () => {
      recorded?.again(passes.indexOf(applied))
      const timeline = timelineOf(registrations.registry, { name: pass, passId, before }, entry, node)
      recorded?.again(null)
      return timeline
    })
  }

  /**
   * One pattern of the last analysis, expression by expression, with counts in the graph before its pass.
   * @throws Error when there is no such pass or pattern
   */
  explainPattern(pass: string, entry: number): ExplainedPattern {
    const started = performance.now()
    const { run, passes } = this.analyzed()
    const applied = passOf(passes, pass)
    const patterns = run.registrations.registry.patternsIn(registeredId(applied), entry)
    return { ...explainPattern(applied.toExplain, entry, patterns), ms: performance.now() - started }
  }

  /** Whether the numbers of each match of the last analysis hold. @throws Error, one plain sentence, for a capture */
  matchNumbers(): MatchNumbers[] {
    const { run } = this.analyzed()
    if (run.recorded) throw new Error('The matches of a capture are compared in Run, one by one.')
    return matchNumbers(this.interpreter, run, KIND_MS)
  }

  /** Parts that are off in the last analysis, with the settings of the environment that turn them on. */
  turnedOn(): SwitchedOff[] {
    const { run } = this.analyzed()
    if (run.recorded) return []
    return complete(turnedOn(this.interpreter, run, this.switchedOff()))
  }

  /** The graph after a stage of the last analysis; 0: the original graph. @throws Error, one plain sentence */
  stage(at: number): KeyedStage {
    return this.ranStages().view(at)
  }

  private ranStages(): StageGraphs {
    if (!this.last?.stages) throw new Error('No pass has run, so there is no graph between passes.')
    return this.last.stages
  }

  /** One pattern at one node of the last analysis. @throws Error when there is no such pass, pattern or node */
  pin(pass: string, entry: number, node: string): PinAnswer {
    const { run, passes } = this.analyzed()
    return this.interpreter.with(run.registrations, () => pinAnswer(passes, pass, entry, node))
  }
}

function passOf(passes: readonly ReportedPass[], name: string): ReportedPass {
  const applied = passes.find((p) => p.report.name === name)
  if (!applied) throw new Error(`The pass ${name} is not in the last run. Run the patterns again.`)
  return applied
}

/** @throws Error for a pattern that no pass of Inductor's matcher holds */
function registeredId({ passId }: ReportedPass): number {
  if (passId === null) throw new Error('SubgraphMatcher compares this pattern, which has no expressions and no stages.')
  return passId
}

export function createSession(assets: PythonAssets, onReady?: () => void): Session {
  return new Session(assets, onReady)
}
