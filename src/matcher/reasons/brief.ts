/** Reasons of failed attempts at the length of a report. */
import type { Failure } from './failure'
import { pyStr } from '../py'

/** In characters: some reasons contain whole patterns and repeat thousands of times. */
const MAX_REASON_LENGTH = 300

export const briefReason = (reason: string): string =>
  reason.length > MAX_REASON_LENGTH ? `${reason.slice(0, MAX_REASON_LENGTH)}…` : reason

/**
 * The brief reasons of a pass's attempts. Equal reasons that contain a pattern are one string: 150,000 attempts have few
 * distinct reasons, and joining and hashing a pattern's text for each takes as long as matching.
 */
export class BriefReasons {
  /** By text of the pattern, which is cached there, then by what the reason says of the node. */
  private readonly known = new Map<string, Map<string, string>>()

  /** @param reason failureText of the failure */
  of(failure: Failure, reason: string): string {
    const { kind } = failure
    if (kind !== 'function_mismatch' && kind !== 'arity' && kind !== 'multiple_users') return briefReason(reason)
    if (kind !== 'arity' && failure.short) return reason
    const pattern = failure.pattern.repr()
    let byNode = this.known.get(pattern)
    if (!byNode) this.known.set(pattern, (byNode = new Map()))
    const node = kind === 'multiple_users' ? kind : `=${pyStr(failure.node)}`
    let brief = byNode.get(node)
    if (brief === undefined) byNode.set(node, (brief = briefReason(reason)))
    return brief
  }
}
