/** The browser's own file dialogs: opening, and downloads. */
import { snapshotFileName, writeSnapshotFile } from '../../../workspace'
import { snapshotNow } from '../share/share'
import { takeFiles } from './sources'

export function chooseFiles(): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.onchange = () => void takeFiles(input.files ?? [])
  input.click()
}

export function download(name: string, content: string | Blob, type = 'text/plain'): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content)
  const a = document.createElement('a')
  a.href = url
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

/** Saves the snapshot as a file, which opens when dropped on the window. */
export async function downloadSnapshot(): Promise<void> {
  const snapshot = await snapshotNow()
  download(snapshotFileName(snapshot), writeSnapshotFile(snapshot), 'application/json')
}
