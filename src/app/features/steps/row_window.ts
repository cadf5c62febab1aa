/** The range of rows that the list renders: around the current row, extended at its ends as they scroll into view. */

export interface RowWindow {
  from: number
  /** Exclusive. */
  to: number
  total: number
}

/** Rows on either side of the current one. */
const SIDE = 20
/** Rows added at an end. */
const MORE = 16

export const windowAround = (row: number, total: number): RowWindow => ({
  from: Math.max(0, row - SIDE),
  to: Math.min(total, row + SIDE + 1),
  total,
})

export const extended = ({ from, to, total }: RowWindow, by: 1 | -1): RowWindow =>
  by < 0 ? { from: Math.max(0, from - MORE), to, total } : { from, to: Math.min(total, to + MORE), total }
