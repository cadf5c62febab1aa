/** Advice on exceptions of user code that first-time authors see: one sentence that says what to write. */
import { CALL_MISTAKES } from './call_mistakes'
import { TRACE_MISTAKES } from './trace_mistakes'
import type { Mistake } from './types'

const MISTAKES: readonly Mistake[] = [...TRACE_MISTAKES, ...CALL_MISTAKES]

/** @param error `TypeError: …`, as Python prints it; null if the table has no such exception */
export function adviceOn(error: string): string | null {
  for (const [form, sentence] of MISTAKES) {
    const found = form.exec(error)
    if (found) return typeof sentence === 'string' ? sentence : sentence(...found.slice(1).map((g) => g ?? ''))
  }
  return null
}

/** `. Pass the …`, to follow an exception in a message; empty if there is no advice. */
export function adviceClause(error: string): string {
  const advice = adviceOn(error)
  return advice === null ? '' : `. ${advice.replace(/\.$/, '')}`
}
