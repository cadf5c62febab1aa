/** Where a text opens, for the editor and for the plain text that stands in while the editor loads. */
import { lineOf } from '../stores/workspace'

/** In CSS pixels; the same in editor.css. */
export const LINE_HEIGHT = 18
/** Lines kept in view above text that is looked for. */
const ABOVE = 7

/** Lines above the first in view. @param startAt see WorkspaceState; 0 for text that is not there */
export function startLine(text: string, startAt: string | number | null): number {
  const top = typeof startAt === 'number' ? startAt : (lineOf(text, startAt) ?? 1) - ABOVE
  return Math.max(0, top - 1)
}
