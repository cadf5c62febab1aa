/** The numeric check of a rewrite: what is compared, and the outcome. */
export type { NumbersDetail, NumbersResult, NumbersVerdict } from '../../explain/fixes/types'

export interface NumbersBudget {
  /** Wall-clock time of one check, in ms. */
  ms: number
}

/** The goal is under 2 s per fix, including the step that overruns the deadline. */
export const NUMBERS_BUDGET: NumbersBudget = { ms: 1500 }
