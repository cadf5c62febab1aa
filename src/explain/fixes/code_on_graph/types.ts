/** Code that edits the graph itself, as a search for fixes sees it. */

/** A target that a condition asks for but no node calls, and the graph's similar target. */
export interface Instead {
  wanted: string
  calls: string
}

/** A condition that user code evaluated while it ran on the graph. */
export interface Asked {
  source: { file: string; line: number }
  /** In Python's printed form. */
  text: string
  instead?: readonly Instead[]
}

/** A stage that is code, in one run. */
export interface FixStage {
  name: string
  /** The exception that ended it. */
  error: string | null
  /** Number of graph invariants that it violated. */
  broken: number
  /** Number of edited parts of the graph whose results the rest reads. */
  edited: number
  conditions: readonly Asked[]
}
