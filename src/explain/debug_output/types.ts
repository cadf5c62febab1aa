/** The output of TORCHINDUCTOR_PATTERN_MATCH_DEBUG, read back: one of these for each thing that PyTorch said. */
export interface DebugLine {
  /** First line of it in the pasted text, from 1. */
  line: number
  /** As pasted, without what logging puts before it. It may span several lines. */
  text: string
  /**
   * `initial`: `node(args) Match|FailedMatch pattern`; `specific`: the same of the re-traced pattern; `other`: a line
   * that is none of these.
   */
  kind: 'initial' | 'specific' | 'other'
  /** The node that was tried, as the text names it; null for `other`. */
  node: string | null
  /** Whether the graph has that node. */
  found: boolean
  matched: boolean | null
  /** The node of the graph where it went wrong, when that is told and the graph has it. */
  culprit: string | null
  /** The registration that it speaks of, where one fits. */
  pass: string | null
  entry: number | null
  /** One plain sentence. */
  sentence: string
}
