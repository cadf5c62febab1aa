/** Contribution of a rank to its column, and the values that a cut below it severs. */
export interface RankProfile {
  /** Height including the gap below, world units. */
  height: number
  width: number
  /** Distinct values that pass from this rank or above to a rank below. */
  crossing: number
}

/** A drawing of at most this height is not folded: it is readable when fitted to a window. */
const LOW = 1500
/** Cost of severing one more value, relative to a column that misses its height by 100%. */
const CUT_COST = 0.06

/**
 * Chooses where to cut the ranks into columns, like newspaper text: a dynamic program over cut positions that weighs
 * even columns against few severed values.
 * @param stretch corrects the target height if the drawing is too wide (>1) or too narrow (<1).
 * @returns the last rank of each column, ascending.
 */
export function foldRanks(ranks: readonly RankProfile[], aspect: number, gutter: number, stretch = 1): number[] {
  const n = ranks.length
  const whole = [n - 1]
  const tops = new Float64Array(n + 1)
  let widest = 0
  for (let i = 0; i < n; i++) {
    tops[i + 1] = tops[i]! + ranks[i]!.height
    widest = Math.max(widest, ranks[i]!.width)
  }
  const total = tops[n]!
  if (total <= LOW || widest / total >= aspect * 0.6) return whole
  const columnWidth = typicalColumnWidth(ranks) + gutter
  const ideal = Math.max(LOW * 0.6, Math.sqrt((total * columnWidth) / aspect) * stretch)
  const count = Math.round(total / ideal)
  if (count < 2) return whole
  const aim = total / count

  const best = new Float64Array(n + 1).fill(Infinity)
  const from = new Int32Array(n + 1).fill(-1)
  best[0] = 0
  for (let end = 1; end <= n; end++) {
    const cut = end === n ? 0 : ranks[end - 1]!.crossing * CUT_COST
    for (let start = end - 1; start >= 0; start--) {
      const height = tops[end]! - tops[start]!
      if (height > aim * 1.6 && start < end - 1) break
      // A short last column costs little.
      const miss = (height - aim) / aim
      const cost = best[start]! + cut + (end === n && miss < 0 ? 0.2 : 1) * miss * miss
      if (cost < best[end]!) {
        best[end] = cost
        from[end] = start
      }
    }
  }
  const cuts: number[] = []
  for (let end = n; end > 0; end = from[end]!) cuts.push(end - 1)
  return cuts.reverse()
}

/** Estimated width of a column: the widest rank of each 24 consecutive ranks, averaged. */
function typicalColumnWidth(ranks: readonly RankProfile[]): number {
  let sum = 0
  let count = 0
  for (let i = 0; i < ranks.length; i += 24) {
    let widest = 0
    for (let j = i; j < Math.min(i + 24, ranks.length); j++) widest = Math.max(widest, ranks[j]!.width)
    sum += widest
    count++
  }
  return sum / Math.max(1, count)
}
