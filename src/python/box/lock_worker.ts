/**
 * Locks the engine's worker after Python has started and before user code runs. Python keeps only one reference to JavaScript, a
 * function (start/boot.ts); this is the second layer, for code that escapes from Python. The third is the policy of the frame that
 * starts the worker (src/engine/worker/box_frame.ts): no connection, no font, no eval.
 */
import { freezeIntrinsics } from './intrinsics'
import { KEPT_GLOBALS, lockGlobals } from './globals'

/** @throws Error if an unlisted global remains, so that user code never runs beside it */
export function lockWorker(scope: object): void {
  const left = lockGlobals(scope)
  if (left.length > 0) throw new Error(`the worker keeps ${left.join(', ')}: this browser cannot run user code`)
  freezeIntrinsics([...KEPT_GLOBALS].map((name) => (scope as Record<string, unknown>)[name]))
}
