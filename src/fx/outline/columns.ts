/** Segments of the canonical order, and the columns of their nodes. */

export const NONE = -1

export interface RunInstance {
  /** Positions of the instance's nodes, ascending. */
  members: Int32Array
  /** Position by column, or NONE. */
  at: Int32Array
}

/**
 * Segments of a range of positions and the columns of their nodes: nodes in one column have the same role in different segments.
 * The first segment precedes the seed's first window; the last two begin at its last window and may be incomplete.
 */
export interface Alignment {
  /** Start of each segment, and the end of the last segment. */
  starts: readonly number[]
  /** Nodes of the typical segment, by column. */
  typical: Int32Array
  /** Its index among the segments. */
  typicalAt: number
  /** Column of a position, or NONE; position 0 is `starts[0]`. */
  column: Int32Array
  /** Segment of a position, indexed the same way; a node that moved belongs to its neighbors' segment. */
  segment: Int32Array
  /** Position by `segment * columns + column`, or NONE. */
  at: Int32Array
}

/** Gives a node a column. */
export function put({ column, segment, at, typical, starts }: Alignment, k: number, c: number, position: number): void {
  column[position - starts[0]!] = c
  segment[position - starts[0]!] = k
  at[k * typical.length + c] = position
}

/** Sorts an array in place; most are in order. */
export function ascending(numbers: Int32Array): Int32Array {
  for (let i = 1; i < numbers.length; i++) if (numbers[i - 1]! > numbers[i]!) return numbers.sort()
  return numbers
}
