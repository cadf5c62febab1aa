/** Parsed and located lines of the output of TORCHINDUCTOR_PATTERN_MATCH_DEBUG. */
import type { Message } from '../../base/message'
import type { Cause } from '../causes'

export type DebugKind =
  /** Stage one failed or matched at a node. */
  | 'initial-failed'
  | 'initial-matched'
  /** Stage two, with exact constants. */
  | 'specific-failed'
  | 'specific-matched'
  /** The pattern could not be traced with the graph's inputs. */
  | 'trace-failed'
  /** Not about the pattern matcher. */
  | 'other'

export interface DebugLine {
  /** Its first line in the paste, from 1. */
  line: number
  /** The pasted text, without the log's prefix and colors, with wrapped lines joined. */
  text: string
  kind: DebugKind
  /** The node at which the pattern was tried. */
  node: string | null
  /** FailedMatch's first word: `constant_args`, `multiple_users` … */
  reasonKind: string | null
  reason: string | null
  /** Graph nodes that the reason names in addition to `node`. */
  reasonNodes: string[]
  /** The part of the pattern that the reason concerns, and the whole pattern. */
  partText: string | null
  patternText: string | null
  /** True if the paste ends within it. */
  truncated: boolean
}

export interface LocatedDebugLine extends DebugLine {
  /** Index into the graph's nodes; null if the graph has no such node. */
  nodeIndex: number | null
  /** Indices of the nodes it actually concerns, most relevant first. */
  about: number[]
  pass: string | null
  entry: number | null
  /** The meaning of the line, and where it misleads. */
  means: Message
  misleads: Message | null
  /** The first cause of Fusescope's near miss for this pattern at this node. */
  cause: Cause | null
}
