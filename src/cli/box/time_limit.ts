/** Ends a process that works for too long. */
import type { ChildProcess } from 'node:child_process'

/** Seconds of user code without `--timeout`. */
export const DEFAULT_TIMEOUT_S = 60

/**
 * When a command that begins now begins nothing more that it can leave out, in ms of performance.now(): what it found so far is
 * worth more than what it would still try. A trial that has begun can take as long as a run.
 * @param timeoutS as TimeLimit's
 */
export const beginsNothingAfter = (timeoutS = DEFAULT_TIMEOUT_S): number =>
  timeoutS === 0 ? Infinity : performance.now() + timeoutS * 600

export class TimeLimit {
  /** The process was ended. */
  passed = false
  private timer: NodeJS.Timeout | undefined

  /** @param seconds 0: no limit */
  constructor(
    private readonly child: ChildProcess,
    private readonly seconds: number,
  ) {}

  start(): void {
    if (this.seconds === 0) return
    this.timer = setTimeout(() => {
      this.passed = true
      this.child.kill('SIGKILL')
    }, this.seconds * 1000)
  }

  stop(): void {
    clearTimeout(this.timer)
  }
}
