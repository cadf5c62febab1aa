/**
 * The state of the run. What the engine answers is a section: its last good value stays on screen while a newer run is in
 * progress or has failed, with the workspace version that it belongs to.
 */
import { withFields } from '../../base/lazy_field'
import {
  withColumn as putColumn,
  withExplained as putExplained,
  withFixes as putFixes,
} from '../../engine/session/merge_results'
import type {
  Cause,
  ConsoleLine,
  FixesFound,
  GraphColumn,
  GraphShapes,
  GraphView,
  PassExplained,
  PassReport,
  Problem,
  PythonFailure,
  PyTorchAnswer,
  Report,
  Stub,
} from '../../engine/protocol'
import type { CarriedRun } from '../../workspace/carried'
import type { ReportSummary, Workspace } from '../../workspace/types'
import { isExplaining } from '../../engine/queries/report_index'
import { isOf, type ResultSection, type Section } from './section'
import { createSessionStore } from './session_store'
import { reportOf } from './summary'

export interface Progress {
  stage: 'python' | 'read' | 'run' | 'apply'
  text: string
  fraction: number | null
}

/** A report with the workspace that it was made from (null if unknown). */
export interface SourcedReport {
  report: Report
  source: Workspace | null
}

export interface RunState {
  result: ResultSection
  /** The last explained report of this session. It stays on screen while a newer one is being explained. */
  explained: SourcedReport | null
  /** The last graph read; newer than the report's while a run is in progress or after it failed. */
  graphRead: Section<GraphView>
  running: boolean
  /** The search for fixes of the report's causes: in progress, at its end, or `cut` by the time limit. */
  fixes: 'none' | 'running' | 'all' | 'cut'
  /** True for the re-run of a stored report, which shows no progress. */
  silent: boolean
  /** performance.now() at the start of the current run. */
  since: number
  progress: Progress | null
  /** The current run's failures; `result` is unchanged. */
  python: PythonFailure | null
  problems: Problem[]
  /** The reason why a run after that of `result` registered nothing, with its workspace version. */
  early: { causes: Cause[]; version: number; source: Workspace | null } | null
  failure: string | null
  console: ConsoleLine[]
  stubs: Stub[]
  inferredOps: string[]
  /** The summary stored in a link, until its code has run here. */
  summary: ReportSummary | null
  /** The GPU result of a link's sender, until something has run on the GPU here. */
  sentRun: CarriedRun | null
  /**
   * Whether the code may run (`unclean`: the last run ended the page, so the user decides): it is the user's own or the site's, it came from a link and waits for consent, consent is
   * given, or another site frames the page.
   */
  consent: 'own' | 'pending' | 'given' | 'framed' | 'unclean'
  pythonReadyMs: number | null
  /** Bytes of Python's files on a slow line; null before and after. */
  loading: { received: number; total: number } | null
}

export const INITIAL_RUN: RunState = {
  result: { state: 'none', version: -1, value: null, source: null, columnsKnown: 0 },
  explained: null,
  graphRead: { state: 'none', version: -1, value: null },
  running: false,
  fixes: 'none',
  silent: false,
  since: 0,
  progress: null,
  python: null,
  problems: [],
  early: null,
  failure: null,
  console: [],
  stubs: [],
  inferredOps: [],
  summary: null,
  sentRun: null,
  consent: 'own',
  pythonReadyMs: null,
  loading: null,
}

export const useRun = createSessionStore<RunState>(
  () => INITIAL_RUN,
  ({ pythonReadyMs, loading }) => ({ pythonReadyMs, loading }),
)

/** The graph on one side: before, the newest that was read; after, that of the last good report. Null without one. */
export const graphOfSide = (
  { graphRead, result }: Pick<RunState, 'graphRead' | 'result'>,
  side: 'before' | 'after',
): GraphView | null =>
  side === 'after' ? (result.value?.after ?? null) : (graphRead.value ?? result.value?.graph ?? null)

/** True while the code must not run. */
export const isHeld = ({ consent }: Pick<RunState, 'consent'>): boolean =>
  consent === 'pending' || consent === 'framed' || consent === 'unclean'

/** Resolves when the run store satisfies a condition. */
export function untilRun(holds: (s: RunState) => boolean): Promise<void> {
  if (holds(useRun.getState())) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = useRun.subscribe((s) => {
      if (!holds(s)) return
      stop()
      resolve()
    })
  })
}

/** Resolves when no run is in progress: the engine's state then belongs to the report on screen. */
export const runEnded = (): Promise<void> => untilRun((s) => !s.running)

/** The state change that shows a report, also as the last explained one if it is explained. */
function showing(s: RunState, report: Report, of: Partial<ResultSection> = {}): Pick<RunState, 'result' | 'explained'> {
  const result = { ...s.result, ...of, value: report }
  return { result, explained: isExplaining(report) ? s.explained : { report, source: result.source } }
}

/**
 * The state after the report of workspace `version`. A report whose Python failed leaves the last good one in place.
 * @param source the workspace at that version
 */
export function withReport(
  s: RunState,
  report: Report,
  version: number,
  source: Workspace | null = null,
): Partial<RunState> {
  const shared: Partial<RunState> = {
    python: report.python,
    problems: report.problems,
    failure: null,
    console: report.console,
    stubs: report.stubs,
    inferredOps: report.inferredOps,
    graphRead: { state: 'done', version, value: report.graph },
    summary: null,
  }
  // A link's summary is not a report to fall back on.
  const before = s.result.value
  if (report.python && before && before.passes.length > 0 && !s.summary)
    return { ...shared, early: report.causes?.length ? { causes: report.causes, version, source } : null }
  const columns = report.columns ?? earlierColumns(before, report)
  const shapes = report.shapes && withEarlierGuesses(before?.shapes, report.shapes)
  // What was off stays on screen until it is known again.
  const off = report.off ?? before?.off
  return {
    ...shared,
    early: null,
    ...showing(
      s,
      columns || shapes || off
        ? { ...report, ...(columns && { columns }), ...(shapes && { shapes }), ...(off && { off }) }
        : report,
      { state: 'done', version, source, columnsKnown: report.columns?.length ?? 0 },
    ),
  }
}

/** Columns of the previous report, if it has the same patterns: they stay on screen until the new ones arrive. */
function earlierColumns(before: Report | null, now: Report): GraphColumn[] | undefined {
  const shape = (r: Report): string => r.passes.map((p) => `${p.name}:${p.entries.length}`).join()
  return before?.columns && shape(before) === shape(now) ? before.columns : undefined
}

/** The state with the graph of workspace `version`; a link's near misses are found on it. */
export function withGraph(s: RunState, graph: GraphView, version: number): Partial<RunState> {
  const read: Partial<RunState> = {
    graphRead: { state: 'done', version, value: graph },
    problems: graph.problems,
  }
  if (!s.summary || s.result.version !== version) return read
  return { ...read, ...fromSender(s, s.summary, graph, s.result.value?.after) }
}

/** The state with the graph after the passes that a link carries; nothing once its code has run here. */
export function withSentAfter(s: RunState, after: GraphView): Partial<RunState> {
  return s.summary ? fromSender(s, s.summary, s.result.value?.graph, after) : {}
}

function fromSender(
  s: RunState,
  summary: ReportSummary,
  graph?: GraphView,
  after?: GraphView | null,
): Partial<RunState> {
  const { source } = s.result
  if (!source) return {}
  const report = reportOf(summary, source, graph, after)
  return { result: { ...s.result, value: report }, explained: { report, source } }
}

/** The state with the counts of workspace `version` on one of its graphs. */
export function withColumn(s: RunState, found: GraphColumn, version: number): Partial<RunState> {
  if (!s.result.value || s.result.version !== version) return {}
  return showing(s, putColumn(s.result.value, found), { columnsKnown: s.result.columnsKnown + 1 })
}

/** The state with the explanations of the report of workspace `version`; those of other reports are ignored. */
export function withExplained(s: RunState, found: readonly PassExplained[], version: number): Partial<RunState> {
  if (!s.result.value || s.result.version !== version) return {}
  const passes = s.result.value.passes.map((p, i): PassReport => {
    const of = found.find((f) => f.pass === i)
    return of ? putExplained(p, of) : withFields(p, { explained: true })
  })
  return showing(s, { ...s.result.value, passes })
}

/** The state with PyTorch's answer to the report of workspace `version`; null: without the verdict of a recorded run. */
export function withAnswer(s: RunState, answer: PyTorchAnswer | null, version: number): Partial<RunState> {
  if (!s.result.value || s.result.version !== version) return {}
  const { capture: _recorded, ...rest } = s.result.value
  const passes = s.result.value.passes.map((p, i): PassReport =>
    withFields(p, { pytorch: answer?.verdicts[i] ?? undefined }),
  )
  return showing(s, { ...rest, passes, ...(answer && { capture: answer.capture }) })
}

/** The state with guesses of shapes for the report of workspace `version`. */
export function withShapes(s: RunState, shapes: GraphShapes, version: number): Partial<RunState> {
  return s.result.value && s.result.version === version ? showing(s, { ...s.result.value, shapes }) : {}
}

/** The state with what the environment turned off in the run of workspace `version`. */
export function withOff(s: RunState, off: NonNullable<Report['off']>, version: number): Partial<RunState> {
  if (!s.result.value || s.result.version !== version || (off.length === 0 && !s.result.value.off)) return {}
  return showing(s, { ...s.result.value, off })
}

/** The shapes of a report, with the guesses of the previous one, which stay on screen until the new ones arrive. */
function withEarlierGuesses(before: GraphShapes | undefined, now: GraphShapes): GraphShapes {
  const guesses = new Map(before?.rows.map((r) => [r.name, r.guess]))
  return {
    ...now,
    rows: now.rows.map((r) => (r.typed === null && !r.guess ? { ...r, guess: guesses.get(r.name) ?? null } : r)),
  }
}

/** The state with fixes added to their causes. */
export function withFixes(s: RunState, found: readonly FixesFound[], version: number): Partial<RunState> {
  if (s.early?.version === version) {
    const causes = s.early.causes.map((c, i) => {
      const of = found.find((f) => f.pass === null && f.cause === i)
      return of ? { ...c, fixes: of.fixes, ...(of.tried.length > 0 && { tried: of.tried }) } : c
    })
    return { early: { ...s.early, causes } }
  }
  if (!s.result.value || s.result.version !== version || found.length === 0) return {}
  return showing(s, found.reduce(putFixes, s.result.value))
}

/** True if the report on screen is older than the text. */
export function isStale(s: RunState, workspaceVersion: number): boolean {
  return s.result.value !== null && !isOf(s.result, workspaceVersion) && !s.silent
}

/** The report on screen is a run's of this session, not a stored one, and the user's Python did not fail. */
export function pythonHasRun(): boolean {
  const { result, summary } = useRun.getState()
  const report = result.value
  return report !== null && summary === null && report.python === null
}
