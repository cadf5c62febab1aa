/** Creates and opens links. */
import { fnv1a } from '../../../base/hash'
import { sha256 } from '../../../base/sha256'
import { isCapture } from '../../../engine/capture/read'
import type { Report } from '../../../engine/protocol'
import { FOREIGN, sourceOf } from '../../../workspace/code_origin'
import type { ReportSummary, Selection, Snapshot, Workspace } from '../../../workspace/types'
import { summaryOf, type CarriedScreen } from '../../session/summary'
import { carriedMisses } from './carried_misses'
import { openWorkspace } from '../../session/open_workspace'
import { currentSession, OPENING } from '../../session/session'
import { useRun } from '../../session/run_store'
import { pageAddress } from '../../session/address'
import { isExplaining } from '../../../engine/queries/report_index'
import { carriedGraph, carriedScreen, namedEntries, showScreen } from './carried_screen'
import { changeLook, sharedLook } from '../../on_screen/look/store'
import { usePin } from '../../on_screen/pin_store'
import { toast, useView } from '../../session/view_store'
import { useWorkspace } from '../../session/workspace_store'
import { draftOfSent, offerEdits, type Sent } from '../../session/kept_draft'
import { openDraft } from '../../examples/examples'
import { deleteWorkspace } from '../../session/library_list'
import { saveNow } from '../../session/saver'
import { activeEditor, cameraPlaces } from '../../commands/surfaces'
import { messageOf } from '../../../base/error_message'
import { groupByNow } from '../../on_screen/fold/folded'
import { unfoldedNow } from '../../on_screen/fold/folding'
import { encodeLink } from './encoder'
import { baseNow, linkOrigin, loadBase, storedReport } from './bases'

/** Maximum length of a fragment in Firefox, in characters. */
export const FIREFOX_LIMIT = 65_536
/** Maximum length of an address in Chromium, in characters. */
export const LINK_LIMIT = 2 * 1024 * 1024

export async function snapshotNow(): Promise<Snapshot> {
  const { workspace, openFile } = useWorkspace.getState()
  const { selection, mode, panel, stage, search } = useView.getState()
  const look = sharedLook()
  const { value: report, sent: summary } = useRun.getState().result
  const topLine = activeEditor()?.topLine()
  const [camera, cameraBeside] = cameraPlaces()
  const { pin } = usePin.getState()
  const unfolded = unfoldedNow()
  const groupBy = groupByNow()
  const screen = report && !summary ? { ...carriedScreen(report), ...(await carriedGraph(report)) } : {}
  return {
    v: 1,
    workspace,
    view: {
      selection,
      mode,
      panel,
      openFile,
      ...(topLine && topLine > 1 ? { topLine } : {}),
      ...(pin ? { pin } : {}),
      ...(camera && { camera }),
      ...(cameraBeside && { cameraBeside }),
      ...(stage !== null ? { stage } : {}),
      ...(look && { look }),
      ...(search.open && search.query.trim() !== '' && { find: search.query.trim() }),
      ...(unfolded ? { unfolded } : {}),
      ...(groupBy !== 'layer' && { groupBy }),
    },
    summary: summary ?? (report && sharedSummary(report, selection, screen)),
  }
}

/** While near misses are being searched for, those on screen belong to an earlier text and are not carried. */
function sharedSummary(report: Report, selection: Selection | null, screen: CarriedScreen): ReportSummary {
  const { explained } = useRun.getState()
  const current = explained.value === report && !isExplaining(report)
  return summaryOf(report, current ? carriedMisses(report, selection) : undefined, screen, namedEntries(report, screen))
}

export interface MadeLink {
  url: string
  /** Length of the fragment, in characters. */
  size: number
  /** False: source comments of the graph were left out to keep the link short. */
  comments: boolean
  /** Services that cut or refuse a text of this length. */
  cutBy: readonly string[]
  /** A warning about the length, one sentence. */
  warning: string | null
  tooLong: boolean
}

export async function makeLink(): Promise<MadeLink> {
  const base = await baseNow()
  const { fragment, comments } = await encodeLink(await snapshotNow(), base)
  const url = pageAddress() + fragment
  return { url, size: fragment.length, comments, cutBy: cutBy(url.length), ...judge(fragment.length) }
}

/**
 * Services that links are sent through, with the maximum characters per message. Slack truncates at 40,000 and recommends at most
 * 4,000.
 */
const MESSAGES: readonly (readonly [name: string, characters: number])[] = [
  ['Discord', 2_000],
  ['Slack', 4_000],
  ['GitHub comments', 65_536],
]

/** `Discord (2,000 characters)`, … @param length of the whole address, in characters */
export const cutBy = (length: number): string[] =>
  MESSAGES.filter(([, most]) => length > most).map(
    ([name, most]) => `${name} (${most.toLocaleString('en-US')} characters a message)`,
  )

export function judge(size: number): { warning: string | null; tooLong: boolean } {
  if (size > LINK_LIMIT)
    return {
      tooLong: true,
      warning:
        'This is too long for a link (browsers accept at most 2 MiB). Save it as a file and send that; it opens when dropped on the window.',
    }
  if (size > FIREFOX_LIMIT)
    return {
      tooLong: false,
      warning:
        'Firefox accepts at most 65,536 characters of a link, and many chat programs fewer: send the file instead.',
    }
  return { tooLong: false, warning: null }
}

/** The names of a snapshot's source: its origin is `link:ID`. */
export interface SourceName {
  id: string
  /** The id that earlier versions used. */
  earlier: string
  /** See Draft; absent: the workspace as it was sent. */
  source?: string
}

const nameOf = (text: string): SourceName => ({ id: sha256(text), earlier: fnv1a(text).toString(36) })

/**
 * Opens a snapshot from a link, or from a file sent instead of a long link. Its code runs only after the user agrees.
 * @param what the source's name in error messages
 * @param name identifies it, so that its edits can be stored
 */
export async function openSnapshotText(text: string, what = 'link', name = nameOf(text)): Promise<boolean> {
  const signal = currentSession().only(OPENING)
  try {
    const { decodeWithBase } = await import('../../../workspace/link')
    const decoded = await decodeWithBase(text, what, loadBase)
    if (!decoded.ok) {
      toast(decoded.error.message, { tone: 'bad' })
      return false
    }
    const { snapshot, base } = decoded.value
    const report = base && (await storedReport(snapshot, base).catch(() => null))
    if (signal.aborted) return false
    if (isCapture(snapshot.workspace.graph.text)) return await showCapture(snapshot, name)
    await showSnapshot(
      snapshot,
      sentAs(name, snapshot.workspace, (id) => linkOrigin(id, base)),
      report,
    )
    return true
  } catch (e) {
    toast(`The ${what} could not be read: ${messageOf(e)}`, { tone: 'bad' })
    return false
  }
}

/** A script's link: one run of a capture. */
async function showCapture(sent: Snapshot, name: SourceName): Promise<boolean> {
  const { capturedSnapshot } = await import('../../files/capture_link')
  const captured = await capturedSnapshot(sent)
  if (!captured) return false
  const origin = (id: string): string => linkOrigin(`${id}-run${captured.run}`, null)
  await showSnapshot(captured.snapshot, sentAs(name, captured.snapshot.workspace, origin))
  return true
}

const sentAs = ({ id, earlier, source }: SourceName, sent: Workspace, origin: (id: string) => string): Sent => ({
  id: origin(id),
  earlier: origin(earlier),
  source: source ?? sourceOf(sent),
})

/**
 * @param sent where its edits are saved
 * @param report the report that the site stores for this workspace, if it is an example: its code is the site's own
 */
export async function showSnapshot(snapshot: Snapshot, sent: Sent, report: Report | null = null): Promise<void> {
  const { view, summary } = snapshot
  const signal = currentSession().only(OPENING)
  const { draft: kept, other } = await draftOfSent(sent, snapshot.workspace)
  if (signal.aborted) return
  // A workspace stored as it was sent is stored only for its consent.
  const draft = kept && JSON.stringify(kept.workspace) !== JSON.stringify(snapshot.workspace) ? kept : null
  const workspace = draft?.workspace ?? snapshot.workspace
  openWorkspace({
    workspace,
    origin: sent.id,
    source: sent.source,
    foreign: kept ? kept.foreign : report ? null : FOREIGN,
    openFile: view.openFile,
    startAt: view.topLine,
    ...(report && !draft
      ? { stored: { report, source: workspace, stale: false } }
      : { summary: draft ? null : summary }),
    view,
  })
  offerEdits(other, openDraft)
  if (view.pin) usePin.getState().pinTo(view.pin)
  if (view.look) changeLook(view.look)
  if (view.find) useView.getState().setSearch({ open: true, query: view.find, at: -1 })
  // On a small screen, the part of the graph that the sender saw takes precedence over the last selected line.
  if (view.look || view.find) useView.getState().setPane('graph')
  if (summary && !draft) showScreen(summary, workspace)
  if (draft)
    toast('Your changes to this link are restored.', {
      action: { label: 'Show it as sent', run: () => void showAsSent(snapshot, sent, report) },
    })
}

/** The edits stay in the list of deleted workspaces. */
async function showAsSent(snapshot: Snapshot, sent: Sent, report: Report | null): Promise<void> {
  await saveNow()
  await deleteWorkspace(sent.id).catch(() => undefined)
  await showSnapshot(snapshot, sent, report)
}
