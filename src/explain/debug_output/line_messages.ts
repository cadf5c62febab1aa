/** Messages that explain lines of PyTorch's debug output and where they mislead. */
import {
  code,
  listedParts,
  message,
  node as nodePart,
  operator,
  type Message,
  type MessagePart,
} from '../../base/message'
import { headOf } from './pattern_text'
import type { DebugLine } from './types'

export interface DebugFacts {
  line: DebugLine
  /** The node that the line concerns. */
  subject: { name: string; target: string; args: number; users: string[] } | null
  /** True if the next line reports stage two of the same attempt. */
  goesOn: boolean
}

export interface DebugMessages {
  means: Message
  misleads: Message | null
}

export const targetOf = (n: { target: string }): string => n.target.replace(/^torch\.ops\.|^_(?=operator\.)/, '')

/** Functions print by their last name component: `auto_functionalized`. */
export const sameTarget = (target: string, printed: string): boolean =>
  target === printed || target.endsWith(`.${printed}`)

export function debugMessages(facts: DebugFacts): DebugMessages {
  const { line, goesOn } = facts
  const at = nodeOf(line)
  switch (line.kind) {
    case 'other':
      return { means: message`Not about the pattern matcher.`, misleads: null }
    case 'trace-failed':
      return {
        means: message`The search function cannot be traced with the sizes the graph has: ${line.reason ?? ''}`,
        misleads: message`It names the function and not the node: the first stage matched just before.`,
      }
    case 'initial-matched':
      return {
        means: message`At ${at} the first stage matches. There, numbers, lists, dtypes and devices match anything.`,
        misleads: goesOn
          ? message`This is not a replacement yet: the next line reports the second stage.`
          : message`This is not a replacement. No line of a second stage follows: the pattern could not be traced again with the graph’s inputs, or its handler needs none.`,
      }
    case 'specific-matched':
      return {
        means: message`At ${at} both stages match.`,
        misleads: message`This still does not prove a replacement: an extra_check that returns False prints nothing.`,
      }
    default:
      return failure(facts)
  }
}

const nodeOf = (line: DebugLine): MessagePart => (line.node === null ? 'a node' : nodePart(line.node))

function failure({ line, subject }: DebugFacts): DebugMessages {
  const { reason } = line
  const stage = line.kind === 'specific-failed' ? 'second stage, where every constant counts' : 'first stage'
  const at = message`Tried at ${nodeOf(line)}, the pattern fails in the ${stage}`
  switch (line.reasonKind) {
    case 'function_mismatch':
      return functionMismatch(line, subject, at)
    case 'multiple_users':
      return multipleUsers(line, subject, at)
    case 'constant_args': {
      const values = /constant_args: \S+ (.*)!=(.*)$/s.exec(reason ?? '')
      return {
        means: values
          ? message`${at}: ${subject ? nodePart(subject.name) : 'a node'} has ${code(values[1]!)} in the graph where the pattern has ${code(values[2]!)}.`
          : message`${at}: a constant differs.`,
        misleads: message`The graph’s value comes first and the pattern’s second; the argument is not named.`,
      }
    }
    case 'args_structure':
      return {
        means: message`${at}: the arguments have another form, such as other keywords, another order of keywords, or a list of another length.`,
        misleads: message`The first tree is the graph’s call, the second the pattern’s; the node is not named.`,
      }
    case 'kwarg mismatch':
    case 'kwarg_mismatch': {
      const name = /kwarg[_ ]mismatch: (\w+)/.exec(reason ?? '')?.[1]
      return {
        means: message`${at}: one argument of the pattern (${name === undefined ? 'unnamed' : code(name)}) stands for two values in the graph.`,
        misleads: message`It is an argument of the search function, not a keyword of a call.`,
      }
    }
    case 'exclusive arg':
      return { means: message`${at}: two exclusive arguments have the same value.`, misleads: null }
    case 'no anchor':
    case 'no_match':
      return {
        means: message`${at}: no matched node leads to another output of the pattern.`,
        misleads: message`It names neither the output nor the nodes that were examined.`,
      }
    case 'non_list':
    case 'list':
      return { means: message`${at}: a list differs (${reason ?? ''}).`, misleads: null }
    case 'repeated pattern':
      return {
        means: message`${at}: one value of the pattern would have to be two nodes of the graph.`,
        misleads: null,
      }
    default:
      return {
        means: message`${at}${reason ? `: ${reason}` : line.truncated ? '; the line is cut off' : ''}.`,
        misleads: line.truncated ? message`The paste ends within this line.` : null,
      }
  }
}

function functionMismatch(line: DebugLine, subject: DebugFacts['subject'], at: Message): DebugMessages {
  const part = headOf(line.partText ?? line.patternText ?? '')
  const name = subject?.name ?? line.reasonNodes[0] ?? line.node
  const named: MessagePart = name === null ? 'a node' : nodePart(name)
  if (subject && part && sameTarget(subject.target, part.target)) {
    const counts = subject.args === part.args ? '' : ` (${subject.args} in the graph, ${part.args} in the pattern)`
    return {
      means: message`${at}: ${named} is ${operator(part.target)} on both sides, and the number of arguments differs${counts}.`,
      misleads: message`function_mismatch suggests another operator; a wrong number of arguments prints the same.`,
    }
  }
  return {
    means: message`${at}: ${named} is ${subject ? operator(subject.target) : 'another operator'}, and the pattern has ${part ? operator(part.target) : 'another operator'} there.`,
    misleads: message`The matcher stops at the first difference; there may be more after it.`,
  }
}

function multipleUsers(line: DebugLine, subject: DebugFacts['subject'], at: Message): DebugMessages {
  const part = headOf(line.partText ?? line.patternText ?? '')
  return {
    means: subject
      ? message`${at}: ${nodePart(subject.name)} has ${subject.users.length} users in the graph (${listedParts(subject.users.map(nodePart))}), and the pattern has ${part?.users ?? '1'}.`
      : message`${at}: a value of ${part ? operator(part.target) : 'the pattern'} has another number of users than the pattern’s.`,
    misleads: message`PyTorch prints the part of the pattern here, and neither the node nor who uses it.`,
  }
}
