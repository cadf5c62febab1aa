/** Text edits of files and their diffs, for people and for editors. */
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

interface Hunk {
  /** Line numbers, from 0. */
  before: number
  removed: readonly string[]
  after: number
  added: readonly string[]
}

/** Runs of lines that differ, by the longest common subsequence. */
function hunks(a: readonly string[], b: readonly string[]): Hunk[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const x = a.slice(start, a.length - end)
  const y = b.slice(start, b.length - end)
  if (x.length * y.length > 4_000_000) return [{ before: start, removed: x, after: start, added: y }]
  const width = y.length + 1
  const common = new Int32Array((x.length + 1) * width)
  for (let i = x.length - 1; i >= 0; i--)
    for (let j = y.length - 1; j >= 0; j--)
      common[i * width + j] =
        x[i] === y[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const out: Hunk[] = []
  for (let i = 0, j = 0; i < x.length || j < y.length;) {
    if (i < x.length && j < y.length && x[i] === y[j]) {
      i++
      j++
      continue
    }
    const from = { i, j }
    while (i < x.length || j < y.length) {
      if (i < x.length && j < y.length && x[i] === y[j]) break
      if (j >= y.length || (i < x.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) i++
      else j++
    }
    out.push({ before: start + from.i, removed: x.slice(from.i, i), after: start + from.j, added: y.slice(from.j, j) })
  }
  return out
}

/** Edits that turn one text into the other, each as small as its lines allow. */
export function textEdits(file: string, before: string, after: string): TextEdit[] {
  const a = before.split('\n')
  return hunks(a, after.split('\n')).map((h) => {
    if (h.removed.length === 0) {
      const text = h.added.map((l) => `${l}\n`).join('')
      // After the last line there is no following line to insert before.
      if (h.before >= a.length) {
        const end = { line: a.length, column: a.at(-1)!.length + 1 }
        return { file, from: end, to: end, text: `\n${text.slice(0, -1)}` }
      }
      const at = { line: h.before + 1, column: 1 }
      return { file, from: at, to: at, text }
    }
    if (h.added.length === 0) {
      const last = h.before + h.removed.length
      if (last < a.length)
        return { file, from: { line: h.before + 1, column: 1 }, to: { line: last + 1, column: 1 }, text: '' }
      const end = { line: last, column: a[last - 1]!.length + 1 }
      const from = h.before === 0 ? { line: 1, column: 1 } : { line: h.before, column: a[h.before - 1]!.length + 1 }
      return { file, from, to: end, text: '' }
    }
    const old = h.removed.join('\n')
    const now = h.added.join('\n')
    let head = 0
    while (head < old.length && head < now.length && old[head] === now[head]) head++
    let tail = 0
    while (
      tail < old.length - head &&
      tail < now.length - head &&
      old[old.length - 1 - tail] === now[now.length - 1 - tail]
    )
      tail++
    return {
      file,
      from: place(h.before, old.slice(0, head)),
      to: place(h.before, old.slice(0, old.length - tail)),
      text: now.slice(head, now.length - tail),
    }
  })
}

function place(line: number, text: string): { line: number; column: number } {
  const lines = text.split('\n')
  return { line: line + lines.length, column: lines.at(-1)!.length + 1 }
}

/** The edits of a text, with offsets in place of lines and columns. */
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

const CONTEXT = 2

/** A unified diff; empty if the texts are equal. */
export function unifiedDiff(name: string, before: string, after: string): string {
  const a = before.split('\n')
  const found = hunks(a, after.split('\n'))
  if (found.length === 0) return ''
  const out = [`--- ${name}`, `+++ ${name}`]
  for (let i = 0; i < found.length;) {
    let j = i + 1
    while (j < found.length && found[j]!.before - (found[j - 1]!.before + found[j - 1]!.removed.length) <= 2 * CONTEXT)
      j++
    const group = found.slice(i, j)
    const first = group[0]!
    const from = Math.max(0, first.before - CONTEXT)
    const last = group.at(-1)!
    const to = Math.min(a.length, last.before + last.removed.length + CONTEXT)
    const lines: string[] = []
    let at = from
    let [removed, added] = [0, 0]
    for (const h of group) {
      lines.push(...a.slice(at, h.before).map((l) => ` ${l}`))
      lines.push(...h.removed.map((l) => `-${l}`), ...h.added.map((l) => `+${l}`))
      at = h.before + h.removed.length
      removed += h.removed.length
      added += h.added.length
    }
    lines.push(...a.slice(at, to).map((l) => ` ${l}`))
    const start = first.after - (first.before - from)
    out.push(`@@ -${from + 1},${to - from} +${start + 1},${to - from - removed + added} @@`, ...lines)
    i = j
  }
  return `${out.join('\n')}\n`
}
