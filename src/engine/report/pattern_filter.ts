/** `--only CLASS|N|FILE`: selects the patterns of an explanation. */
import type { EntryReport, PassReport } from '../protocol'

/**
 * True for a pattern of this class, with this number, or registered in this file, case-insensitively.
 * @param only a class, a number, or a file's name or the end of its path
 */
export function isOnly(
  { index, title, source }: Pick<EntryReport, 'index' | 'title' | 'source'>,
  only: string,
): boolean {
  if (/^\d+$/.test(only)) return index === Number(only)
  const wanted = only.toLowerCase()
  const file = source?.file.toLowerCase() ?? ''
  return title.toLowerCase() === wanted || file === wanted || file.endsWith(`/${wanted}`)
}

/** A pass with the near misses, causes and lints of these patterns only. */
export function restrictedTo<T extends PassReport>(pass: T, only: string): T {
  const about = (entry: number | undefined): boolean => {
    const found = entry === undefined ? undefined : pass.entries[entry]
    return found !== undefined && isOnly(found, only)
  }
  return {
    ...pass,
    nearMisses: pass.nearMisses.filter((m) => about(m.entry)),
    ...(pass.causes && { causes: pass.causes.filter((c) => about(c.entry)) }),
    ...(pass.lints && { lints: pass.lints.filter((l) => about(l.entry)) }),
  }
}
