import { memoizeByObject } from '../../base/memoize'
import { RecentValues } from '../../base/recent_values'
import { WorkerCalls } from '../../base/worker_calls'
import { structureKey } from './structure_key'
import { toLayoutInput, type GraphNodes } from './input'
import { layoutGraph } from './layout'
import type { LayoutInput, LayoutResult } from './types'

/** Lays graphs out in a worker. One graph at a time: a newer request cancels the current one. */
export interface LayoutClient {
  /**
   * Rejects with an AbortError when `signal` fires or a newer request arrives. A structure is laid out once per aspect while it is
   * among the most recently used ones.
   */
  layout(graph: GraphNodes, aspect: number, signal?: AbortSignal): Promise<LayoutResult>
  dispose(): void
}

type LayoutReply = { id: number; result: LayoutResult }

/** A graph with fewer nodes is laid out on the calling thread: starting a worker takes longer and needs one more request. */
const SMALL = 200

const aborted = (): Error => new DOMException('The layout was superseded', 'AbortError')

/** Maximum number of nodes in all cached layouts together; a layout takes about 1 kB per node. */
const MAX_NODES = 60_000

/** Shared by all clients. */
const byStructure = new RecentValues<LayoutResult>(MAX_NODES)
/** The same cache by graph object, then aspect: a graph on screen keeps its layout. */
const byGraph = memoizeByObject((_graph: GraphNodes) => new Map<number, LayoutResult>())

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

  const layoutThere = async (input: LayoutInput, signal?: AbortSignal): Promise<LayoutResult> => {
    const w = (worker ??= start())
    const id = (running = calls.newId())
    signal?.addEventListener('abort', () => calls.isWaiting(id) && fail(aborted()), { once: true })
    return (await calls.call(id, () => w.postMessage({ id, input }))).result
  }

  return {
    async layout(graph, aspect, signal) {
      const byAspect = byGraph(graph)
      const known = byAspect.get(aspect)
      if (known) return known
      if (signal?.aborted) throw aborted()
      // A worker cannot be interrupted: end it, and the next request gets a fresh one.
      if (calls.isWaiting(running)) fail(aborted())
      const input = toLayoutInput(graph, aspect)
      const key = structureKey(input)
      let found = byStructure.get(key)
      if (!found) {
        // Unit tests have no workers.
        const here = typeof Worker === 'undefined' || input.nodes.length < SMALL
        found = here ? layoutGraph(input) : await layoutThere(input, signal)
        byStructure.set(key, found, input.nodes.length)
      }
      byAspect.set(aspect, found)
      return found
    },
    dispose() {
      fail(aborted())
    },
  }
}
