/** Passes Python's call to its handler, once its arguments have the types in the table. */
import type { Json } from '../wire'
import { EDITS, TO_ENGINE, type EditKind, type EngineCall, type EngineHandlers } from './table'
import { checkOf, signatureOf } from './types'

const CHECKS = new Map(
  Object.entries(TO_ENGINE).map(([kind, written]) => [
    kind,
    signatureOf(written).parameters.map(({ type }) => checkOf(type)),
  ]),
)

export const isEdit = (kind: string): kind is EditKind => Object.hasOwn(EDITS, kind)

/**
 * @param handlers for all calls, or for the calls that are possible here
 * @throws Error for an unknown call, or for arguments of other types than in the table
 */
export function answerCall(handlers: Partial<EngineHandlers>, kind: string, payload: readonly Json[]): Json {
  const checks = CHECKS.get(kind)
  const handler = checks && (handlers[kind as EngineCall] as ((...args: readonly Json[]) => Json) | undefined)
  if (!handler) throw new Error(`unknown call ${kind}`)
  if (payload.length !== checks.length || !checks.every((check, i) => check(payload[i])))
    throw new Error(`the call ${kind} takes ${TO_ENGINE[kind as EngineCall]}, not ${JSON.stringify(payload)}`)
  return handler(...payload) ?? null
}
