/** Random numbers from a seed: a failing input is named by its seed. */

export class Random {
  private state: number

  constructor(seed: number) {
    this.state = seed >>> 0
  }

  /** mulberry32: at least 0, less than 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** An integer at least 0, less than `n`. */
  below(n: number): number {
    return Math.floor(this.next() * n)
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }
}
