/** The nodes whose rule may say something new, because what it reads has changed since it ran last. */
import type { Node } from '../../fx'

export class OpenNodes {
  private readonly open: Uint8Array
  /** The range that holds all open nodes, and the range of those that were opened since `start`. */
  private range: Range
  private added: Range

  /** All nodes are open at first. */
  constructor(private readonly nodes: readonly Node[]) {
    this.open = new Uint8Array(this.nodes.length).fill(1)
    this.range = { first: 0, last: this.nodes.length - 1 }
    this.added = this.none()
  }

  get isEmpty(): boolean {
    return this.range.first > this.range.last
  }

  /** @param i index of a node */
  add(i: number): void {
    this.open[i] = 1
    widen(this.range, i)
    widen(this.added, i)
  }

  close(i: number): void {
    this.open[i] = 0
  }

  /** Closes and visits the open nodes from first to last, then from last to first, with those opened on the way. */
  sweep(visit: (node: Node, i: number) => void): void {
    const { range } = this
    this.added = this.none()
    for (let i = range.first; i <= range.last; i++) this.visit(i, visit)
    this.range = this.added
    this.added = this.none()
    for (let i = this.range.last; i >= this.range.first; i--) this.visit(i, visit)
    this.range = this.added
  }

  private none(): Range {
    return { first: this.nodes.length, last: -1 }
  }

  private visit(i: number, visit: (node: Node, i: number) => void): void {
    if (!this.open[i]) return
    this.open[i] = 0
    visit(this.nodes[i]!, i)
  }
}

/** Empty if `first > last`. */
interface Range {
  first: number
  last: number
}

function widen(range: Range, i: number): void {
  if (i < range.first) range.first = i
  if (i > range.last) range.last = i
}
