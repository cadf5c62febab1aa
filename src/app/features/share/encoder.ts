/** Encodes links in a worker, which starts at the first link. */
import { Renewable } from '../../../base/memoize'
import { WorkerCalls } from '../../../base/worker_calls'
import type { FittedLink } from '../../../workspace/link'
import type { Snapshot } from '../../../workspace/types'
import type { BaseText } from './example_link'

export interface EncodeRequest {
  id: number
  snapshot: Snapshot
  base: BaseText | null
}

export type EncodeReply = { id: number; link: FittedLink } | { id: number; problem: string }

const worker = new Renewable(start)

/** @throws Error if the worker cannot start */
export async function encodeLink(snapshot: Snapshot, base: BaseText | null): Promise<FittedLink> {
  // Unit tests have no workers, so this runs on the calling thread.
  if (typeof Worker === 'undefined') {
    const { encodeOnBase } = await import('./example_link')
    return encodeOnBase(snapshot, base)
  }
  const { port, calls } = worker.get()
  const id = calls.newId()
  const reply = await calls.call(id, () => port.postMessage({ id, snapshot, base } satisfies EncodeRequest))
  if ('problem' in reply) throw new Error(reply.problem)
  return reply.link
}

function start() {
  const calls = new WorkerCalls<EncodeReply>()
  const port = new Worker(new URL('./encode.worker.ts', import.meta.url), { type: 'module', name: 'links' })
  port.onmessage = (event: MessageEvent<EncodeReply>) => void calls.settle(event.data)
  port.onerror = (event) => {
    port.terminate()
    worker.forget()
    calls.failAll(new Error(event.message || 'the worker that encodes links failed to start'))
  }
  return { port, calls }
}
