/** Initial scroll position of a text, for the editor and for its plain-text placeholder. */
import { lineOf } from '../../session/workspace_store'

/** In CSS pixels; the same in editor.css. */
export const LINE_HEIGHT = 18
/** Padding above the first line and below the last. */
export const PADDING = 6
/** Lines kept in view above the text to scroll to. */
const ABOVE = 7

/** Number of lines above the first visible line. @param startAt see useWorkspace; a missing text gives 0 */
export function startLine(text: string, startAt: string | number | null): number {
  const top = typeof startAt === 'number' ? startAt : (lineOf(text, startAt) ?? 1) - ABOVE
  return Math.max(0, top - 1)
}

/**
 * Number of lines above the view when the last line is at the bottom, rounded down: beyond the end Monaco would scroll
 * the text but not the line numbers, and the end moves once it has measured the longest line.
 */
export function lastTop(lines: number, height: number): number {
  return Math.max(0, lines - Math.ceil((height - 2 * PADDING) / LINE_HEIGHT))
}
