/// <reference lib="webworker" />
import { layoutGraph } from './layout'
import type { LayoutInput } from './types'

declare const self: DedicatedWorkerGlobalScope

self.onmessage = (event: MessageEvent<{ id: number; input: LayoutInput }>) => {
  const { id, input } = event.data
  self.postMessage({ id, result: layoutGraph(input) })
}
