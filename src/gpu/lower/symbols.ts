/** Sizes: numbers, or expressions over symbols (`4096*s72`, `Max(1, u0)`, `(s0//2)`). */
import type { Dim } from '../../fx'
import { evaluate, parseSym } from '../../fx/sym'

/** Assigns the same value to all symbols, and records them for the report. */
export class Symbols {
  readonly seen = new Set<string>()

  constructor(readonly value: number) {}

  /** Null if the expression is unsupported or not an integer. */
  resolve(dim: Dim): number | null {
    if (typeof dim === 'number') return dim
    const e = parseSym(dim)
    const value = e && evaluate(e, (name) => (this.seen.add(name), this.value))
    return Number.isInteger(value) ? value : null
  }
}
