/** Alignments of sequences of numbers. */

/** Differences after which a comparison of sequences stops: two graphs with more have little in common. */
const MAX_DIFFERENCES = 2000

/**
 * The pairs of equal items in a shortest edit of one sequence to the other (Myers, "An O(ND) Difference Algorithm and Its
 * Variations", 1986). Time: items times differences; memory: differences squared. Empty beyond MAX_DIFFERENCES.
 */
export function shortestEdit(x: ArrayLike<number>, y: ArrayLike<number>): [number, number][] {
  const [n, m] = [x.length, y.length]
  const most = Math.min(n + m, MAX_DIFFERENCES)
  const trace: Int32Array[] = []
  let furthest = new Int32Array(3)
  for (let d = 0; d <= most; d++) {
    // Entry k + d + 1 is for diagonal k of this round.
    const next = new Int32Array(2 * d + 3)
    for (let k = -d; k <= d; k += 2) {
      const [left, right] = [furthest[k - 1 + d]!, furthest[k + 1 + d]!]
      let i = d === 0 ? 0 : k === -d || (k !== d && left < right) ? right : left + 1
      let j = i - k
      while (i < n && j < m && x[i] === y[j]) {
        i++
        j++
      }
      next[k + d + 1] = i
      if (i >= n && j >= m) return backtrack([...trace, next], n, m, d)
    }
    trace.push(next)
    // Shifts the entries by one, for the wider next round.
    furthest = new Int32Array(2 * d + 5)
    furthest.set(next, 0)
  }
  return []
}

/** @param trace entry k + d + 1 of round d is the furthest position on diagonal k */
function backtrack(trace: readonly Int32Array[], n: number, m: number, rounds: number): [number, number][] {
  const pairs: [number, number][] = []
  let [i, j] = [n, m]
  for (let d = rounds; d >= 0; d--) {
    const k = i - j
    if (d === 0) {
      while (i > 0 && j > 0) pairs.push([--i, --j])
      break
    }
    const before = trace[d - 1]!
    const at = (diagonal: number): number => before[diagonal + d] ?? 0
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1))
    const from = down ? k + 1 : k - 1
    const fromI = at(from)
    const fromJ = fromI - from
    while (i > fromI && j > fromJ && i > (down ? fromI : fromI + 1) - 0 && j > (down ? fromJ + 1 : fromJ))
      pairs.push([--i, --j])
    ;[i, j] = [fromI, fromJ]
  }
  return pairs.reverse()
}

/** The longest subsequence with increasing second numbers of pairs that increase in the first. */
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
