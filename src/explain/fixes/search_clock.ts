/** Time budgets of a search for fixes: trial runs and numeric checks are counted apart. */

export interface FixBudget {
  /** For all trial runs, in ms. */
  ms: number
  /** Trials that no time limit prevents: on a starved machine each takes seconds. The options of a cause are screened before the first runs. */
  leastTrials: number
  /** For all numeric checks, in ms. */
  numbersMs: number
  /** For one numeric check, in ms. */
  checkMs: number
  /** Distinct causes tried, nearest first. */
  targets: number
  /** Runs for one of them. */
  tries: number
  /** Nothing begins after it, in ms of performance.now(): the process is ended some time later. */
  until?: number
}

/**
 * "Under 2 s a fix" is the promise for a numeric check; the step that runs past its deadline and the programs of its
 * matches are part of it.
 */
export const FIX_BUDGET: FixBudget = {
  ms: 5000,
  leastTrials: 16,
  numbersMs: 6000,
  checkMs: 1500,
  targets: 24,
  tries: 24,
}

/** A run of the workspace that takes longer stretches the budget: a slow machine, or a busy one, finds the same fixes. */
const TYPICAL_RUN_MS = 150
/** The most that a budget is stretched. */
const STRETCH = 5

/** Counts the time in which the search itself runs: the caller may handle other requests at a yield. */
export class SearchClock {
  private ran = 0
  private resumed: number | null = null
  private stretch = 1
  /** Steps outside of numeric checks: each has at most one trial. */
  private trials = 0
  private isChecking = false
  /** Spent on numeric checks, in ms. */
  private checking = 0

  constructor(
    readonly budget: FixBudget,
    private readonly now = (): number => performance.now(),
  ) {}

  /** Runs a search step by step, with the time of the steps. */
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

  /** Stretches the budget after the first run. */
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

  /** Runs a numeric check with the time that is left for it. */
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
