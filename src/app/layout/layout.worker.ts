/// <reference lib="webworker" />
import { layoutGraph } from './layout'
import type { LayoutInput } from './types'

declare const self: DedicatedWorkerGlobalScope

self.onmessage = (event: MessageEvent<{ id: number; input: LayoutInput }>) => {
  const { id, input } = event.data
  const start = performance.now()
  const result = layoutGraph(input)
  self.postMessage({ id, result, ms: performance.now() - start })
}
