/** Reasons why a match was not replaced: their facts, and the function that words them. */
import { listedParts, message, node, type Message } from '../../base/message'

export type DropReason =
  | { kind: 'mutation-regions' }
  /** Streams or memory pools. */
  | { kind: 'streams' }
  /** `none`: it returned None, as a function without return does. */
  | { kind: 'extra-check'; none?: true }
  /**
   * The dump has no metadata for these nodes, `node` first: stage two cannot trace, or an extra_check read it.
   * `arguments`: for stage two, the pattern's argument that is each node.
   */
  | { kind: 'unknown-shape'; node: string; nodes: readonly string[]; arguments: readonly string[] }
  /** An argument has a value that cannot be traced: an operator, a dtype. */
  | { kind: 'argument-kind'; found: string }
  | { kind: 'integer-requires-grad' }
  | { kind: 'retrace-raised'; type: string; message: string }
  /** For replace_pattern: an earlier match of the pattern has a node of this match. */
  | { kind: 'overlap' }
  /** For replace_pattern: a value computed from the match, outside of it, is an input of the match. */
  | { kind: 'cycle' }
  /** A match_filter of replace_pattern_with_filters returned False. */
  | { kind: 'match-filter' }
  /** Traces come from a capture, and PyTorch did not trace here. */
  | { kind: 'not-recorded' }

export function dropMessage(reason: DropReason): Message {
  switch (reason.kind) {
    case 'mutation-regions':
      return message`the match spans two mutation regions`
    case 'streams':
      return message`the match spans two streams or memory pools`
    case 'extra-check':
      return message`extra_check returned ${reason.none ? 'None' : 'False'}`
    case 'unknown-shape':
      return message`the graph does not record the ${reason.nodes.length > 1 ? 'shapes' : 'shape'} of ${listedParts(reason.nodes.map(node))}`
    case 'argument-kind':
      return message`an argument of the pattern is a ${reason.found}`
    case 'integer-requires-grad':
      return message`an example input requires grad, but the graph has an integer tensor there`
    case 'retrace-raised':
      return message`the re-trace raised ${reason.type}: ${reason.message}`
    case 'overlap':
      return message`an earlier match of the pattern already has one of these nodes, and replace_pattern replaces a node once`
    case 'cycle':
      return message`a node outside the match lies between its nodes, so one node in their place would depend on itself`
    case 'match-filter':
      return message`a match filter returned False`
    case 'not-recorded':
      return message`PyTorch did not trace the pattern here, so the capture has no trace for stage two`
  }
}

/** @param nodes at least one @param args for stage two: the pattern's argument that is each of them */
export const unknownShape = (nodes: readonly string[], args: readonly string[] = []): DropReason => ({
  kind: 'unknown-shape',
  node: nodes[0]!,
  nodes,
  arguments: args,
})
