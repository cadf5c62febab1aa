/**
 * The number of finished tasks and the remaining time, on stderr: one line that a terminal overwrites; elsewhere, a line now and
 * then.
 */
import { isatty } from 'node:tty'
import { count } from '../../base/english'
import { write } from '../output'

/** In milliseconds. A shorter run prints nothing unless stderr is a terminal. */
const LINE_EVERY = 30_000
const REDRAW_EVERY = 200

export class Progress {
  private readonly terminal = isatty(2)
  private readonly started = performance.now()
  private printed = this.started
  private shown = false
  private made = 0

  /** @param kept the number of tasks that an earlier run has done */
  constructor(
    private readonly total: number,
    private readonly kept: number,
  ) {
    if (kept > 0) write(2, `${kept} of ${total} done by an earlier run.\n`)
  }

  /** A task is done. */
  step(): void {
    this.made++
    const now = performance.now()
    if (now - this.printed < (this.terminal ? REDRAW_EVERY : LINE_EVERY)) return
    this.printed = now
    const line = progressText(this, now - this.started)
    write(2, this.terminal ? line : `${line}\n`)
    this.shown = this.terminal
  }

  /** Before other output. */
  hide(): void {
    if (this.shown) write(2, '\r\x1b[K')
    this.shown = false
  }

  /** Done by this run. */
  get counts(): { total: number; kept: number; made: number } {
    return { total: this.total, kept: this.kept, made: this.made }
  }
}

/** @param elapsed milliseconds in which the tasks of this run were done */
export function progressText({ counts: { total, kept, made } }: Pick<Progress, 'counts'>, elapsed: number): string {
  const left = total - kept - made
  return `${kept + made} of ${total} done${left === 0 ? '' : `, about ${durationText((elapsed / made) * left)} left`}`
}

function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 120 ? count(seconds, 'second') : count(Math.round(seconds / 60), 'minute')
}
