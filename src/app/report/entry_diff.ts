/** Compares two patterns side by side and keeps only the differences. */
import { alignLists } from '../../base/sequences'
import type { EntryReport } from '../../engine/protocol'

export interface EntryDiff {
  bindings: { name: string; left: string | null; right: string | null }[]
  lines: { left: string | null; right: string | null }[]
}

export function diffEntries(a: EntryReport, b: EntryReport): EntryDiff {
  const names = [...new Set([...Object.keys(a.bindings), ...Object.keys(b.bindings)])]
  return {
    bindings: names
      .map((name) => ({ name, left: a.bindings[name] ?? null, right: b.bindings[name] ?? null }))
      .filter((d) => d.left !== d.right),
    lines: diffLines(a.text.split('\n'), b.text.split('\n')),
  }
}

export interface LineParts {
  before: string
  /** The part that the other line lacks. */
  changed: string
  after: string
}

const word = /\w/

/** Splits two lines into common prefix, differing middle and common suffix, at word boundaries. */
export function splitPair(left: string, right: string): { left: LineParts; right: LineParts } {
  const most = Math.min(left.length, right.length)
  let start = 0
  while (start < most && left[start] === right[start]) start++
  const isWord = (c: string | undefined): boolean => c !== undefined && word.test(c)
  if (isWord(left[start]) || isWord(right[start])) while (start > 0 && isWord(left[start - 1])) start--
  let end = 0
  while (end < most - start && left.at(-1 - end) === right.at(-1 - end)) end++
  if (isWord(left.at(-1 - end)) || isWord(right.at(-1 - end))) while (end > 0 && isWord(left.at(-end))) end--
  const cut = (s: string): LineParts => ({
    before: s.slice(0, start),
    changed: s.slice(start, s.length - end),
    after: s.slice(s.length - end),
  })
  return { left: cut(left), right: cut(right) }
}

/** The differing lines of two texts, paired in order. */
export function diffLines(a: readonly string[], b: readonly string[]): { left: string | null; right: string | null }[] {
  const out: { left: string | null; right: string | null }[] = []
  let left: string[] = []
  let right: string[] = []
  const flush = (): void => {
    for (let k = 0; k < Math.max(left.length, right.length); k++)
      out.push({ left: left[k] ?? null, right: right[k] ?? null })
    left = []
    right = []
  }
  for (const [i, j] of alignLists(a, b))
    if (j === null) left.push(a[i!]!)
    else if (i === null) right.push(b[j]!)
    else flush()
  flush()
  return out
}
