/** Counts by pass. */

/** `manager.Pass@2` is the second application of manager.Pass. */
export const withoutCall = (name: string): string => name.replace(/@\d+$/, '')

/** Matches by pass; a pass that runs several times has the sum. */
export function countsByPass(passes: Iterable<readonly [name: string, count: number]>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [call, count] of passes) {
    const name = withoutCall(call)
    counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return counts
}
