/** Violations of the invariants that a pass must keep according to torch/_inductor/fx_passes/README.md and lowering. */

import type { Message } from '../../base/message'

export type ViolationKind =
  /** A value of another dtype, shape, stride or device replaced a matched value. */
  | 'output'
  /** A node's metadata differs from what its operator computes from its inputs. */
  | 'metadata'
  /** An output of the graph shares storage with an input or another output, and did not before. */
  | 'alias'
  /** An operator that writes to its argument, in a graph that had none before its epilogue of copies. */
  | 'mutation'
  /** A cycle, or a use of a removed node. */
  | 'order'

/** A violation of one invariant at one node. Plain data: part of the Report. */
export interface Violation {
  kind: ViolationKind
  /** The node to show it on, in the graph after the pass. */
  node: string
  /** The node of the graph before the pass that `node` corresponds to; null if there is none. */
  before: string | null
  /** Index into PassReport.matches of the rewrite that caused it; null if unknown. */
  match: number | null
  /** The value before and after the pass: `bf16[5, 4]`, `f32[5, 4]`. */
  was: string
  is: string
  /** The message about both sides, with its nodes and operators marked. */
  parts: Message
  /** `parts` as plain text. */
  sentence: string
}
