/** Builds a fix from changed files, and holds the limits of the search. */
import { isCall } from '../../fx'
import { unifiedDiff } from '../../base/unified_diff'
import { textEdits, type SourceFile } from './change'
import { SyntaxFile } from './syntax'
import type { FiringChange } from './verify'
import type { FixPass, TrialRunner } from './trials'

export function pythonFix(
  title: string,
  before: readonly SourceFile[],
  after: readonly SourceFile[],
  from: number,
  to: number,
): FiringChange {
  const changed = before.flatMap((f, i) =>
    f.text === after[i]!.text ? [] : [{ name: f.name, before: f.text, after: after[i]!.text }],
  )
  return {
    title,
    kind: 'python',
    edits: changed.flatMap((f) => textEdits(f.name, f.before, f.after)),
    diff: changed.map((f) => unifiedDiff(f.name, f.before, f.after)).join(''),
    matchesBefore: from,
    matchesAfter: to,
  }
}

export const same = (a: readonly SourceFile[], b: readonly SourceFile[]): boolean =>
  a.every((f, i) => f.text === b[i]!.text)

export function syntaxOf(trials: TrialRunner, files: readonly SourceFile[], name: string): SyntaxFile | null {
  const source = files.find((f) => f.name === name)
  const data = source && trials.syntax(source.text)
  return source && data ? new SyntaxFile(name, source.text, data) : null
}

/** Number of operators of an entry's pattern. */
export function sizeOf(pass: FixPass, entry: number): number {
  const graph = pass.toExplain.entries[entry]?.searchGraph
  return graph ? [...graph.nodes()].filter(isCall).length : 1
}

/** Minimum number of operators of a narrowed pattern. */
export const MIN_PATTERN_SIZE = 2
