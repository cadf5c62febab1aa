/** The capture's part of a report, as plain data. */

/** The real run that the workspace comes from. */
export interface CaptureReport {
  file: string
  /** `2.14.1`. */
  torch: string
  compile: string | null
  /** Number of matches that PyTorch replaced in all passes. */
  replaced: number
  /** True if the graph or the files have changed since: the patterns then come from the files. */
  edited: boolean
  /** True if PyTorch's verdict is about the current graph and files: a process answered after the edit. */
  now?: true
  /** True if both agree at every node of every pass. */
  agrees: boolean
  /** Records that the size limit left out, and failures of the recorder or the reader; one sentence each. */
  notes: string[]
}

/** PyTorch's answer to edited files: verdicts by pass, null for a pass that it did not apply. */
export interface PyTorchAnswer {
  capture: CaptureReport
  verdicts: (PyTorchVerdict | null)[]
}

/** The outcome of one pattern at one node. */
export interface NodeVerdict {
  /** Index into PassReport.entries. */
  entry: number
  node: string
  outcome: 'replaced' | 'dropped' | 'failed'
  /** Stage two if the second attempt failed. */
  phase: 'initial' | 'specific'
  /** FailedMatch's text, or why the match was dropped; null if it was replaced. */
  reason: string | null
}

/** A node at which PyTorch and Fusescope disagree; node null: the pass as a whole. */
export interface VerdictDifference {
  entry: number | null
  node: string | null
  pytorch: string
  ours: string
}

/** PyTorch's own verdict on a pass, from a capture. */
export interface PyTorchVerdict {
  /** Null if the pass raised, or the capture ends inside it. */
  count: number | null
  /** The exception that ended the pass, or a note that the pass did not finish. */
  error: string | null
  /** Attempts that got past their root, in PyTorch's order. */
  nodes: NodeVerdict[]
  differences: VerdictDifference[]
  /** Number of failed attempts that the size limit left out. */
  leftOut: number
}
