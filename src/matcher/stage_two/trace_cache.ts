/** The second traces of one entry, kept by the metadata they were made with. */
import type { Graph, Val } from '../../fx'
import type { DropReason } from '../reasons/drop_reason'
import type { PatternExpr } from '../expr/pattern_expr'
import type { TraceArgInfo } from '../trace_args'

/** The re-traced pattern of one set of argument metadata. */
export interface Specific {
  pattern: PatternExpr
  argInfo: TraceArgInfo
  /** Index in the re-traced graph → index in the entry's search graph. */
  toInitial: readonly (number | null)[] | null
  /** The search function traced again; null for a pattern given by hand. */
  graph: Graph | null
  /** Names of that graph's placeholders, the symbolic sizes that lead it included. */
  placeholders: readonly string[]
}

/** Why there is no re-traced pattern; PyTorch drops the match silently. */
export interface Rejected {
  rejected: DropReason
}

/** Traces of one entry by the metadata they were made with: equal layers cost one trace each. */
export class TraceCache {
  /** The arguments to trace with, by the metadata they were captured with. */
  readonly args = new Map<string, Val[] | Rejected>()
  readonly specific = new Map<string, Specific | Rejected>()
  readonly replacement = new Map<string, Graph>()
}
