/** Says when a piece of work has gone on for long enough without a pause. */

/** How long the worker may be deaf to a newer request. */
const SLICE_MS = 8

export class Pace {
  private last = performance.now()

  /** True when a pause is due; the next slice begins now. */
  due(): boolean {
    const now = performance.now()
    if (now - this.last < SLICE_MS) return false
    this.last = now
    return true
  }
}
