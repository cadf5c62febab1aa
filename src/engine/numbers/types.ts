/** The numeric check of a rewrite: what is compared, and the outcome. */
export type { NumbersDetail, NumbersResult, NumbersVerdict } from '../../explain/fixes/types'

export interface NumbersBudget {
  /** Wall-clock time of one check, in ms. */
  ms: number
}

/** "Under 2 s a fix" is the promise; the last step that runs past the deadline is part of it. */
export const NUMBERS_BUDGET: NumbersBudget = { ms: 1500 }
