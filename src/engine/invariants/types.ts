/** Violations of the invariants that torch/_inductor/fx_passes/README.md and lowering require of a pass. */

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
  /** A cycle, or a use of a node that is gone. */
  | 'order'

/** One invariant that a pass broke, at one node. Plain data: part of the Report. */
export interface Violation {
  kind: ViolationKind
  /** The node it is shown on, of the graph after the pass. */
  node: string
  /** The node of the graph before the pass that `node` stands for; null where there is none. */
  before: string | null
  /** Index into PassReport.matches of the rewrite that did it; null where that is not known. */
  match: number | null
  /** What was there, and what is there now: `bf16[5, 4]`, `f32[5, 4]`. */
  was: string
  is: string
  /** The message with both sides, its nodes and operators marked. */
  parts: Message
  /** The text of `parts`. */
  sentence: string
}
