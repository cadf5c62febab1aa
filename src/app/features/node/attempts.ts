/** The attempts at one node, for display: equal outcomes are grouped over their patterns. */
import type { Attempt } from '../../../engine/protocol'

export type Outcome = 'ok' | 'dropped' | 'failed'

export interface AttemptGroup {
  phase: Attempt['phase']
  outcome: Outcome
  /** One plain sentence; null for a match. */
  sentence: string | null
  /** PyTorch's message of the first attempt. */
  reason: string | null
  attempts: Attempt[]
}

export const outcomeOf = (a: Attempt): Outcome => (!a.ok ? 'failed' : a.dropped === undefined ? 'ok' : 'dropped')

export function foldAttempts(attempts: readonly Attempt[]): AttemptGroup[] {
  const groups = new Map<string, AttemptGroup>()
  for (const a of attempts) {
    const sentence = attemptSentence(a)
    const key = [a.phase, outcomeOf(a), sentence ?? ''].join('\u0000')
    const group = groups.get(key)
    if (group) group.attempts.push(a)
    else groups.set(key, { phase: a.phase, outcome: outcomeOf(a), sentence, reason: a.reason, attempts: [a] })
  }
  return [...groups.values()]
}

export function attemptSentence(a: Attempt): string | null {
  if (a.dropped !== undefined) return a.dropped
  const m = a.mismatch
  if (!m || m.expected === null || m.found === null) return a.reason
  const at = m.graphNode && m.graphNode !== a.node ? ` (${m.graphNode})` : ''
  if (m.kind === 'multiple_users')
    return `${m.graphNode ?? 'A value'} has ${users(m.found)} in the graph, ${users(m.expected)} in the pattern`
  if (m.kind === 'args_structure')
    return `${m.graphNode ?? 'The node'} has the arguments ${m.found}; the pattern has ${m.expected}`
  if (m.kind === 'kwarg_mismatch')
    return `The pattern’s input ${m.argument} is ${m.expected} in one place and ${m.found} in another${at}`
  return m.argument !== null
    ? `${m.argument} is ${m.found} in the graph, ${m.expected} in the pattern${at}`
    : `The graph has ${m.found} where the pattern has ${m.expected}${at}`
}

const users = (n: string): string => (n === '1' ? '1 user' : /^\d+$/.test(n) ? `${n} users` : n)
