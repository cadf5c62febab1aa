/** Finds the name that a misspelled one probably means. */

/** Maximum length of a compared name: the cost is the product of both lengths. */
const MAX_LENGTH = 60

/**
 * The candidate with the fewest edits, at most a third of the name's length; null if none is that close. On a tie, the first that
 * begins alike.
 */
export function closestName(name: string, candidates: Iterable<string>): string | null {
  if (name.length > MAX_LENGTH) return null
  let best: string | null = null
  let fewest = Math.max(1, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    if (candidate === name || Math.abs(candidate.length - name.length) >= fewest) continue
    const edits = editDistance(name.toLowerCase(), candidate.toLowerCase()) + (name[0] === candidate[0] ? 0 : 0.5)
    if (edits >= fewest) continue
    best = candidate
    fewest = edits
  }
  return best
}

/** Insertions, deletions, replacements and swaps of neighbors (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    before = last
    last = row
  }
  return last[b.length]!
}
