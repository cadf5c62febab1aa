/**
 * One list of numbers per node, all in one array: separate arrays for the inputs and users of 50,000 nodes would make 100,000 small
 * arrays, and creating and collecting them takes a large part of an outline's time.
 */
export class Lists {
  /** @param starts where each node's list begins in `items`, followed by the end of the last list */
  constructor(
    readonly starts: Int32Array,
    readonly items: Int32Array,
  ) {}

  /** A node's list, as a view. Loops over all nodes read `items` from `starts[i]` to `starts[i + 1]` without views. */
  of(i: number): Int32Array {
    return this.items.subarray(this.starts[i], this.starts[i + 1])
  }

  count(i: number): number {
    return this.starts[i + 1]! - this.starts[i]!
  }

  /** The first number of a list that is not empty. */
  first(i: number): number {
    return this.items[this.starts[i]!]!
  }

  /** The lists in another node order, with the listed nodes renumbered. */
  inOrder(order: readonly number[]): Lists {
    const position = new Int32Array(order.length)
    for (let at = 0; at < order.length; at++) position[order[at]!] = at
    const starts = new Int32Array(this.starts.length)
    const items = new Int32Array(this.items.length)
    let end = 0
    for (let at = 0; at < order.length; at++) {
      const i = order[at]!
      for (let j = this.starts[i]!; j < this.starts[i + 1]!; j++) items[end++] = position[this.items[j]!]!
      starts[at + 1] = end
    }
    return new Lists(starts, items)
  }

  /** For each node, the nodes that list it, ascending, with repeats. */
  inverse(): Lists {
    const size = this.starts.length - 1
    const starts = new Int32Array(size + 1)
    for (let j = 0; j < this.items.length; j++) starts[this.items[j]! + 1]!++
    for (let i = 0; i < size; i++) starts[i + 1]! += starts[i]!
    const next = starts.slice()
    const items = new Int32Array(this.items.length)
    for (let i = 0; i < size; i++)
      for (let j = this.starts[i]!; j < this.starts[i + 1]!; j++) items[next[this.items[j]!]!++] = i
    return new Lists(starts, items)
  }

  /** Removes repeats, which are adjacent. */
  distinct(): Lists {
    const starts = new Int32Array(this.starts.length)
    const items = new Int32Array(this.items.length)
    let end = 0
    for (let i = 0; i + 1 < starts.length; i++) {
      for (let j = this.starts[i]!; j < this.starts[i + 1]!; j++)
        if (j === this.starts[i] || this.items[j] !== this.items[j - 1]) items[end++] = this.items[j]!
      starts[i + 1] = end
    }
    return new Lists(starts, items.slice(0, end))
  }
}
