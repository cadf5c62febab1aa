/** A fix's edits by file: whether they fit the workspace's files, and what they do to them. */
import { fileOf } from '../../session/workspace_store'
import type { Fix, TextEdit } from '../../../engine/protocol'
import { editsDiff } from '../../../engine/table/files_diff'
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
    const ranges = own
      .map((e) => ({ from: offsetIn(text, e.from), to: offsetIn(text, e.to) }))
      .sort((a, b) => a.from! - b.from!)
    // Overlapping edits could produce different texts in the editor and in the diff.
    if (ranges.some(({ from, to }, i) => from === null || to === null || from > to || from < (ranges[i - 1]?.to ?? 0)))
      return false
  }
  return edits.length > 0
}

/** What Apply does. A link's diff is a text written by the sender, who may have added a diff that does not fit the edits. */
export function diffOf({ sent, kind, edits, diff }: Fix, madeFrom: Workspace | null): string {
  if (!sent || kind !== 'python') return diff
  if (!stillFits(edits, madeFrom, madeFrom!)) return ''
  return [...editsByFile(madeFrom!, edits)]
    .map(([name, own]) => editsDiff(name, textIn(madeFrom!, name)!, own))
    .join('')
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
