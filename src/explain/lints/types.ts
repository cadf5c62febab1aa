/** Lints of patterns that fire: they match more, or replace with less, than their author may expect. */
import type { Message } from '../../base/message'
import type { SourceRef } from '../../fx'
import type { Fix } from '../fixes/types'

export type LintKind =
  /** The graph passes a keyword that the pattern does not name, and the replacement drops it (`alpha=2`). */
  | 'ignored-kwarg'
  /** Neither the pattern nor its extra_check checks the dtype of an input. */
  | 'dtype-unchecked'
  /** A constant that the pattern requires never reaches the replacement (`scale_ue8m0`). */
  | 'dropped-constant'
  /**
   * The pattern is given with search_fn_pattern or traced ahead of time by gen_register_replacement: stage two uses it, so
   * constants that are wildcards in it (view, permute) stay unchecked.
   */
  | 'stage-two-skipped'
  /** An output of the replacement shares storage with an input, unlike the pattern's output. */
  | 'new-alias'
  /** The replacement uses a value that is defined after its insertion point. */
  | 'used-before-defined'
  /** The replacement has the search function's parameters in another order, but receives them by position. */
  | 'argument-order'
  /** The replacement calls an operator that no file declares, so PyTorch raises AttributeError. */
  | 'undeclared-operator'
  /** A kernel is called with an argument whose memory layout differs from the row-major example input. */
  | 'layout-unchecked'
  /** The replacement reads memory of `aten.empty` that nothing has written. */
  | 'unwritten-memory'
  /** The replacement reduces over the ranks with another operation (`avg`) than the pattern. */
  | 'other-reduction'
  /** An `output_mask` of the replacement requests an output that nothing uses. */
  | 'needless-output'
  /** Another pass with the same pattern rejects the compile range in which this one fires. */
  | 'range-unchecked'
  | 'other'

export interface Lint {
  kind: LintKind
  entry: number
  /** Number of matches with the lint; 0 if it concerns the pattern alone. */
  times: number
  /** The first graph node with the lint. */
  graphNode: string | null
  argument: string | null
  /** The constant in the replacement as Python code, and its correct value; absent if the lint is not about a constant. */
  literal?: { is: string; asks: string }
  /** The source line it concerns. */
  source: SourceRef | null
  /** The message, with the nodes and operators it names marked. */
  parts: Message
  /** `parts` as plain text. */
  sentence: string
  /** Changes after which the pattern no longer has the lint; absent before the search. */
  fixes?: Fix[]
}
