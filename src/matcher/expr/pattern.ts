/** A pattern as its matches, failures and contexts see it; PatternExpr implements it. */

/** `_users=MULTIPLE`: any number of users will do. */
export const MULTIPLE = 'MULTIPLE'
export type Users = number | typeof MULTIPLE

export interface Pattern {
  /** Position of the node it was made of in the traced search graph; null for patterns written by hand. */
  readonly patternNode: number | null
  /** The object of Python's that it was made of; null for one made of a trace. */
  readonly id: number | null
  readonly className: string
  repr(): string
  hasMultipleUsers(): boolean
}
