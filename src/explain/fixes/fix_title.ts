/** Titles of fixes that combine changes. */
import { brief } from './candidates/types'
import type { Fix } from './types'

/** Maximum length of a title that names two changes. */
const MAX_TITLE = 80
/** Maximum length of the first change in a title that counts the others. */
const MAX_FIRST = 60

/** A title that fits on one or two lines, and the list of changes if the title does not name all of them. */
export function titleOf(titles: readonly string[]): Pick<Fix, 'title' | 'changes'> {
  const all = [...new Set(titles)]
  const [first = '', ...others] = all
  const joined = [first, ...others.map(lower)].join(', and ')
  if (others.length === 0 || (others.length === 1 && joined.length <= MAX_TITLE)) return { title: joined }
  const more = `${others.length} more ${others.length === 1 ? 'change' : 'changes'}`
  return { title: `${brief(first, MAX_FIRST)}, and ${more}`, changes: all }
}

const lower = (title: string): string => title[0]!.toLowerCase() + title.slice(1)
