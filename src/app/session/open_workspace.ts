/** Opens a workspace: the one function with which examples, links, drafts, files and the API replace the open one. */
import type { Report } from '../../engine/protocol'
import type { ForeignCode } from '../../workspace/code_origin'
import type { ReportSummary, ViewState, Workspace } from '../../workspace/types'
import { saveOpen } from './autosave'
import { consentOf } from './consent'
import { isExampleId, rememberOrigin } from './kept_ids'
import { INITIAL_RUN, outcomeOf, showing, useRun, type RunState } from './run_store'
import { run } from './runner'
import { replaceSession } from './session'
import { reportOf } from './summary'
import { useView } from './view_store'
import { newOrigin, useWorkspace } from './workspace_store'

export interface Opening {
  workspace: Workspace
  /** An example's id, `link:…` or `own:…`: the key under which edits are kept. */
  origin: string
  openFile?: string | undefined
  /** Initial scroll position of the open tab: a text to find, or the first visible line. */
  startAt?: string | number | undefined
  /** A stored report with the workspace that it was made from; stale if `workspace` is an edited draft of that one. */
  stored?: { report: Report; source: Workspace; stale: boolean }
  /** A link's summary, shown until its code has run. */
  summary?: ReportSummary | null
  /** Not null: the files hold a link's code, which runs after the user allowed it. Absent: null. */
  foreign?: ForeignCode | null
  /** The original of a received workspace (Draft). */
  source?: string | undefined
  view?: Partial<
    Pick<ViewState, 'selection' | 'mode' | 'stage' | 'panel' | 'camera' | 'cameraBeside' | 'unfolded' | 'groupBy'>
  >
}

/** Ends the open session, shows the workspace and runs it. */
export function openWorkspace(opening: Opening): void {
  const { workspace, origin, foreign, source, openFile, startAt, stored, view } = opening
  replaceSession(() => {
    useWorkspace.getState().load(workspace, origin, { foreign, source, openFile, startAt })
    useRun.setState(initialRun(opening))
    if (!view) return
    const { selection = null, mode, stage, panel, camera = null, cameraBeside = null } = view
    useView.setState({
      ...(mode && { mode }),
      ...(panel && { panel }),
      stage: stage ?? null,
      camera,
      cameraBeside,
      unfolded: view.unfolded ?? null,
      groupBy: view.groupBy ?? null,
    })
    if (selection) useView.getState().select(selection, camera?.side)
  })
  void run({ silent: stored !== undefined && !stored.stale })
}

/**
 * Remembers the open workspace.
 * @returns a function that opens it again with the same consent, and stores it: the page's address is then no longer the link's
 */
export function reopenLater(): () => void {
  const { workspace, origin, foreign, source, openFile } = useWorkspace.getState()
  return () => {
    openWorkspace({ workspace, origin, foreign, source: source ?? undefined, openFile })
    rememberOrigin(origin)
    if (!isExampleId(origin)) saveOpen()
  }
}

/** Opens a workspace as the user's own. @returns a function that reopens the previous workspace */
export function openOwn(opening: Omit<Opening, 'origin'>): () => void {
  const undo = reopenLater()
  const origin = newOrigin()
  rememberOrigin(origin)
  openWorkspace({ ...opening, origin })
  return undo
}

function initialRun({ workspace, foreign = null, stored, summary }: Opening): Partial<RunState> {
  const consent = consentOf(workspace, foreign)
  const { version } = useWorkspace.getState()
  if (summary) {
    const result = { ...INITIAL_RUN.result, state: 'sent' as const, version, source: workspace, sent: summary }
    return { consent, ...showing({ ...INITIAL_RUN, result }, reportOf(summary, workspace)) }
  }
  if (!stored) return { consent }
  const { report, source, stale } = stored
  const of = { state: 'stored' as const, version: stale ? version - 1 : version, source }
  const outcome = outcomeOf(report)
  return {
    consent,
    ...showing(INITIAL_RUN, report, { ...of, columnsKnown: stale ? 0 : (report.columns?.length ?? 0) }),
    graphRead: { ...of, value: report.graph },
    outcome: { ...of, value: stale ? { ...outcome, python: null, problems: [] } : outcome },
  }
}
