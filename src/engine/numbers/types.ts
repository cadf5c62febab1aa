/** The numeric check of a rewrite: what is compared, and the outcome. */
export type { NumbersDetail, NumbersResult, NumbersVerdict } from '../../explain/fixes/types'

export interface NumbersBudget {
  /** performance.now() at the start of the check. */
  started: number
  /** Wall-clock time of the check, in ms. */
  ms: number
}
