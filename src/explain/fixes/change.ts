/** Text edits of files. */
import { changedRuns } from '../../base/sequences'
import type { TextEdit } from './types'

/** Replacement text for a range of one file, as offsets. */
export interface Change {
  file: string
  from: number
  to: number
  text: string
}

export interface SourceFile {
  name: string
  text: string
}

/** The files after the edits; null if two edits overlap. */
export function applyChanges(files: readonly SourceFile[], changes: readonly Change[]): SourceFile[] | null {
  const out: SourceFile[] = []
  for (const file of files) {
    const mine = changes.filter((c) => c.file === file.name).sort((a, b) => a.from - b.from || a.to - b.to)
    let text = ''
    let at = 0
    for (const c of mine) {
      if (c.from < at) return null
      text += file.text.slice(at, c.from) + c.text
      at = c.to
    }
    out.push({ name: file.name, text: text + file.text.slice(at) })
  }
  return out
}

/** Edits that turn one text into the other, each as small as line boundaries allow. */
export function textEdits(file: string, before: string, after: string): TextEdit[] {
  const lines = before.split(LINES)
  return changedRuns(lines, after.split(LINES)).map(({ at, removed, added }) => {
    const [old, now] = [removed.join(''), added.join('')]
    let head = 0
    while (head < old.length && old[head] === now[head]) head++
    let tail = 0
    while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
    const start = lines.slice(0, at).join('')
    return {
      file,
      from: endOf(start + old.slice(0, head)),
      to: endOf(start + old.slice(0, old.length - tail)),
      text: now.slice(head, now.length - tail),
    }
  })
}

/** Before each line but the first. */
const LINES = /(?<=\n)/

function endOf(text: string): TextEdit['from'] {
  const lines = text.split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

/** The edits of a text, with offsets instead of lines and columns. */
export function changesOfEdits(text: string, edits: readonly TextEdit[]): Change[] {
  const starts = [0]
  for (let i = text.indexOf('\n'); i >= 0; i = text.indexOf('\n', i + 1)) starts.push(i + 1)
  const offset = (p: { line: number; column: number }): number => (starts[p.line - 1] ?? text.length) + p.column - 1
  return edits.map(({ file, from, to, text: written }) => ({ file, from: offset(from), to: offset(to), text: written }))
}

/** The text after the edits, which must not overlap. */
export const applyEdits = (text: string, edits: readonly TextEdit[]): string =>
  changesOfEdits(text, edits)
    .sort((a, b) => b.from - a.from)
    .reduce((t, e) => t.slice(0, e.from) + e.text + t.slice(e.to), text)
