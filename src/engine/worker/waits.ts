/** Functions for waiting in the worker, saved before the lockdown removes the globals. */
const later = self.setTimeout.bind(self)

/** Resolves once every message received so far is handled; the lockdown removes the other ways to wait. */
export const turn = ((): (() => Promise<void>) => {
  const { port1, port2 } = new MessageChannel()
  const waiting: (() => void)[] = []
  port1.onmessage = () => waiting.shift()?.()
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      port2.postMessage(null)
    })
})()

/** Resolves after a time. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => void later(resolve, ms))
