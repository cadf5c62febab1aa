/** The examples in public/examples: workspaces with stored reports, so that the first screen needs no Python. */
import { create } from 'zustand'
import type { Report } from '../../engine/protocol'
import type { Workspace } from '../../workspace/types'
import type { ExampleInfo } from './catalog'
import { openWorkspace } from '../session/open_workspace'
import { currentSession, OPENING } from '../session/session'
import { toast } from '../session/view_store'
import { useWorkspace } from '../session/workspace_store'
import type { Draft } from '../../workspace/library'
import { draftOf, draftOfSent, type Sent } from '../session/kept_draft'
import { rememberOrigin } from '../session/kept_ids'
import { siteJson } from '../site_files'
import { messageOf } from '../../base/error_message'

export const useExamples = create(() => ({
  list: [] as ExampleInfo[],
  problem: null as string | null,
}))

/** The guide. `page`: the open one, docs/systems/PAGE.md; null: none. */
export const useGuide = create<{ page: string | null }>(() => ({ page: null }))

export async function loadExampleList(): Promise<ExampleInfo[]> {
  try {
    const list = await siteJson<ExampleInfo[]>('examples/index.json')
    useExamples.setState({ list, problem: null })
    return list
  } catch (e) {
    useExamples.setState({ problem: `The examples could not be loaded: ${messageOf(e)}` })
    return []
  }
}

/** The open example, edited or not. */
export function exampleNow(): ExampleInfo | undefined {
  const { origin } = useWorkspace.getState()
  return useExamples.getState().list.find((e) => e.id === origin)
}

/**
 * Opens an example, or its stored edits if there are any. If the user edits the open workspace while the example loads, that
 * workspace stays open and the example is offered.
 * @param fresh opens the published version
 * @param unlessChangedSince a workspace version; a newer workspace is kept and the example does not open
 * @param guide the page to show beside it; absent: the example's own page if the guide is open
 * @returns true if it opened
 */
export async function openExample(
  id: string,
  { fresh = false, unlessChangedSince, guide }: { fresh?: boolean; unlessChangedSince?: number; guide?: string } = {},
): Promise<boolean> {
  const info = useExamples.getState().list.find((e) => e.id === id)
  const { origin, version } = useWorkspace.getState()
  if (!info || (id === origin && !fresh)) return false
  // Aborted when the user opens something else before the example has loaded.
  const signal = currentSession().only(OPENING)
  try {
    const [draft, workspace, report] = await Promise.all([
      fresh ? null : draftOf(id),
      siteJson<Workspace>(`examples/${info.workspace}`),
      siteJson<Report>(`examples/${info.report}`).catch(() => null),
    ])
    if (signal.aborted) return false
    if (useWorkspace.getState().version !== (unlessChangedSince ?? version)) {
      if (unlessChangedSince === undefined) offer(info)
      return false
    }
    rememberOrigin(id)
    const edited = draft !== null && JSON.stringify(draft.workspace) !== JSON.stringify(workspace)
    const { openFile, startAt } = info.view ?? {}
    openWorkspace({
      workspace: draft?.workspace ?? workspace,
      foreign: draft?.foreign ?? null,
      origin: id,
      openFile,
      startAt,
      ...(report && { stored: { report, source: workspace, stale: edited } }),
    })
    useGuide.setState((s) => ({ page: guide ?? (s.page && info.page) }))
    return true
  } catch (e) {
    toast(`${info.title} could not be opened: ${messageOf(e)}`, { tone: 'bad' })
    return false
  }
}

/** Offers an example that finished loading after the open workspace was edited. */
function offer({ id, title }: ExampleInfo): void {
  toast(`${title} has loaded. You edited this workspace meanwhile, so it stays open.`, {
    action: { label: 'Open it', run: () => void openExample(id) },
  })
}

/** Reopens the user's own work. Returns false if no work has that id. */
export async function openDraft(origin: string): Promise<boolean> {
  const signal = currentSession().only(OPENING)
  return showDraft(await draftOf(origin), origin, signal)
}

/** Reopens the stored edits of a received workspace, if they began from the same source. */
export async function openSent(sent: Sent): Promise<boolean> {
  const signal = currentSession().only(OPENING)
  return showDraft((await draftOfSent(sent, null)).draft, sent.id, signal)
}

function showDraft(draft: Draft | null, origin: string, signal: AbortSignal): boolean {
  if (!draft || signal.aborted) return false
  rememberOrigin(origin)
  openWorkspace({ ...draft, origin })
  return true
}
