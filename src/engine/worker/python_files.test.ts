import { gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'

const URL = 'http://localhost/assets/python-2.bin'
const files = { indexURL: 'http://localhost/assets/pyodide-1/', snapshotURL: URL }
const memory = new Uint8Array([1, 2, 3])

/** The cache storage of a browser, of one cache. */
function fakeCaches(entries: Map<string, Response>) {
  const cache = {
    match: async (url: string) => entries.get(url)?.clone(),
    keys: async () => [...entries.keys()].map((url) => ({ url })),
    delete: async ({ url }: { url: string }) => entries.delete(url),
    put: async (url: string, response: Response) => void entries.set(url, new Response(await response.arrayBuffer())),
  }
  return { open: async () => cache }
}

function startPage(caches: object) {
  const fetched: string[] = []
  vi.resetModules()
  vi.stubGlobal('caches', caches)
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url)
    return new Response(url === URL ? gzipSync(memory) : 'x')
  })
  vi.stubGlobal('WebAssembly', { ...WebAssembly, compileStreaming: async () => ({}) })
  return { fetched, page: import('./python_files'), cache: import('./snapshot_cache') }
}

const bytesOf = async (blob: Blob): Promise<number[]> => [...new Uint8Array(await blob.arrayBuffer())]

afterEach(() => vi.unstubAllGlobals())

test('keeps the unpacked snapshot for later workers and visits, and no other version', async () => {
  const entries = new Map([['http://localhost/assets/python-1.bin', new Response('old')]])
  const first = startPage(fakeCaches(entries))
  const { pythonBytes, keepUnpacked } = await first.page
  const { snapshot } = await pythonBytes(files)
  expect(snapshot!.gzip).toBe(true)
  await keepUnpacked(files, (await first.cache).unpackSnapshot)
  expect([...entries.keys()]).toEqual([URL])
  expect([snapshot!.gzip, await bytesOf(snapshot!.bytes)]).toEqual([false, [...memory]])

  const second = startPage(fakeCaches(entries))
  const again = (await (await second.page).pythonBytes(files)).snapshot!
  expect([again.gzip, await bytesOf(again.bytes)]).toEqual([false, [...memory]])
  expect(second.fetched).not.toContain(URL)
})

test('starts from the gzip file where the browser keeps nothing', async () => {
  const refuse = { open: () => Promise.reject(new Error('denied')) }
  const { page, cache } = startPage(refuse)
  const { pythonBytes, keepUnpacked } = await page
  const { snapshot } = await pythonBytes(files)
  await keepUnpacked(files, (await cache).unpackSnapshot)
  expect(snapshot!.gzip).toBe(true)
})
