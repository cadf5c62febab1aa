/** Time budgets of a search for fixes: trial runs and numeric checks are counted apart. */

export interface FixBudget {
  /** For all trial runs, in ms. */
  ms: number
  /** For all numeric checks, in ms. */
  numbersMs: number
  /** For one numeric check, in ms. */
  checkMs: number
  /** Distinct causes tried, nearest first. */
  targets: number
  /** Runs for one of them. */
  tries: number
}

/**
 * "Under 2 s a fix" is the promise for a numeric check; the step that runs past its deadline and the programs of its
 * matches are part of it.
 */
export const FIX_BUDGET: FixBudget = { ms: 5000, numbersMs: 6000, checkMs: 1500, targets: 24, tries: 24 }

export class SearchClock {
  private readonly started = performance.now()
  /** Spent on numeric checks, in ms. */
  private checking = 0

  constructor(readonly budget: FixBudget) {}

  /** True when the time for trial runs is over. */
  late(): boolean {
    return performance.now() - this.started - this.checking > this.budget.ms
  }

  /** Runs a numeric check with the time that is left for it. */
  *check<T>(run: (ms: number) => Generator<null, T>): Generator<null, T> {
    const started = performance.now()
    try {
      return yield* run(Math.max(0, Math.min(this.budget.checkMs, this.budget.numbersMs - this.checking)))
    } finally {
      this.checking += performance.now() - started
    }
  }
}
