/** A repair of one cause, as data: what to change, and what the real matcher did with the change made. */

/** Text to put in place of a part of one of the user's files. Lines and columns count from 1; `to` is exclusive. */
export interface TextEdit {
  file: string
  from: { line: number; column: number }
  to: { line: number; column: number }
  text: string
}

export interface Fix {
  /** What a button says: `Return mul_3 from the pattern as well`. */
  title: string
  /**
   * `python`: `edits` change the user's files. `pattern`: a change of the traced pattern that has no one place in the
   * text. `graph`, `pass`: the right place is the model or the pass (a registration, a barrier, the environment).
   */
  kind: 'python' | 'pattern' | 'graph' | 'pass'
  /** For `python`; at most a few, in one file or several. */
  edits: TextEdit[]
  /** Unified diff of what changes: of the user's file, or of the traced pattern's or graph's text. */
  diff: string
  /** True when the change was applied to a copy and the real matcher then fired more often. Others are not offered. */
  verified: boolean
  matchesBefore: number
  /** Matches of this entry with the change made. */
  matchesAfter: number
}

/** Where a set of fixes belongs: a cause of a near miss, or (miss null) one of the pass. */
export interface FixesFound {
  /** Index into Report.passes; null for a cause of the report itself. */
  pass: number | null
  miss: number | null
  /** Index into the near miss's, the pass's or the report's causes. */
  cause: number
  fixes: Fix[]
}
