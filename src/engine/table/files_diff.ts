/** The difference of two versions of files. */
import { unifiedDiff } from '../../base/unified_diff'
import { applyEdits } from '../../explain/fixes/change'
import type { TextEdit } from '../../explain/fixes/types'
import type { TextFile } from '../../workspace/types'

/** Unified diffs of the files that differ, in the order of their names; empty if none does. */
export function filesDiff(before: readonly TextFile[], after: readonly TextFile[]): string {
  const [old, now] = [textsOf(before), textsOf(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])].sort()
  return names
    .map((name) => {
      const [a, b] = [old.get(name), now.get(name)]
      return unifiedDiff(name, a ?? '', b ?? '')
    })
    .join('')
}

/** Applies the edits to a file's text; every position must be in the text. */
export const editsDiff = (name: string, text: string, edits: readonly TextEdit[]): string =>
  unifiedDiff(name, text, applyEdits(text, edits))

const textsOf = (files: readonly TextFile[]): Map<string, string> => new Map(files.map((f) => [f.name, f.text]))
