/** The difference of two versions of a folder's files. */
import { unifiedDiff } from '../../explain/fixes/change'
import type { TextFile } from '../../workspace/types'

/** Unified diffs of the files that differ, in the order of their names; empty if none does. */
export function filesDiff(before: readonly TextFile[], after: readonly TextFile[]): string {
  const [old, now] = [textsOf(before), textsOf(after)]
  const names = [...new Set([...old.keys(), ...now.keys()])].sort()
  return names
    .flatMap((name) => {
      const [a, b] = [old.get(name), now.get(name)]
      return a === b ? [] : [unifiedDiff(name, a ?? '', b ?? '')]
    })
    .join('')
}

const textsOf = (files: readonly TextFile[]): Map<string, string> => new Map(files.map((f) => [f.name, f.text]))
