/** Where a text opens, for the editor and for the plain text that stands in while the editor loads. */

/** In CSS pixels; the same in editor.css. */
export const LINE_HEIGHT = 18
/** Lines kept in view above the one that is shown. */
const ABOVE = 7

/** @param line from 1 */
export const startScroll = (line: number): number => Math.max(0, line - 1 - ABOVE) * LINE_HEIGHT
