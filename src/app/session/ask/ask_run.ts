/** Asks the engine about the run on screen. */
import { useState } from 'react'
import { messageOf } from '../../../base/error_message'
import type { EngineClient } from '../../../engine/worker/client'
import { requireCode } from '../consent'
import { runEnded, useRun } from '../run_store'
import { engine } from '../runner'
import { currentSession } from '../session'

type Ask<T> = (client: EngineClient, signal: AbortSignal) => Promise<T>

/**
 * Asks after the run that is in progress.
 * @param what what the answer does, for where no code has run: `The steps appear here`
 * @returns the answer, with the workspace version of the run that it is about
 * @throws Error, one sentence; anything once the signal is aborted
 */
export async function askRun<T>(
  signal: AbortSignal,
  what: string,
  ask: Ask<T>,
): Promise<{ answer: T; version: number }> {
  await runEnded()
  signal.throwIfAborted()
  requireCode(what)
  const client = await engine()
  const {
    python,
    result: { version },
  } = useRun.getState()
  if (python) throw new Error(`The Python currently fails. ${what} once it runs.`)
  return { answer: await ask(client, signal), version }
}

/** An answer about the run on screen, asked on request. Both last until another run is on screen. */
interface Answer<T> {
  answer: T | null
  /** Why there is no answer, one sentence. */
  problem: string | null
  busy: boolean
  request: () => void
}

/** @param topic of the session's requests; @param what as for `askRun` */
export function useAnswer<T>(topic: string, what: string, ask: Ask<T>): Answer<T> {
  // Explanations, columns and fixes put another report in place of that of a run; its version stays, and no other run has it.
  const shown = useRun((s) => s.result.version)
  const [found, setFound] = useState<{ version: number; answer: T | null; problem: string | null } | null>(null)
  const [asking, setAsking] = useState<AbortSignal | null>(null)
  const busy = asking !== null && !asking.aborted
  const request = async (): Promise<void> => {
    const signal = currentSession().only(topic)
    setAsking(signal)
    setFound(null)
    try {
      const { answer, version } = await askRun(signal, what, ask)
      if (!signal.aborted) setFound({ version, answer, problem: null })
    } catch (e) {
      if (!signal.aborted) setFound({ version: useRun.getState().result.version, answer: null, problem: messageOf(e) })
    } finally {
      setAsking((now) => (now === signal ? null : now))
    }
  }
  const { answer, problem } = found?.version === shown ? found : { answer: null, problem: null }
  return { answer, problem, busy, request: () => !busy && void request() }
}
