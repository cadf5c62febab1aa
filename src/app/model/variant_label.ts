/** What tells a registration from its siblings of the same title, in few words. */
import type { EntryReport, PassReport } from '../../engine/protocol'

/**
 * Values that are no truth values as they are, truth values by name where they are True: `kFp8Dynamic128Sym is_e8m0`.
 * Of settings that always change together, the first.
 */
export function variantLabel(pass: PassReport, entry: EntryReport): string {
  const siblings = pass.entries.filter((e) => e.title === entry.title)
  if (siblings.length < 2) return ''
  const chosen: string[] = []
  for (const key of Object.keys(entry.bindings)) {
    if (siblings.every((s) => s.bindings[key] === entry.bindings[key])) continue
    if (!chosen.some((c) => together(siblings, c, key))) chosen.push(key)
  }
  const words = chosen.flatMap((k) => {
    const value = entry.bindings[k]!
    return value === 'True' ? [k] : value === 'False' ? [] : [value]
  })
  // Values first: they are the wider choice.
  const flag = (w: string): boolean => chosen.includes(w)
  return [...words.filter((w) => !flag(w)), ...words.filter(flag)].join(' ') || 'no flags'
}

/** Whether two settings name the same choice: equal in one means equal in the other. */
function together(entries: readonly EntryReport[], a: string, b: string): boolean {
  const there = new Map<string | undefined, string | undefined>()
  const back = new Map<string | undefined, string | undefined>()
  return entries.every(({ bindings: { [a]: x, [b]: y } }) => {
    if (!there.has(x)) there.set(x, y)
    if (!back.has(y)) back.set(y, x)
    return there.get(x) === y && back.get(y) === x
  })
}
