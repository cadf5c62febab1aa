import { diffArrays } from 'diff'

/**
 * Aligns two lists by a longest common subsequence: `[i, j]` for equal items, null for an item that the other list
 * lacks.
 */
export function alignLists(a: readonly string[], b: readonly string[]): [number | null, number | null][] {
  let [i, j] = [0, 0]
  return diffArrays([...a], [...b]).flatMap(({ value, added, removed }) =>
    value.map((): [number | null, number | null] => [added ? null : i++, removed ? null : j++]),
  )
}
