/** Time slices and budgets of a sliced computation. */

/** Runs a sliced computation to completion. */
export function complete<T>(slices: Generator<unknown, T>): T {
  for (;;) {
    const step = slices.next()
    if (step.done) return step.value
  }
}

/** Maximum time between two checks for a newer request, in ms. */
const SLICE_MS = 8

/** Time budget of one pass, in ms; a graph of 50 000 nodes takes a tenth of it. */
export const PASS_BUDGET = { ms: 3000 }

export class Pace {
  private last = performance.now()
  private readonly started = this.last

  /** True if a pause is due; the next slice then begins. */
  due(): boolean {
    const now = performance.now()
    if (now - this.last < SLICE_MS) return false
    this.last = now
    return true
  }

  /** True once the rest should be skipped; pauses count, because the user waits through them too. */
  spent(): boolean {
    return performance.now() - this.started > PASS_BUDGET.ms
  }
}
