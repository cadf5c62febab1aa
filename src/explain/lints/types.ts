/** Lints of patterns that fire: they match more, or replace with less, than their author may expect. */
import type { Message } from '../../base/message'
import type { SourceRef } from '../../fx'

export type LintKind =
  /** The graph passes a keyword the pattern does not name; it is dropped by the replacement (`alpha=2`). */
  | 'ignored-kwarg'
  /** Nothing in the pattern or its extra_check looks at the dtype of an input. */
  | 'dtype-unchecked'
  /** A constant the pattern matches on never reaches the replacement (`scale_ue8m0`). */
  | 'dropped-constant'
  /** search_fn_pattern was given: stage two runs on it, so constants wildcarded there (view, permute) stay unchecked. */
  | 'stage-two-skipped'
  /** An output of the replacement shares storage with an input that the pattern's did not. */
  | 'new-alias'
  /** The replacement uses a value that is defined after the place it is inserted at. */
  | 'used-before-defined'
  | 'other'

export interface Lint {
  kind: LintKind
  entry: number
  /** Matches it was seen at; 0 when it is about the pattern alone. */
  times: number
  /** The first graph node it was seen at. */
  graphNode: string | null
  argument: string | null
  /** The user's line it is about. */
  source: SourceRef | null
  /** The message, with the nodes and operators that it names marked. */
  parts: Message
  /** The text of `parts`. */
  sentence: string
}
