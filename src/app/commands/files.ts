/** The browser's own file dialogs: opening, and downloads. */
import { snapshotText } from '../live/share'
import { takeFiles } from '../live/sources'
import { useWorkspace } from '../stores/workspace'

export function chooseFiles(): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.onchange = () => void takeFiles(input.files ?? [])
  input.click()
}

export function download(name: string, text: string, type = 'text/plain'): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const a = document.createElement('a')
  a.href = url
  a.download = name
  a.click()
  setTimeout(() => URL.revokeObjectURL(url), 1000)
}

export async function downloadSnapshot(): Promise<void> {
  const name = useWorkspace.getState().workspace.name.replace(/[^\w.-]+/g, '-') || 'fusescope'
  download(`${name}.fusescope.txt`, await snapshotText())
}
