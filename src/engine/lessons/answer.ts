/** The answer to an attempt at an exercise: an exception, or the first cause of Why not. */
import { capitalized, message, plainText, withoutNotes, type Message } from '../../base/message'
import type { Cause, Report } from '../protocol'
import { whyNot, type PassCause } from '../queries/why_not'

/** The cause that Why not shows first, with its pass; null if nothing was missed. */
export function firstCause(report: Report): Pick<PassCause, 'cause' | 'pass'> | null {
  const { general, near, apart, further } = whyNot(report)
  if (general[0]) return general[0]
  const lead = (near[0] ?? further[0])?.lead
  if (lead) return { cause: lead.miss.causes[0]!, pass: lead.pass }
  return apart[0] ?? null
}

export interface Answer {
  kind: Cause['kind'] | 'python'
  parts: Message
  cause: Cause | null
}

/** The causes of an exception that ended a pass. */
const ENDS_A_PASS: ReadonlySet<Cause['kind']> = new Set(['replacement-error', 'extra-check', 'unused-argument'])

export function answerOf(report: Report): Answer | null {
  const early = report.causes?.[0]
  if (report.python && !early) {
    const at = report.python.frames.at(-1)
    const where: Message = at ? message` (${{ source: at }})` : []
    const { type, message: said, advice } = report.python
    return { kind: 'python', parts: message`${type}: ${said}${where}${advice ? `. ${advice}` : ''}`, cause: null }
  }
  const failed = report.passes.find((p) => p.applyError !== null)
  if (failed) {
    const cause = failed.causes?.find((c) => ENDS_A_PASS.has(c.kind)) ?? null
    return { kind: 'python', parts: cause ? capitalized(withoutNotes(cause.parts)) : [failed.applyError!], cause }
  }
  const found = early ? { cause: early } : firstCause(report)
  return found
    ? { kind: found.cause.kind, parts: capitalized(withoutNotes(found.cause.parts)), cause: found.cause }
    : null
}

/** The answer as plain text. */
export const answerText = (answer: Answer | null): string => (answer ? plainText(answer.parts) : '')
