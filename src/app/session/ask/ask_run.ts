/** Asks the engine about the run on screen. */
import { useState } from 'react'
import { messageOf } from '../../../base/error_message'
import type { EngineClient } from '../../../engine/worker/client'
import { requireCode } from '../consent'
import { runEnded, useOfRun, useRun } from '../run_store'
import { done, NONE, type Section } from '../section'
import { engine } from '../runner'
import { currentSession } from '../session'

type Ask<T> = (client: EngineClient, signal: AbortSignal) => Promise<T>

/**
 * Asks after the current run.
 * @param what the sentence's beginning if no code has run: `The steps appear here`
 * @returns the answer, with the workspace version of its run
 * @throws Error, one sentence; any value once the signal is aborted
 */
export async function askRun<T>(signal: AbortSignal, what: string, ask: Ask<T>): Promise<Section<T> & { value: T }> {
  await runEnded()
  signal.throwIfAborted()
  requireCode(what)
  const client = await engine()
  const { outcome, result } = useRun.getState()
  if (outcome.value.python) throw new Error(`The Python currently fails. ${what} once it runs.`)
  return done(await ask(client, signal), result.version)
}

/** An answer about the run on screen, requested on demand. The answer and the request last until another run is on screen. */
interface Answer<T> {
  answer: T | null
  /** Why there is no answer, one sentence. */
  problem: string | null
  busy: boolean
  request: () => void
}

/** @param topic of the session's requests; @param what as for `askRun` */
export function useAnswer<T>(topic: string, what: string, ask: Ask<T>): Answer<T> {
  // Explanations, columns and fixes replace a run's report by another report; its version stays, and no other run has that version.
  const [found, setFound] = useState<Section<{ answer: T | null; problem: string | null }>>(NONE)
  const [asking, setAsking] = useState<AbortSignal | null>(null)
  const busy = asking !== null && !asking.aborted
  const request = async (): Promise<void> => {
    const signal = currentSession().only(topic)
    setAsking(signal)
    setFound(NONE)
    try {
      const { value: answer, version } = await askRun(signal, what, ask)
      if (!signal.aborted) setFound(done({ answer, problem: null }, version))
    } catch (e) {
      const { version } = useRun.getState().result
      if (!signal.aborted) setFound(done({ answer: null, problem: messageOf(e) }, version))
    } finally {
      setAsking((now) => (now === signal ? null : now))
    }
  }
  const { answer, problem } = useOfRun(found) ?? { answer: null, problem: null }
  return { answer, problem, busy, request: () => !busy && void request() }
}
