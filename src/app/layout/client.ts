import type { GraphView } from '../../engine/protocol'
import { toLayoutInput } from './input'
import { layoutGraph } from './layout'
import type { LayoutResult } from './types'

export interface TimedLayout {
  result: LayoutResult
  /** Time in the layout itself. */
  ms: number
}

/** Lays graphs out in a worker. One graph at a time: a newer request ends the one under way. */
export interface LayoutClient {
  /** Rejects with an AbortError when `signal` fires or a newer request comes. The same graph object is laid out once an aspect. */
  layout(graph: GraphView, aspect: number, signal?: AbortSignal): Promise<TimedLayout>
  dispose(): void
}

interface Running {
  id: number
  resolve(result: TimedLayout): void
  reject(error: Error): void
}

const aborted = (): Error => new DOMException('The layout was superseded', 'AbortError')

/** Layouts by graph object, then aspect; shared by all clients. */
const cache = new WeakMap<GraphView, Map<number, TimedLayout>>()

export function createLayoutClient(): LayoutClient {
  let worker: Worker | null = null
  let running: Running | null = null
  let nextId = 1

  const start = (): Worker => {
    const w = new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module', name: 'layout' })
    w.onmessage = (event: MessageEvent<TimedLayout & { id: number }>) => {
      if (running?.id !== event.data.id) return
      const { resolve } = running
      running = null
      resolve(event.data)
    }
    w.onerror = (event) => fail(new Error(event.message || 'The layout worker failed to start'))
    return w
  }
  const fail = (error: Error): void => {
    worker?.terminate()
    worker = null
    const r = running
    running = null
    r?.reject(error)
  }
  if (typeof Worker !== 'undefined') worker = start()

  return {
    async layout(graph, aspect, signal) {
      const known = cache.get(graph)?.get(aspect)
      if (known) return known
      if (signal?.aborted) throw aborted()
      // A worker cannot be interrupted: end it, and the next request gets a fresh one.
      if (running) fail(aborted())
      const input = toLayoutInput(graph, aspect)
      const done = await new Promise<TimedLayout>((resolve, reject) => {
        if (typeof Worker === 'undefined') {
          const t = performance.now()
          resolve({ result: layoutGraph(input), ms: performance.now() - t })
          return
        }
        worker ??= start()
        const id = nextId++
        running = { id, resolve, reject }
        signal?.addEventListener('abort', () => running?.id === id && fail(aborted()), { once: true })
        worker.postMessage({ id, input })
      })
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
