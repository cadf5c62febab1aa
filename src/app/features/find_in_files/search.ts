/** Finds a text or a regular expression in the lines of all files. */
import type { TextFile } from '../../../workspace/types'

export interface FindOptions {
  regex: boolean
  matchCase: boolean
}

export interface FoundLine {
  file: string
  /** From 1. */
  line: number
  /** Columns of the first occurrence, from 1, the end exclusive. */
  from: number
  to: number
  text: string
}

/** Maximum number of listed lines. */
export const MAX_LINES = 500

/** @returns an error sentence if the pattern is not a regular expression */
export function findInFiles(
  files: readonly TextFile[],
  query: string,
  { regex, matchCase }: FindOptions,
): { lines: FoundLine[]; more: boolean } | string {
  if (query === '') return { lines: [], more: false }
  let pattern: RegExp
  try {
    pattern = new RegExp(regex ? query : query.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), matchCase ? 'u' : 'iu')
  } catch (e) {
    return `Not a regular expression: ${(e as Error).message.replace(/^Invalid regular expression: /, '')}.`
  }
  const lines: FoundLine[] = []
  for (const { name, text } of files)
    for (const [i, line] of text.split('\n').entries()) {
      const found = pattern.exec(line)
      if (!found) continue
      if (lines.length === MAX_LINES) return { lines, more: true }
      const from = found.index + 1
      lines.push({ file: name, line: i + 1, from, to: from + found[0].length, text: line })
    }
  return { lines, more: false }
}
