/** Joins lines that a terminal broke at its width. */

import { statesNode } from '../sections/lost_lines'

/** Common terminal widths, in characters. */
const NARROWEST = 60
const WIDEST = 250
/** Minimum number of lines that have the full width. */
const FULL = 3

/**
 * Joins each full-width line with the next. A joined line leaves an empty line behind, so that line numbers stay.
 * @param lines replaced in place
 */
export function joinWrapped(lines: string[]): void {
  const width = lines.reduce((most, l) => Math.max(most, l.length), 0)
  if (width < NARROWEST || width > WIDEST || lines.filter((l) => l.length === width).length < FULL) return
  if (lines.some((l) => TABLE.test(l))) return
  const indented = lines.filter((l) => l.startsWith('  ')).length * 3 > lines.length
  for (let i = lines.length - 2; i >= 0; i--) {
    if (lines[i]!.length !== width || !isRest(lines[i + 1]!, indented)) continue
    lines[i] += lines[i + 1]!
    lines[i + 1] = ''
  }
}

/** A cut table has rows of one width. */
const TABLE = /^\W*opcode[\s|]+name/
const HEADER = /^(?:class |def |return\b|graph\(|#|%\w+ [:=])/
const STATEMENT = /^\s*(?:%\w+ [:=]|[\w.]+(?::\s*"[^"]*")?\s*=\s|#|return\b|class |def |graph\()/

/** Not a statement of its own. If statements are indented, a line without an indent is not one. */
const isRest = (line: string, indented: boolean): boolean =>
  line.trim() !== '' &&
  !statesNode(line.trimStart()) &&
  (indented && /^\S/.test(line) ? !HEADER.test(line) : !STATEMENT.test(line))
