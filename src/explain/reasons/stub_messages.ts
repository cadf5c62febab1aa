/** The part of a message that names the stubs which a cause rests on. */
import { code, listedParts, message, type Message, type MessagePart } from '../../base/message'
import type { StubDecision } from '../../matcher/types'

/** `triton.config.fast`. */
export const stubName = ({ module, asked }: StubDecision): string => `${module}.${asked}`

/** `; this rests on the stub triton.config.fast, which answered False at fusion.py:3`; empty without stubs. */
export function stubsClause(stubs: readonly StubDecision[] = []): Message | '' {
  if (stubs.length === 0) return ''
  const named = stubs.map(
    (s) =>
      message`${code(stubName(s))}, which answered ${s.answer}${s.source ? message` at ${sourcePart(s.source)}` : ''}`,
  )
  return message`; this rests on ${stubs.length === 1 ? 'a stub' : 'stubs'}: ${listedParts(named)}`
}

const sourcePart = ({ file, line }: { file: string; line: number }): MessagePart => ({ source: { file, line } })
