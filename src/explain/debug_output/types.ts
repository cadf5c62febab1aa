/** Lines that TORCHINDUCTOR_PATTERN_MATCH_DEBUG makes PyTorch print, parsed and located on the graph. */
import type { Message } from '../../base/message'
import type { Cause } from '../causes'

export type DebugKind =
  /** The first stage failed, or matched, at a node. */
  | 'initial-failed'
  | 'initial-matched'
  /** The second stage, with exact constants. */
  | 'specific-failed'
  | 'specific-matched'
  /** The pattern could not be traced with the graph's inputs. */
  | 'trace-failed'
  /** Not about the pattern matcher. */
  | 'other'

export interface DebugLine {
  /** Line of the paste it begins at, from 1. */
  line: number
  /** As pasted, without the log's prefix and colours; wrapped lines joined. */
  text: string
  kind: DebugKind
  /** The node the pattern was tried at. */
  node: string | null
  /** FailedMatch's first word: `constant_args`, `multiple_users` … */
  reasonKind: string | null
  reason: string | null
  /** Graph nodes that the reason names, beside `node`. */
  reasonNodes: string[]
  /** The part of the pattern that the reason is about, and the whole pattern. */
  partText: string | null
  patternText: string | null
  /** The paste ends within it. */
  truncated: boolean
}

export interface LocatedDebugLine extends DebugLine {
  /** Index into the graph's nodes; null where the graph has no such node. */
  nodeIndex: number | null
  /** Indices of the nodes it is really about, the most relevant first. */
  about: number[]
  pass: string | null
  entry: number | null
  /** What the line means, and how it misleads. */
  means: Message
  misleads: Message | null
  /** The first cause of this pattern at this node, from our own near misses. */
  cause: Cause | null
}
