/** The interface of patterns to matches, failures and contexts; PatternExpr implements it. */

/** `_users=MULTIPLE`: any number of users. */
export const MULTIPLE = 'MULTIPLE'
export type Users = number | typeof MULTIPLE

export interface Pattern {
  /** Index of its node in the traced search graph; null for hand-written patterns. */
  readonly patternNode: number | null
  /** The Python object it was built from; null for a traced pattern. */
  readonly id: number | null
  readonly className: string
  repr(): string
  hasMultipleUsers(): boolean
}
