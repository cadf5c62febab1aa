/** Reasons why a match was not replaced: their facts, and the function that words them. */
import { message, node, type Message } from '../../base/message'

export type DropReason =
  | { kind: 'mutation-regions' }
  /** Streams or memory pools. */
  | { kind: 'streams' }
  | { kind: 'extra-check' }
  /** The dump has no metadata for an argument, so it cannot be traced. */
  | { kind: 'unknown-shape'; node: string }
  /** An argument has a value that cannot be traced: an operator, a dtype. */
  | { kind: 'argument-kind'; found: string }
  | { kind: 'integer-requires-grad' }
  | { kind: 'retrace-raised'; type: string; message: string }

export function dropMessage(reason: DropReason): Message {
  switch (reason.kind) {
    case 'mutation-regions':
      return message`the match spans two mutation regions`
    case 'streams':
      return message`the match spans two streams or memory pools`
    case 'extra-check':
      return message`extra_check returned False`
    case 'unknown-shape':
      return message`the graph does not record the shape of ${node(reason.node)}`
    case 'argument-kind':
      return message`an argument of the pattern is a ${reason.found}`
    case 'integer-requires-grad':
      return message`an example input requires grad, but the graph has an integer tensor there`
    case 'retrace-raised':
      return message`the re-trace raised ${reason.type}: ${reason.message}`
  }
}
