/**
 * The state of the run. Each of the engine's answers is a section: its last good value, with its workspace version, stays on screen
 * while a newer run is in progress or has failed.
 */
import { withFields } from '../../base/lazy_field'
import {
  withColumn as putColumn,
  withExplained as putExplained,
  withFixes as putFixes,
} from '../../engine/session/merge_results'
import type {
  FixesFound,
  GraphColumn,
  GraphShapes,
  GraphView,
  PassExplained,
  PassReport,
  Problem,
  PyTorchAnswer,
  Report,
} from '../../engine/protocol'
import type { Workspace } from '../../workspace/types'
import type { EngineClient } from '../../engine/worker/client'
import { isExplaining } from '../../engine/queries/report_index'
import { done, isOf, isStale, NONE, type Outcome, type OutcomeSection, type ResultSection } from './section'
import type { Section, SourcedSection } from './section'
import { createSessionStore, until } from './session_store'
import { reportOf } from './summary'
import { useWorkspace } from './workspace_store'

export interface Progress {
  stage: 'python' | 'read' | 'run' | 'apply'
  text: string
  fraction: number | null
}

export interface RunState {
  /** The last good report. */
  result: ResultSection
  /** The last explained report of this session. It stays on screen while a newer one is being explained. */
  explained: SourcedSection<Report>
  /** The last graph read; newer than the report's while a run is in progress or after it failed. */
  graphRead: Section<GraphView>
  /** How the newest run ended. */
  outcome: OutcomeSection
  /** The run in progress: `since` is performance.now(); a `silent` one, of a stored report, shows no progress. */
  running: { since: number; silent: boolean; progress: Progress | null } | null
  /**
   * Whether the code may run: it is the user's own or the site's; it came from a link and waits for consent; consent is given;
   * another site frames the page; or (`unclean`) the last run crashed the page, so the user decides.
   */
  consent: 'own' | 'pending' | 'given' | 'framed' | 'unclean'
  /** The engine of the page, which outlives sessions. */
  engine: {
    client: EngineClient | null
    /** Answers an edit of comments; fetched with the engine, because before that there is no report to move. */
    answerAtNewLines(): boolean
    /** The time when Python was ready. */
    readyMs: number | null
    /** Bytes of Python's files on a slow line; null before and after. */
    loading: { received: number; total: number } | null
  }
}

const NO_OUTCOME: Outcome = {
  ...{ python: null, problems: [], console: [], stubs: [], inferredOps: [] },
  ...{ early: null, failure: null },
}

export const INITIAL_RUN: RunState = {
  result: { ...NONE, source: null, sent: null, columnsKnown: 0, fixes: 'none' },
  explained: { ...NONE, source: null },
  graphRead: NONE,
  outcome: { ...NONE, value: NO_OUTCOME, source: null },
  running: null,
  consent: 'own',
  engine: { client: null, answerAtNewLines: () => false, readyMs: null, loading: null },
}

export const useRun = createSessionStore<RunState>(
  () => INITIAL_RUN,
  ({ engine }) => ({ engine }),
)

/** The problems of the newest text: those of its graph until its run has ended. */
export const problemsOf = ({ graphRead, outcome }: Pick<RunState, 'graphRead' | 'outcome'>): Problem[] =>
  graphRead.value && graphRead.version > outcome.version ? graphRead.value.problems : outcome.value.problems

/** The end of a run that produced a report. */
export const outcomeOf = ({ python, problems, console, stubs, inferredOps }: Report): Outcome => ({
  ...NO_OUTCOME,
  ...{ python, problems, console, stubs, inferredOps },
})

/** The graph on one side: before, the newest graph read; after, the graph of the last good report. Null without one. */
export const graphOfSide = (
  { graphRead, result }: Pick<RunState, 'graphRead' | 'result'>,
  side: 'before' | 'after',
): GraphView | null =>
  side === 'after' ? (result.value?.after ?? null) : (graphRead.value ?? result.value?.graph ?? null)

/** The value of an answer about the run on screen; null once another run is on screen. */
export const useOfRun = <T>(section: Section<T>): T | null =>
  useRun((s) => isOf(section, s.result.version)) ? section.value : null

/** True while an answer belongs to another text than the editor's. */
export const useStale = (section: Section<unknown>): boolean =>
  isStale(
    section,
    useWorkspace((s) => s.version),
  )

/** True while the code must not run. */
export const isHeld = ({ consent }: Pick<RunState, 'consent'>): boolean =>
  consent === 'pending' || consent === 'framed' || consent === 'unclean'

/** Resolves when the run store satisfies a condition. */
export const untilRun = (holds: (s: RunState) => boolean): Promise<unknown> => until(useRun, holds)

/** Resolves when no run is in progress: the engine's state then belongs to the report on screen. */
export const runEnded = (): Promise<unknown> => untilRun((s) => !s.running)

/** The state change that shows a report, also as the last explained one if it is explained. */
export function showing(
  s: RunState,
  report: Report,
  of: Partial<ResultSection> = {},
): Pick<RunState, 'result' | 'explained'> {
  const result = { ...s.result, ...of, value: report }
  const { state, version, source } = result
  return { result, explained: isExplaining(report) ? s.explained : { state, version, value: report, source } }
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
  const before = s.result.value
  // A link's summary is not a report to fall back on.
  const kept = report.python && before && before.passes.length > 0 && !s.result.sent
  const early = kept && report.causes?.length ? report.causes : null
  const shared: Partial<RunState> = {
    outcome: { state: 'done', version, value: { ...outcomeOf(report), early }, source },
    graphRead: done(report.graph, version),
  }
  if (kept) return { ...shared, result: { ...s.result, fixes: 'none' } }
  const columns = report.columns ?? earlierColumns(before, report)
  const shapes = report.shapes && withEarlierGuesses(before?.shapes, report.shapes)
  // The list of what was off stays on screen until the new list arrives.
  const off = report.off ?? before?.off
  return {
    ...shared,
    ...showing(
      s,
      columns || shapes || off
        ? { ...report, ...(columns && { columns }), ...(shapes && { shapes }), ...(off && { off }) }
        : report,
      { state: 'done', version, source, sent: null, columnsKnown: report.columns?.length ?? 0, fixes: 'none' },
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
  const read = { graphRead: done(graph, version) }
  if (!s.result.sent || s.result.version !== version) return read
  return { ...read, ...fromSender(s, graph, s.result.value?.after) }
}

/** The state with the graph after the passes from a link; unchanged once the link's code has run here. */
export function withSentAfter(s: RunState, after: GraphView): Partial<RunState> {
  return fromSender(s, s.result.value?.graph, after)
}

function fromSender(s: RunState, graph?: GraphView, after?: GraphView | null): Partial<RunState> {
  const { source, sent } = s.result
  return source && sent ? showing(s, reportOf(sent, source, graph, after)) : {}
}

/** The state with the counts of workspace `version` on one of its graphs. */
export function withColumn(s: RunState, found: GraphColumn, version: number): Partial<RunState> {
  if (!s.result.value || s.result.version !== version) return {}
  return showing(s, putColumn(s.result.value, found), { columnsKnown: s.result.columnsKnown + 1 })
}

/** The state with the explanations of the report of workspace `version`; explanations of other reports are ignored. */
export function withExplained(s: RunState, found: readonly PassExplained[], version: number): Partial<RunState> {
  if (!s.result.value || s.result.version !== version) return {}
  const passes = s.result.value.passes.map((p, i): PassReport => {
    const of = found.find((f) => f.pass === i)
    return of ? putExplained(p, of) : withFields(p, { explained: true })
  })
  return showing(s, { ...s.result.value, passes }, { fixes: 'running' })
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

/** The state with the guessed shapes for the report of workspace `version`. */
export function withShapes(s: RunState, shapes: GraphShapes, version: number): Partial<RunState> {
  return s.result.value && s.result.version === version ? showing(s, { ...s.result.value, shapes }) : {}
}

/** The state with the list of what the environment turned off in the run of workspace `version`. */
export function withOff(s: RunState, off: NonNullable<Report['off']>, version: number): Partial<RunState> {
  if (!s.result.value || s.result.version !== version || (off.length === 0 && !s.result.value.off)) return {}
  return showing(s, { ...s.result.value, off })
}

/** The shapes of a report, with the previous report's guesses, which stay on screen until the new guesses arrive. */
function withEarlierGuesses(before: GraphShapes | undefined, now: GraphShapes): GraphShapes {
  const guesses = new Map(before?.rows.map((r) => [r.name, r.guess]))
  return {
    ...now,
    rows: now.rows.map((r) => (r.typed === null && !r.guess ? { ...r, guess: guesses.get(r.name) ?? null } : r)),
  }
}

/** The state with fixes added to their causes. @param search the state of the search */
export function withFixes(
  s: RunState,
  found: readonly FixesFound[],
  version: number,
  search: ResultSection['fixes'] = s.result.fixes,
): Partial<RunState> {
  const { early } = s.outcome.value
  if (early && s.outcome.version === version) {
    const causes = early.map((c, i) => {
      const of = found.find((f) => f.pass === null && f.stage === undefined && f.cause === i)
      return of ? { ...c, fixes: of.fixes, ...(of.tried.length > 0 && { tried: of.tried }) } : c
    })
    return { outcome: { ...s.outcome, value: { ...s.outcome.value, early: causes } } }
  }
  if (!s.result.value || s.result.version !== version) return {}
  if (found.length === 0) return { result: { ...s.result, fixes: search } }
  return showing(s, found.reduce(putFixes, s.result.value), { fixes: search })
}

/** The state after a run of workspace `version` without a report. */
export const withFailure = ({ outcome, result }: RunState, failure: string, version: number): Partial<RunState> => ({
  outcome: {
    state: 'done',
    version,
    value: { ...outcome.value, python: null, problems: [], early: null, failure },
    source: null,
  },
  result: result.fixes === 'running' ? { ...result, fixes: 'none' } : result,
  running: null,
})

/** True if the report on screen comes from a run of this session, not from storage, and the user's Python did not fail. */
export function pythonHasRun(): boolean {
  const { value, sent } = useRun.getState().result
  return value !== null && sent === null && value.python === null
}
