/** Downloads the workspace: as a file that opens here, or as text that runs on a real PyTorch. */
import { messageOf } from '../../../base/error_message'
import type { ExportKind } from '../../../engine/protocol'
import { runEnded, useRun } from '../../session/run_store'
import { engine } from '../../session/runner'
import { currentSession } from '../../session/session'
import { toast } from '../../session/view_store'
import { download } from '../../files/download'
import { snapshotFileName, writeSnapshotFile } from '../../../workspace'
import { snapshotNow } from './share'

/** The choices in the dialog and the palette. */
export const EXPORTS: readonly { kind: ExportKind; label: string; title: string }[] = [
  { kind: 'script', label: 'Script', title: 'Export as a script that counts the matches on a real PyTorch' },
  { kind: 'pytest', label: 'pytest', title: 'Export as a pytest file that asserts the matches on a real PyTorch' },
  { kind: 'patterns', label: 'Patterns', title: 'Export the patterns as PatternPrettyPrinter prints them' },
]

export async function exportWorkspace(kind: ExportKind): Promise<void> {
  const signal = currentSession().only('export')
  try {
    // A stored report is on screen before the engine has run the workspace.
    if (useRun.getState().running) toast('The export starts once the patterns have run.')
    await runEnded()
    if (signal.aborted) return
    const { fileName, text, notes } = await (await engine()).exported(kind)
    if (signal.aborted) return
    download(fileName, text, 'text/x-python')
    toast([`${fileName} is downloaded.`, ...notes].join(' '))
  } catch (e) {
    if (!signal.aborted) toast(messageOf(e), { tone: 'bad' })
  }
}

/** Saves the snapshot as a file, which opens when dropped on the window. */
export async function downloadSnapshot(): Promise<void> {
  const snapshot = await snapshotNow()
  download(snapshotFileName(snapshot), writeSnapshotFile(snapshot), 'application/json')
}
