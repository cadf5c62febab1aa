/** One pending call: after some milliseconds, or in the next frame. */
export class Timer {
  private cancel: (() => void) | null = null

  /** Replaces the pending call. */
  restart(after: number | 'frame', call: () => void): void {
    this.stop()
    const now = (): void => {
      this.cancel = null
      call()
    }
    if (after === 'frame') {
      const frame = requestAnimationFrame(now)
      this.cancel = () => cancelAnimationFrame(frame)
    } else {
      const timer = setTimeout(now, after)
      this.cancel = () => clearTimeout(timer)
    }
  }

  /** Begins, unless a call is pending. */
  begin(after: number | 'frame', call: () => void): void {
    if (!this.cancel) this.restart(after, call)
  }

  stop(): void {
    this.cancel?.()
    this.cancel = null
  }
}
