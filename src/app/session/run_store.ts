/**
 * The state of the run. `report` is the last good one and stays on screen while a newer run is in progress or has
 * failed; `reportVersion` is the workspace version it belongs to.
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
  report: Report | null
  /** The workspace that `report` was made from; fixes apply to this text only. */
  source: Workspace | null
  /** The last explained report of this session. It stays on screen while a newer one is being explained. */
  explained: SourcedReport | null
  reportVersion: number
  /** Number of the report's own columns; the others are from the previous report until the new counts arrive. */
  columnsKnown: number
  /** The last graph read; newer than the report's while a run is in progress or after it failed. */
  graph: GraphView | null
  graphVersion: number
  running: boolean
  /** The engine is trying fixes for the report's causes. */
  fixing: boolean
  /** How the search for the report's fixes ended: `cut` by the time limit, or null: it has not. */
  fixesEnd: 'all' | 'cut' | null
  /** True for the re-run of a stored report, which shows no progress. */
  silent: boolean
  /** The report on screen is a stored one: nothing has run it in this page yet. */
  stored: boolean
  /** performance.now() at the start of the current run. */
  since: number
  progress: Progress | null
  /** The current run's failures; `report` is unchanged. */
  python: PythonFailure | null
  problems: Problem[]
  /** The reason why a run after `report` registered nothing, with its workspace version. */
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
  report: null,
  source: null,
  explained: null,
  reportVersion: -1,
  columnsKnown: 0,
  graph: null,
  graphVersion: -1,
  running: false,
  fixing: false,
  fixesEnd: null,
  silent: false,
  stored: false,
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
  { graph, report }: Pick<RunState, 'graph' | 'report'>,
  side: 'before' | 'after',
): GraphView | null => (side === 'after' ? (report?.after ?? null) : (graph ?? report?.graph ?? null))

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
function showing(s: RunState, report: Report, source = s.source): Pick<RunState, 'report' | 'source' | 'explained'> {
  return { report, source, explained: isExplaining(report) ? s.explained : { report, source } }
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
    graph: report.graph,
    graphVersion: version,
    summary: null,
  }
  // A link's summary is not a report to fall back on.
  if (report.python && s.report && s.report.passes.length > 0 && !s.summary)
    return { ...shared, early: report.causes?.length ? { causes: report.causes, version, source } : null }
  const columns = report.columns ?? earlierColumns(s.report, report)
  const shapes = report.shapes && withEarlierGuesses(s.report?.shapes, report.shapes)
  // What was off stays on screen until it is known again.
  const off = report.off ?? s.report?.off
  return {
    ...shared,
    stored: false,
    early: null,
    ...showing(
      s,
      columns || shapes || off
        ? { ...report, ...(columns && { columns }), ...(shapes && { shapes }), ...(off && { off }) }
        : report,
      source,
    ),
    reportVersion: version,
    columnsKnown: report.columns?.length ?? 0,
  }
}

/** Columns of the previous report, if it has the same patterns: they stay on screen until the new ones arrive. */
function earlierColumns(before: Report | null, now: Report): GraphColumn[] | undefined {
  const shape = (r: Report): string => r.passes.map((p) => `${p.name}:${p.entries.length}`).join()
  return before?.columns && shape(before) === shape(now) ? before.columns : undefined
}

/** The state with the graph of workspace `version`; a link's near misses are found on it. */
export function withGraph(s: RunState, graph: GraphView, version: number): Partial<RunState> {
  const read = { graph, graphVersion: version, problems: graph.problems }
  if (!s.summary || !s.source || s.reportVersion !== version) return read
  return { ...read, ...fromSender(s.summary, s.source, graph, s.report?.after) }
}

/** The state with the graph after the passes that a link carries; nothing once its code has run here. */
export function withSentAfter(s: RunState, after: GraphView): Partial<RunState> {
  return s.summary && s.source ? fromSender(s.summary, s.source, s.report?.graph, after) : {}
}

function fromSender(
  summary: ReportSummary,
  source: Workspace,
  graph?: GraphView,
  after?: GraphView | null,
): Pick<RunState, 'report' | 'explained'> {
  const report = reportOf(summary, source, graph, after)
  return { report, explained: { report, source } }
}

/** The state with the counts of workspace `version` on one of its graphs. */
export function withColumn(s: RunState, found: GraphColumn, version: number): Partial<RunState> {
  if (!s.report || s.reportVersion !== version) return {}
  return { ...showing(s, putColumn(s.report, found)), columnsKnown: s.columnsKnown + 1 }
}

/** The state with the explanations of the report of workspace `version`; those of other reports are ignored. */
export function withExplained(s: RunState, found: readonly PassExplained[], version: number): Partial<RunState> {
  if (!s.report || s.reportVersion !== version) return {}
  const passes = s.report.passes.map((p, i): PassReport => {
    const of = found.find((f) => f.pass === i)
    return of ? putExplained(p, of) : withFields(p, { explained: true })
  })
  return showing(s, { ...s.report, passes })
}

/** The state with PyTorch's answer to the report of workspace `version`; null: without the verdict of a recorded run. */
export function withAnswer(s: RunState, answer: PyTorchAnswer | null, version: number): Partial<RunState> {
  if (!s.report || s.reportVersion !== version) return {}
  const { capture: _recorded, ...rest } = s.report
  const passes = s.report.passes.map((p, i): PassReport => withFields(p, { pytorch: answer?.verdicts[i] ?? undefined }))
  return showing(s, { ...rest, passes, ...(answer && { capture: answer.capture }) })
}

/** The state with guesses of shapes for the report of workspace `version`. */
export function withShapes(s: RunState, shapes: GraphShapes, version: number): Partial<RunState> {
  return s.report && s.reportVersion === version ? showing(s, { ...s.report, shapes }) : {}
}

/** The state with what the environment turned off in the run of workspace `version`. */
export function withOff(s: RunState, off: NonNullable<Report['off']>, version: number): Partial<RunState> {
  if (!s.report || s.reportVersion !== version || (off.length === 0 && !s.report.off)) return {}
  return showing(s, { ...s.report, off })
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
  if (!s.report || s.reportVersion !== version || found.length === 0) return {}
  return showing(s, found.reduce(putFixes, s.report))
}

/** True if the report on screen is older than the text. */
export function isStale(s: RunState, workspaceVersion: number): boolean {
  return s.report !== null && s.reportVersion !== workspaceVersion && !s.silent
}

/** The report on screen is a run's of this session, not a stored one, and the user's Python did not fail. */
export function pythonHasRun(): boolean {
  const { report, summary } = useRun.getState()
  return report !== null && summary === null && report.python === null
}
