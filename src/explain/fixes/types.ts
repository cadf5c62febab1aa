/** A fix of one cause, as data: what to change, and what the real matcher did with the change made. */

/** Text to put in place of a part of one of the user's files. Lines and columns count from 1; `to` is exclusive. */
export interface TextEdit {
  file: string
  from: { line: number; column: number }
  to: { line: number; column: number }
  text: string
}

/**
 * The graph after the fix against the graph before it, by Run's rules: bit for bit; within rounding, or within a known
 * difference of a fused kernel; neither; not compared.
 */
export type NumbersVerdict = 'equal' | 'close' | 'different' | 'unknown'

export interface NumbersDetail {
  /** Kinds of matches that the fix brings, and how many of them were compared over all kinds of inputs. */
  kinds: number
  compared: number
  /** Kinds of inputs that ran: normal, outliers, zeros, … */
  inputs: string[]
  /** Graph node that differs most, and the kind of inputs it does on; null where nothing differs. */
  output: string | null
  input: string | null
  maxAbs: number | null
  maxRel: number | null
  /** Elements where one side alone is NaN. */
  nanMismatches?: number
  /** Known differences of the fused kernels that explain all of it. */
  known?: string[]
  /** The operator without a definition, where that is why the numbers were not compared. */
  operator: string | null
  /** Why the numbers differ or were not compared, in one sentence. */
  reason: string | null
  /** The output, by position, whose dtype the rewrite changes. */
  dtype?: { output: number; before: string; after: string }
  /** The time for the comparison ran out. */
  timedOut?: true
  ms: number
}

export interface NumbersResult {
  numbers: NumbersVerdict
  detail: NumbersDetail
}

/** Where a set of fixes belongs: a cause of a near miss, or (miss null) one of the pass. */
export interface FixesFound {
  /** Index into Report.passes; null for a cause of the report itself. */
  pass: number | null
  miss: number | null
  /** Index into the near miss's, the pass's or the report's causes. */
  cause: number
  fixes: Fix[]
  /** Changes that fire and are not offered: they change what the model computes. `verified` is false. */
  tried: Fix[]
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
  /**
   * True when the change was applied to a copy, the real matcher then fired more often, and the graph after it computes
   * what the graph before computed: `numbers` is equal or close, or unknown where it says why. Others are not offered.
   */
  verified: boolean
  numbers: NumbersVerdict
  numbersDetail: NumbersDetail
  matchesBefore: number
  /** Matches of this entry with the change made. */
  matchesAfter: number
}
