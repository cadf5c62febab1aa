/** Initial scroll position of a text, for the editor and for its plain-text placeholder. */
import { lineOf } from '../../session/workspace_store'

/** In CSS pixels; the same in editor.css. */
export const LINE_HEIGHT = 18
/** Above the first line and below the last. */
export const PADDING = 6
/** Lines kept in view above text that is looked for. */
const ABOVE = 7

/** Lines above the first in view. @param startAt see WorkspaceState; 0 for text that is not there */
export function startLine(text: string, startAt: string | number | null): number {
  const top = typeof startAt === 'number' ? startAt : (lineOf(text, startAt) ?? 1) - ABOVE
  return Math.max(0, top - 1)
}

/**
 * Lines above the first in view when the last one is at the bottom. Whole ones, short of the end: past it Monaco would
 * scroll the text and not the line numbers, and the end moves when it has measured the longest line.
 */
export function lastTop(lines: number, height: number): number {
  return Math.max(0, lines - Math.ceil((height - 2 * PADDING) / LINE_HEIGHT))
}
