/** Applies a fix's edits to the workspace's files, if the files are unchanged since the fix was tried. */
import { fileOf } from '../../session/workspace_store'
import type { TextEdit } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'

/** Edits by workspace file name. */
export function editsByFile(workspace: Workspace, edits: readonly TextEdit[]): Map<string, TextEdit[]> {
  const files = new Map<string, TextEdit[]>()
  for (const edit of edits) {
    const name = fileOf(workspace, edit.file)
    files.set(name, [...(files.get(name) ?? []), edit])
  }
  return files
}

/** True if the files that `edits` change are equal to those the edits were made for. */
export function stillFits(edits: readonly TextEdit[], madeFrom: Workspace | null, now: Workspace): boolean {
  if (!madeFrom) return false
  for (const [name, own] of editsByFile(now, edits)) {
    const text = textIn(now, name)
    if (text === null || text !== textIn(madeFrom, name)) return false
    if (own.some((e) => offsetIn(text, e.from) === null || offsetIn(text, e.to) === null)) return false
  }
  return edits.length > 0
}

const textIn = (w: Workspace, name: string): string | null =>
  w.files.find((f) => f.name === name)?.text ?? (w.graph.name === name ? w.graph.text : null)

/** Offset of a line and column in a text; null if the text has no such position. */
export function offsetIn(text: string, at: { line: number; column: number }): number | null {
  let start = 0
  for (let line = 1; line < at.line; line++) {
    const end = text.indexOf('\n', start)
    if (end < 0) return null
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  const offset = start + at.column - 1
  return offset <= (end < 0 ? text.length : end) ? offset : null
}
