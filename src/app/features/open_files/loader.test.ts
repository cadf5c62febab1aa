/** public/load.js against a host that answers slowly: it ends, and says why. */
import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The answers of the loader for a host that sends a byte each `every` ms, for `forMs` of time. */
async function answers(every: number, forMs: number): Promise<string[]> {
  const kinds: string[] = []
  let heard: (event: object) => void = () => undefined
  const host = (_: string, { signal }: { signal: AbortSignal }) => ({
    ok: true,
    body: {
      getReader: () => ({
        read: () =>
          new Promise((resolve, reject) => {
            signal.onabort = () => reject(new Error('aborted'))
            setTimeout(() => resolve({ done: false, value: new Uint8Array(1) }), every)
          }),
      }),
    },
  })
  const parent = {}
  runInNewContext(readFileSync('public/load.js', 'utf8'), {
    addEventListener: (_: string, listener: typeof heard) => (heard = listener),
    parent,
    self: { origin: 'null' },
    fetch: async (url: string, options: { signal: AbortSignal }) => host(url, options),
    AbortController,
    setTimeout,
    clearTimeout,
  })
  const port = { postMessage: ({ kind }: { kind: string }) => kinds.push(kind) }
  heard({ source: parent, ports: [port], data: { url: 'https://slow.example/', limit: 1e9, silence: 20_000, longest: 300_000 } }) // prettier-ignore
  await vi.advanceTimersByTimeAsync(forMs)
  return kinds
}

it.each([
  ['sends nothing', 25_000, 21_000, ['started', 'slow']],
  ['is slow, but sends', 10_000, 200_000, ['started']],
  ['sends a byte now and then for ever', 10_000, 301_000, ['started', 'long']],
])('a host that %s', async (_, every, forMs, wanted) => {
  expect(await answers(every, forMs)).toEqual(wanted)
})
