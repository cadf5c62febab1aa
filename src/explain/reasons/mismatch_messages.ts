/** Messages of the matcher's first mismatch, for one attempt or several equal ones. */
import { code, message, node, type Message, type MessagePart } from '../../base/message'
import type { Mismatch, Phase } from '../../matcher/types'

export interface FailedAttempts {
  attempts: number
  phase: Phase
  mismatch: Mismatch | null
  /** PyTorch's text, or the reason why a match was dropped. */
  text: string
}

/** The leading count ("32 attempts failed in the initial stage") of a near miss. */
export function leadText({ attempts, phase, mismatch }: FailedAttempts): string {
  const subject = attempts === 1 ? '1 attempt' : `${attempts} attempts`
  if (mismatch === null) return `${subject} matched but ${attempts === 1 ? 'was' : 'were'} dropped: `
  return phase === 'specific'
    ? `${subject} matched in the initial stage and failed in the specific one: `
    : `${subject} failed in the initial stage: `
}

export const mismatchMessage = (failed: FailedAttempts): Message => message`${leadText(failed)}${whyMessage(failed)}`

/** The difference, without the leading count. */
export function whyMessage({ attempts, mismatch: m, text }: FailedAttempts): Message {
  if (!m) return [text]
  const where: Message = m.graphNode ? message` (${node(m.graphNode)}${attempts > 1 ? ' and the like' : ''})` : []
  if (m.argument !== null && m.expected !== null && m.found !== null)
    return message`${code(m.argument)} is ${code(m.found)} in the graph, ${code(m.expected)} in the pattern${where}`
  if (m.kind === 'multiple_users')
    return message`a value inside the match is used ${times(m.found)} in the graph, ${times(m.expected)} in the pattern${where}`
  if (m.expected !== null && m.found !== null)
    return message`the graph has ${code(m.found)} where the pattern has ${code(m.expected)}${where}`
  return [text]
}

const times = (n: string | null): MessagePart =>
  n === null ? 'a different number of times' : n === '1' ? 'once' : `${n} times`
