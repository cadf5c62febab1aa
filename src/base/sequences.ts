/** Alignments of sequences. */
import { diffArrays } from 'diff'

/** Number of differences at which a comparison of sequences stops: two graphs with more have little in common. */
const MAX_DIFFERENCES = 2000

/** The pairs of equal items in a shortest edit of one sequence to the other; empty beyond MAX_DIFFERENCES. */
export function shortestEdit(x: ArrayLike<number>, y: ArrayLike<number>): [number, number][] {
  const pairs: [number, number][] = []
  let [i, j] = [0, 0]
  for (const { count, added, removed } of diffArrays(x as number[], y as number[], {
    maxEditLength: MAX_DIFFERENCES,
  }) ?? []) {
    if (!added && !removed) for (let k = 0; k < count; k++) pairs.push([i + k, j + k])
    if (!added) i += count
    if (!removed) j += count
  }
  return pairs
}

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

/** A run of differing items: those removed at `at` of the first list, and those added there. */
interface ChangedRun {
  at: number
  removed: readonly string[]
  added: readonly string[]
}

/** The runs in which two lists differ; one run beyond MAX_DIFFERENCES. */
export function changedRuns(a: readonly string[], b: readonly string[]): ChangedRun[] {
  const parts = diffArrays([...a], [...b], { maxEditLength: MAX_DIFFERENCES })
  if (!parts) return [{ at: 0, removed: a, added: b }]
  const runs: ChangedRun[] = []
  let at = 0
  let run: ChangedRun | null = null
  for (const { value, added, removed } of parts) {
    if (!added && !removed) run = null
    else if (!run) runs.push((run = { at, removed: [], added: [] }))
    if (run) run[added ? 'added' : 'removed'] = value
    if (!added) at += value.length
  }
  return runs
}

/** The longest subsequence with increasing second numbers, from pairs with increasing first numbers. */
export function longestIncreasing(pairs: readonly [number, number][]): [number, number][] {
  const tails: number[] = []
  const before = new Array<number>(pairs.length).fill(-1)
  pairs.forEach(([, j], at) => {
    let [low, high] = [0, tails.length]
    while (low < high) {
      const mid = (low + high) >> 1
      if (pairs[tails[mid]!]![1] < j) low = mid + 1
      else high = mid
    }
    before[at] = low > 0 ? tails[low - 1]! : -1
    tails[low] = at
  })
  const found: [number, number][] = []
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at]!) found.push(pairs[at]!)
  return found.reverse()
}
