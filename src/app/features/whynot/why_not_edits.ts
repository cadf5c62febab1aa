/** A fix's edits as changes of the workspace's files: whether they still belong there, and what they make of them. */
import { fileOf } from '../../session/workspace_store'
import type { TextEdit } from '../../../engine/protocol'
import type { Workspace } from '../../../workspace/types'

/** Edits by the workspace's own file names. */
export function editsByFile(workspace: Workspace, edits: readonly TextEdit[]): Map<string, TextEdit[]> {
  const files = new Map<string, TextEdit[]>()
  for (const edit of edits) {
    const name = fileOf(workspace, edit.file)
    files.set(name, [...(files.get(name) ?? []), edit])
  }
  return files
}

/** Whether the files that `edits` change read as they did when the edits were made. */
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

/** Where a place is in a text; null when the text has no such place. */
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
