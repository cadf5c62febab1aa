/** Time budgets of a search for fixes: trial runs and numeric checks are counted separately. */

export interface FixBudget {
  /** For all trial runs, in ms. */
  ms: number
  /**
   * Number of trials that run regardless of the time limit, because on a slow machine each takes seconds. The options of a cause
   * are screened before the first one runs.
   */
  leastTrials: number
  /** For all numeric checks, in ms. */
  numbersMs: number
  /** For one numeric check, in ms. */
  checkMs: number
  /** Distinct causes tried, nearest first. */
  targets: number
  /** Maximum number of runs for one of them. */
  tries: number
  /** No step begins after this time, in ms of performance.now(), because the process is ended some time later. */
  until?: number
}

/**
 * A numeric check should take under 2 s per fix; the last step, which runs past the deadline, and creating the programs are
 * included.
 */
export const FIX_BUDGET: FixBudget = {
  ms: 5000,
  leastTrials: 16,
  numbersMs: 6000,
  checkMs: 1500,
  targets: 24,
  tries: 24,
}

/** Run time from which a run of the workspace extends the budget, so that a slow or busy machine finds the same fixes. */
const TYPICAL_RUN_MS = 150
/** Maximum factor by which a budget is extended. */
const STRETCH = 5

/** Counts the time in which the search itself runs: the caller may handle other requests between steps. */
export class SearchClock {
  private ran = 0
  private resumed: number | null = null
  private stretch = 1
  /** Number of steps outside numeric checks: each has at most one trial. */
  private trials = 0
  private isChecking = false
  /** Time spent on numeric checks, in ms. */
  private checking = 0

  constructor(
    readonly budget: FixBudget,
    private readonly now = (): number => performance.now(),
  ) {}

  /** Runs a search step by step and measures the steps. */
  *time<T, R>(search: Generator<T, R>): Generator<T, R> {
    for (;;) {
      this.resumed = this.now()
      const step = search.next()
      if (!this.isChecking) this.trials++
      this.ran = this.elapsed()
      this.resumed = null
      if (step.done) return step.value
      yield step.value
    }
  }

  /** Extends the budget after the first run. */
  firstRun(ms: number): void {
    this.stretch = Math.min(STRETCH, Math.max(1, ms / TYPICAL_RUN_MS))
  }

  /** In ms. */
  private elapsed(): number {
    return this.ran + (this.resumed === null ? 0 : this.now() - this.resumed)
  }

  /** True when the time for trial runs is over. */
  late(): boolean {
    const { ms, leastTrials, until = Infinity } = this.budget
    const isOver = this.trials >= leastTrials && this.elapsed() - this.checking > ms * this.stretch
    return isOver || this.now() > until
  }

  /** Runs a numeric check within the remaining time. */
  *check<T>(run: (ms: number) => Generator<null, T>): Generator<null, T> {
    const { checkMs, numbersMs, until = Infinity } = this.budget
    const started = this.elapsed()
    this.isChecking = true
    try {
      return yield* run(Math.max(0, Math.min(checkMs, numbersMs - this.checking, until - this.now())))
    } finally {
      this.isChecking = false
      this.checking += this.elapsed() - started
    }
  }
}
