/** Ends a process that runs for too long. */
import type { ChildProcess } from 'node:child_process'

/** Time limit for user code without `--timeout`, in seconds. */
export const DEFAULT_TIMEOUT_S = 60

/**
 * Time after which a command that begins now starts no more optional work, in ms of performance.now(): its findings are worth more
 * than further trials. A trial that has begun can take as long as a run.
 * @param timeoutS see TimeLimit
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
