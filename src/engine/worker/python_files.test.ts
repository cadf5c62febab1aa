import { afterEach, expect, test, vi } from 'vitest'
import type { PythonBytes } from './wire'

const URL = 'http://localhost/assets/python-2.bin'
const files = { indexURL: 'http://localhost/assets/pyodide-1/', packURL: URL }
const parts = [1, 2, 3]
/** A zstd frame of one block, stored. */
const packed = new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0x20, 3, (3 << 3) | 1, 0, 0, ...parts])

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
    return new Response(url === URL ? packed : 'x')
  })
  vi.stubGlobal('WebAssembly', { ...WebAssembly, compileStreaming: async () => ({}) })
  return { fetched, page: import('./python_files'), cache: import('./parts_cache') }
}

async function unpackedOf(parts: PythonBytes['parts']): Promise<number[]> {
  if (parts instanceof Blob || parts.packed) throw new Error('not unpacked')
  return [...new Uint8Array(await parts.bytes.arrayBuffer())]
}

afterEach(() => vi.unstubAllGlobals())

test('keeps the unpacked parts for later workers and visits, and no other version', async () => {
  const entries = new Map([['http://localhost/assets/python-1.bin', new Response('old')]])
  const first = startPage(fakeCaches(entries))
  const { pythonBytes, keepUnpacked } = await first.page
  const { parts: loaded } = await pythonBytes(files)
  expect(loaded).toMatchObject({ packed: true })
  await keepUnpacked(files, (await first.cache).unpackParts)
  expect([...entries.keys()]).toEqual([URL])
  expect(await unpackedOf(loaded)).toEqual(parts)

  const second = startPage(fakeCaches(entries))
  expect(await unpackedOf((await (await second.page).pythonBytes(files)).parts)).toEqual(parts)
  expect(second.fetched).not.toContain(URL)
})

test('starts from the packed file where the browser keeps nothing', async () => {
  const refuse = { open: () => Promise.reject(new Error('denied')) }
  const { page, cache } = startPage(refuse)
  const { pythonBytes, keepUnpacked } = await page
  const { parts } = await pythonBytes(files)
  await keepUnpacked(files, (await cache).unpackParts)
  expect(parts).toMatchObject({ packed: true })
})

test('loads the standard library alone where the pack cannot be loaded', async () => {
  const { page, fetched } = startPage({ open: () => Promise.reject(new Error('denied')) })
  const { pythonBytes } = await page
  expect((await pythonBytes({ ...files, packURL: null })).parts).toBeInstanceOf(Blob)
  expect(fetched).toContain(`${files.indexURL}python_stdlib.zip`)
})
