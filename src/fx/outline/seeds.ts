/** Candidate periods in a sequence of labels: equal windows of labels at regular distances. */

export interface Seed {
  /** First positions of the equal windows, ascending: about one per period. */
  at: readonly number[]
  /** The median distance. */
  period: number
  /** Estimated number of nodes that its run explains. */
  rating: number
}

/** Window lengths, in nodes: long windows may differ within a layer, short ones also occur in short layers. */
const WINDOWS = [24, 10, 4]
/** Maximum number of seeds tried. */
const MAX_SEEDS = 4
/** A sequence of equal windows ends where the distance is outside these multiples of the median. */
const SHORTEST_GAP = 0.6
const LONGEST_GAP = 2.6

/** The most promising seeds of `labels[lo, hi)`: those that cover the most nodes, with equal segments between their windows. */
export function seedsOf(labels: Int32Array, lo: number, hi: number): Seed[] {
  const rated: Seed[] = []
  for (const window of WINDOWS)
    for (const seed of hi - lo < window * 2 ? [] : seedsOfWindow(labels, lo, hi, window))
      if (!rated.some(({ at, period }) => at.length === seed.at.length && period === seed.period))
        rated.push({ ...seed, rating: coverOf(seed) * weight(equalShare(labels, seed.at)) })
  return rated.sort((a, b) => b.rating - a.rating || b.at.length - a.at.length).slice(0, MAX_SEEDS)
}

/** Weight for the share of equal neighbors among a run's segments. */
export const weight = (equal: number): number => 0.3 + 0.7 * equal

type Windows = Pick<Seed, 'at' | 'period'>

const coverOf = ({ at, period }: Windows): number => at.at(-1)! - at[0]! + period

function seedsOfWindow(labels: Int32Array, lo: number, hi: number, window: number): Windows[] {
  const byCount = new Map<number, { seed: Windows; cover: number; unevenness: number }>()
  for (const at of equalWindows(labels, lo, hi, window).values()) {
    if (at.length < 2) continue
    const seed = longestRun(at)
    if (!seed) continue
    // Unrelated windows may be equal by chance; layers share the most labels around them.
    const cover = coverOf(seed) * (seed.at.length === 2 ? weight(equalShare(labels, seed.at)) : 1)
    const unevenness = unevennessOf(seed)
    const known = byCount.get(seed.at.length)
    if (!known || cover > known.cover || (cover === known.cover && unevenness < known.unevenness))
      byCount.set(seed.at.length, { seed, cover, unevenness })
  }
  return [...byCount.values()]
    .sort((a, b) => b.cover - a.cover)
    .slice(0, 2 * MAX_SEEDS)
    .map(({ seed }) => seed)
}

/**
 * Share of neighboring segments with equal labels; for a single segment, half of the share that also occurs after the last window.
 */
function equalShare(labels: Int32Array, at: readonly number[]): number {
  if (at.length < 3) return commonShare(labels, at[0]!, at[1]!) / 2
  let equal = 0
  for (let k = 0; k + 2 < at.length; k++) {
    const [from, to] = [at[k]!, at[k + 1]!]
    if (at[k + 2]! - to !== to - from) continue
    let i = 0
    while (i < to - from && labels[from + i] === labels[to + i]) i++
    if (i === to - from) equal++
  }
  return equal / (at.length - 2)
}

/** The equal labels around `a` and `b`, as a share of the distance between them. */
function commonShare(labels: Int32Array, a: number, b: number): number {
  const period = b - a
  let [after, before] = [0, 0]
  while (after < period && labels[a + after] === labels[b + after]) after++
  while (after + before < period && before < a && labels[a - before - 1] === labels[b - before - 1]) before++
  return (after + before) / period
}

/** Positions by the hash of the window that starts there. */
function equalWindows(labels: Int32Array, lo: number, hi: number, window: number): Map<number, number[]> {
  const classes = new Map<number, number[]>()
  let power = 1
  for (let i = 1; i < window; i++) power = Math.imul(power, 0x01000193)
  let hash = 0
  for (let i = lo; i < hi; i++) {
    if (i - lo >= window) hash = (hash - Math.imul(mix(labels[i - window]!), power)) | 0
    hash = (Math.imul(hash, 0x01000193) + mix(labels[i]!)) | 0
    if (i - lo < window - 1) continue
    const found = classes.get(hash)
    if (found) found.push(i - window + 1)
    else classes.set(hash, [i - window + 1])
  }
  return classes
}

/** Spreads small numbers over 32 bits. */
function mix(n: number): number {
  const x = Math.imul(n + 1, 0x9e3779b1)
  return x ^ (x >>> 15)
}

function longestRun(at: readonly number[]): Windows | null {
  const gaps = gapsOf(at)
  const typical = median(gaps)
  let best: readonly number[] = []
  let from = 0
  for (let i = 1; i <= at.length; i++) {
    const gap = gaps[i - 1]! / typical
    if (i < at.length && gap >= SHORTEST_GAP && gap <= LONGEST_GAP) continue
    if (i - from > best.length) best = at.slice(from, i)
    from = i
  }
  return best.length < 2 ? null : { at: best, period: median(gapsOf(best)) }
}

function gapsOf(at: readonly number[]): Int32Array {
  const gaps = new Int32Array(at.length - 1)
  for (let i = 0; i < gaps.length; i++) gaps[i] = at[i + 1]! - at[i]!
  return gaps
}

const median = (numbers: Int32Array): number => numbers.slice().sort()[numbers.length >> 1]!

function unevennessOf({ at, period }: Windows): number {
  let sum = 0
  for (let i = 1; i < at.length; i++) sum += Math.abs(at[i]! - at[i - 1]! - period)
  return sum
}
