/** Pairs the patterns of two captures: equal ones first, then those of functions of one name. */
import type { CapturedEntry } from './types'

export interface PatternPairs {
  /** The old pattern and the new one, in the order of the old. */
  both: readonly (readonly [old: CapturedEntry, now: CapturedEntry])[]
  removed: readonly CapturedEntry[]
  added: readonly CapturedEntry[]
}

/** Fields that are equal, from the most specific to the least. */
const KEYS: readonly ((e: CapturedEntry) => string)[] = [
  (e) => JSON.stringify([nameOf(e), e.title, e.bindings, e.text]),
  (e) => JSON.stringify([nameOf(e), e.title, e.bindings]),
  (e) => JSON.stringify([e.kind, e.text]),
  (e) => JSON.stringify([nameOf(e), e.title]),
]

const nameOf = ({ functions }: CapturedEntry): string => (functions.search ?? functions.handler)?.name ?? ''

export function pairPatterns(old: readonly CapturedEntry[], now: readonly CapturedEntry[]): PatternPairs {
  const left = new Set(now)
  const found = new Map<CapturedEntry, CapturedEntry>()
  for (const key of KEYS)
    for (const entry of old) {
      if (found.has(entry)) continue
      const same = [...left].find((e) => key(e) === key(entry))
      if (!same) continue
      found.set(entry, same)
      left.delete(same)
    }
  return {
    both: old.flatMap((e) => (found.has(e) ? [[e, found.get(e)!] as const] : [])),
    removed: old.filter((e) => !found.has(e)),
    added: [...left],
  }
}
