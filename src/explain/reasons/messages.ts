/** Generates the message of a reason; no other code words a cause in English. */
import type { Message } from '../../base/message'
import { ARGUMENT_MESSAGES } from './argument_messages'
import { OPERATOR_MESSAGES } from './operator_messages'
import { PASS_MESSAGES } from './pass_messages'
import type { Reason } from './reason'
import { STRUCTURE_MESSAGES } from './structure_messages'

type Messages = { [K in Reason['kind']]: (reason: Extract<Reason, { kind: K }>) => Message }

const MESSAGES: Messages = { ...OPERATOR_MESSAGES, ...ARGUMENT_MESSAGES, ...STRUCTURE_MESSAGES, ...PASS_MESSAGES }

export const messageOf = (reason: Reason): Message => (MESSAGES[reason.kind] as (r: Reason) => Message)(reason)
