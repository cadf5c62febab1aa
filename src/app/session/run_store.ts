/**
 * The state of the run. `report` is the last good one and stays on screen while a newer run is under way or has
 * failed; `reportVersion` is the workspace version it belongs to.
 */
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
  GraphView,
  PassExplained,
  PassReport,
  Problem,
  PythonFailure,
  Report,
  Stub,
} from '../../engine/protocol'
import type { ReportSummary, Workspace } from '../../workspace/types'
import { isExplaining } from './report_index'
import { createSessionStore } from './session_store'

export interface Progress {
  stage: 'python' | 'read' | 'run' | 'apply'
  text: string
  fraction: number | null
}

/** A report, and the workspace that it was made from (null for one that is not known). */
export interface SourcedReport {
  report: Report
  source: Workspace | null
}

export interface RunState {
  report: Report | null
  /** The workspace that `report` was made from: a fix is put into no other text. */
  source: Workspace | null
  /** The last report of this session that is explained. It stays on screen while a newer one is being explained. */
  explained: SourcedReport | null
  reportVersion: number
  /** How many of the report's columns are its own; the rest are of the report before it, until theirs come. */
  columnsKnown: number
  /** The graph as last read; newer than the report's when the run is not done or failed. */
  graph: GraphView | null
  graphVersion: number
  running: boolean
  /** Repairs of what the report explains are being tried. */
  fixing: boolean
  /** The time for them ran out: some causes were not tried. */
  fixesCut: boolean
  /** True for the re-run of a stored report: nothing on screen says so. */
  silent: boolean
  /** performance.now() when the present run began. */
  since: number
  progress: Progress | null
  /** The present run's own failures; the report above stays as it was. */
  python: PythonFailure | null
  problems: Problem[]
  /** Why a run that the report is not of came to nothing, and the workspace version it was of. */
  early: { causes: Cause[]; version: number; source: Workspace | null } | null
  failure: string | null
  console: ConsoleLine[]
  stubs: Stub[]
  inferredOps: string[]
  /** The verdict that came with a link, until its code has run here. */
  summary: ReportSummary | null
  /** A link's Python runs only after the person agreed. */
  consent: 'own' | 'asked' | 'given'
  pythonReadyMs: number | null
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
  fixesCut: false,
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
  consent: 'own',
  pythonReadyMs: null,
}

export const useRun = createSessionStore<RunState>(
  () => INITIAL_RUN,
  ({ pythonReadyMs }) => ({ pythonReadyMs }),
)

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

/** Resolves when no run is under way: the engine then answers about the report on screen. */
export const runEnded = (): Promise<void> => untilRun((s) => !s.running)

/** The change that shows a report, and remembers it as the last explained one if it is. */
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
  // A link's summary is not a report of ours to fall back on.
  if (report.python && s.report && s.report.passes.length > 0 && !s.summary)
    return { ...shared, early: report.causes?.length ? { causes: report.causes, version, source } : null }
  const columns = report.columns ?? earlierColumns(s.report, report)
  return {
    ...shared,
    early: null,
    ...showing(s, columns ? { ...report, columns } : report, source),
    reportVersion: version,
    columnsKnown: report.columns?.length ?? 0,
  }
}

/** Of the report before, where the same patterns were registered: they stay on screen until the new ones come. */
function earlierColumns(before: Report | null, now: Report): GraphColumn[] | undefined {
  const shape = (r: Report): string => r.passes.map((p) => `${p.name}:${p.entries.length}`).join()
  return before?.columns && shape(before) === shape(now) ? before.columns : undefined
}

/** The state with what the passes of workspace `version` did on one of its graphs. */
export function withColumn(s: RunState, found: GraphColumn, version: number): Partial<RunState> {
  if (!s.report || s.reportVersion !== version) return {}
  return { ...showing(s, putColumn(s.report, found)), columnsKnown: s.columnsKnown + 1 }
}

/** The state with what was found out about the report of workspace `version`; nothing of another report's. */
export function withExplained(s: RunState, found: readonly PassExplained[], version: number): Partial<RunState> {
  if (!s.report || s.reportVersion !== version) return {}
  const passes = s.report.passes.map((p, i): PassReport => {
    const of = found.find((f) => f.pass === i)
    return of ? putExplained(p, of) : { ...p, explained: true }
  })
  return showing(s, { ...s.report, passes })
}

/** The state with repairs put at their causes. */
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

/** Whether what is on screen is older than the text beside it. */
export function isStale(s: RunState, workspaceVersion: number): boolean {
  return s.report !== null && s.reportVersion !== workspaceVersion && !s.silent
}
