/** Making and opening links. */
import type { Snapshot } from '../../workspace/types'
import { summaryOf } from '../model/verdict'
import { INITIAL_RUN, useRun } from '../stores/run'
import { useView } from '../stores/view'
import { tabsOf, useWorkspace } from '../stores/workspace'
import { messageOf, run } from './runner'

/** Firefox keeps this many characters of a fragment. */
export const FIREFOX_LIMIT = 65_536
/** Chromium opens no longer address. */
export const LINK_LIMIT = 2 * 1024 * 1024

export function snapshotNow(): Snapshot {
  const { workspace, openFile } = useWorkspace.getState()
  const { selection, mode, panel } = useView.getState()
  const { report, summary } = useRun.getState()
  return { v: 1, workspace, view: { selection, mode, panel, openFile }, summary: report ? summaryOf(report) : summary }
}

export interface MadeLink {
  url: string
  /** Of the fragment, in characters. */
  size: number
  /** One plain sentence where the length matters. */
  warning: string | null
  tooLong: boolean
}

export async function makeLink(): Promise<MadeLink> {
  const { encodeSnapshot } = await import('../../workspace')
  const fragment = await encodeSnapshot(snapshotNow())
  const base = location.href.split('#')[0]!
  return { url: base + fragment, size: fragment.length, ...judge(fragment.length) }
}

export function judge(size: number): { warning: string | null; tooLong: boolean } {
  if (size > LINK_LIMIT)
    return {
      tooLong: true,
      warning:
        'This is too long for a link (browsers stop at 2 MiB). Save it as a file and send that; it opens when dropped on the window.',
    }
  if (size > FIREFOX_LIMIT)
    return {
      tooLong: false,
      warning:
        'Firefox keeps only 65,536 characters of a link and chat programs often fewer: for those, send the file.',
    }
  return { tooLong: false, warning: null }
}

/** What a file download holds: the same text as a link's fragment. */
export async function snapshotText(): Promise<string> {
  const { encodeSnapshot } = await import('../../workspace')
  return encodeSnapshot(snapshotNow())
}

/** Shows a snapshot. Its Python does not run before the person agrees. */
export async function openSnapshotText(text: string): Promise<boolean> {
  try {
    const { decodeSnapshot } = await import('../../workspace')
    const decoded = await decodeSnapshot(text)
    if (!decoded.ok) {
      useView.getState().toast(`This link could not be read: ${decoded.error.message}`, { tone: 'bad' })
      return false
    }
    showSnapshot(decoded.value)
    return true
  } catch (e) {
    useView.getState().toast(`This link could not be read: ${messageOf(e)}`, { tone: 'bad' })
    return false
  }
}

export function showSnapshot(snapshot: Snapshot): void {
  const { workspace, view, summary } = snapshot
  useWorkspace.getState().load(workspace, 'link', view.openFile)
  const hasPython = tabsOf(workspace).some((f) => workspace.files.includes(f) && f.text.trim() !== '')
  useRun.setState((s) => ({
    ...INITIAL_RUN,
    pythonReadyMs: s.pythonReadyMs,
    summary,
    consent: hasPython ? 'asked' : 'own',
  }))
  useView.setState({ selection: view.selection, mode: view.mode, panel: view.panel, hover: null })
  void run()
}
