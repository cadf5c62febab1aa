/** A fix of one cause, as data: the change, and the real matcher's result with it. */

/** Replacement text for a range of a user file. Lines and columns count from 1; `to` is exclusive. */
export interface TextEdit {
  file: string
  from: { line: number; column: number }
  to: { line: number; column: number }
  text: string
}

/**
 * Comparison of the graph with and without the fix, by the rules of Run: bit for bit; within rounding, or within a
 * known difference of a fused kernel; neither; not compared.
 */
export type NumbersVerdict = 'equal' | 'close' | 'different' | 'unknown'

export interface NumbersDetail {
  /** Kinds of matches that the fix adds, and how many of them were compared on every kind of input. */
  kinds: number
  compared: number
  /** Kinds of inputs that were run: normal, outliers, zeros, … */
  inputs: string[]
  /** The graph node that differs most, and the kind of input for which it does; null if nothing differs. */
  output: string | null
  input: string | null
  maxAbs: number | null
  maxRel: number | null
  /** Number of elements that are NaN on one side only. */
  nanMismatches?: number
  /** Known differences of the fused kernels that explain the whole difference. */
  known?: string[]
  /** The operator whose missing definition prevented the comparison. */
  operator: string | null
  /** If a Python function of the user computes that operator: the reason why it cannot be used, with its line. */
  untraced?: string
  /** The reason why the numerics differ or were not compared, in one sentence. */
  reason: string | null
  /** For numerics that were not compared: the reason why the change is not offered, as a sentence. */
  unsafe?: string
  /** Position of the output whose dtype the rewrite changes. */
  dtype?: { output: number; before: string; after: string }
  /** Set if sizes of 512 and more were divided, because the reference device would take seconds for them. */
  sizesDividedBy?: number
  /** True if the comparison ran out of time. */
  timedOut?: true
  ms: number
}

export interface NumbersResult {
  numbers: NumbersVerdict
  detail: NumbersDetail
}

/** The owner of a set of fixes: a cause of a near miss or (miss null) of the pass, a lint, or a condition of a stage. */
export interface FixesFound {
  /** Index into Report.passes; null for a cause of the report itself. */
  pass: number | null
  miss: number | null
  /** Index into the near miss's, the pass's or the report's causes; unused for a lint. */
  cause: number
  /** For fixes of a lint: index into the pass's lints. */
  lint?: number
  /** For fixes of a condition: PipelineStage.at; `cause` is the index of the condition. */
  stage?: number
  fixes: Fix[]
  /** Changes that fire but are not offered, because they change the model's results. `verified` is false. */
  tried: Fix[]
}

export interface Fix {
  /** Label of the button: `Return mul_3 from the pattern as well`. */
  title: string
  /** The changes that `title` summarizes, in order; absent if it names them all. */
  changes?: string[]
  /**
   * `python`: `edits` change the user's files. `pattern`: a change of the traced pattern that has no single place in the code.
   * `graph`, `pass`: the model or the pass (a registration, a barrier, the environment) must change.
   */
  kind: 'python' | 'pattern' | 'graph' | 'pass'
  /** For `python`: a few edits, in one or several files. */
  edits: TextEdit[]
  /** Unified diff of the user file, or of the text of the traced pattern or graph. */
  diff: string
  /**
   * True if the change was applied to a copy, the real matcher then fired more often, and the numerics are preserved:
   * `numbers` is equal or close, or unknown with a reason. Other changes are not offered.
   */
  verified: boolean
  numbers: NumbersVerdict
  numbersDetail: NumbersDetail
  matchesBefore: number
  /** Number of matches of this entry with the change. */
  matchesAfter: number
  /** True if it keeps the pattern and registers a second one with the change; the counts are then the second pattern's. */
  second?: true
  /** True for a fix in a link: it was not tried here, and its edits are the sender's. */
  sent?: true
  /** True for a change of code on the graph: the counts are those of the edited parts of the graph. */
  code?: true
  /** The same change as a second registration, for users who also need the original pattern. */
  alongside?: Fix
}
