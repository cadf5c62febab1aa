/** Ends a process that works for too long. */
import type { ChildProcess } from 'node:child_process'

/** Seconds of user code without `--timeout`. */
export const DEFAULT_TIMEOUT_S = 60

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
