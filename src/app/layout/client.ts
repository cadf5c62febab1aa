import { WorkerCalls } from '../../base/worker_calls'
import type { GraphView } from '../../engine/protocol'
import { toLayoutInput } from './input'
import { layoutGraph } from './layout'
import type { LayoutInput, LayoutResult } from './types'

export interface TimedLayout {
  result: LayoutResult
  /** Duration of the layout, in ms. */
  ms: number
}

/** Lays graphs out in a worker. One graph at a time: a newer request cancels the current one. */
export interface LayoutClient {
  /**
   * Rejects with an AbortError when `signal` fires or a newer request comes. A graph object is laid out once per
   * aspect.
   */
  layout(graph: GraphView, aspect: number, signal?: AbortSignal): Promise<TimedLayout>
  dispose(): void
}

type LayoutReply = TimedLayout & { id: number }

const aborted = (): Error => new DOMException('The layout was superseded', 'AbortError')

/** Layouts by graph object, then aspect; shared by all clients. */
const cache = new WeakMap<GraphView, Map<number, TimedLayout>>()

/** Lays out on the calling thread, for environments without workers such as unit tests. */
function layoutHere(input: LayoutInput): TimedLayout {
  const started = performance.now()
  return { result: layoutGraph(input), ms: performance.now() - started }
}

export function createLayoutClient(): LayoutClient {
  let worker: Worker | null = null
  /** The running request; 0: none. */
  let running = 0
  const calls = new WorkerCalls<LayoutReply>()

  const start = (): Worker => {
    const w = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module', name: 'layout' })
    w.onmessage = (event: MessageEvent<LayoutReply>) => void calls.settle(event.data)
    w.onerror = (event) => fail(new Error(event.message || 'The layout worker failed to start'))
    return w
  }
  const fail = (error: Error): void => {
    worker?.terminate()
    worker = null
    calls.failAll(error)
  }
  if (typeof Worker !== 'undefined') worker = start()

  const layoutThere = (input: LayoutInput, signal?: AbortSignal): Promise<LayoutReply> => {
    const w = (worker ??= start())
    const id = (running = calls.newId())
    signal?.addEventListener('abort', () => calls.isWaiting(id) && fail(aborted()), { once: true })
    return calls.call(id, () => w.postMessage({ id, input }))
  }

  return {
    async layout(graph, aspect, signal) {
      const known = cache.get(graph)?.get(aspect)
      if (known) return known
      if (signal?.aborted) throw aborted()
      // A worker cannot be interrupted: end it, and the next request gets a fresh one.
      if (calls.isWaiting(running)) fail(aborted())
      const input = toLayoutInput(graph, aspect)
      const done = typeof Worker === 'undefined' ? layoutHere(input) : await layoutThere(input, signal)
      const entry = { result: done.result, ms: done.ms }
      const byAspect = cache.get(graph) ?? new Map<number, TimedLayout>()
      byAspect.set(aspect, entry)
      cache.set(graph, byAspect)
      return entry
    },
    dispose() {
      fail(aborted())
    },
  }
}
