/** Code that edits the graph itself, as far as a search for fixes needs it. */

/** A target that a condition asks for and no node calls, and what the graph calls in its place. */
export interface Instead {
  wanted: string
  calls: string
}

/** A condition that user code asked while it ran on the graph. */
export interface Asked {
  source: { file: string; line: number }
  /** As Python prints it. */
  text: string
  instead?: readonly Instead[]
}

/** A stage that is code, in one run. */
export interface FixStage {
  name: string
  /** The exception that ended it. */
  error: string | null
  /** Number of invariants of the graph that it broke. */
  broken: number
  /** Number of parts of the graph that it edited and that the rest reads. */
  edited: number
  conditions: readonly Asked[]
}
