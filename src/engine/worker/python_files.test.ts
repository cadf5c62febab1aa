import { afterEach, expect, test, vi } from 'vitest'
import { pack } from '../../python/start/pack'
import type { Packed, PythonBytes } from './wire'
import { StartFiles } from './worker_files'

const SNAPSHOT = 'http://localhost/assets/python-2.bin'
const STDLIB = 'http://localhost/assets/stdlib-2.bin'
const files = { indexURL: 'http://localhost/assets/pyodide-1/', packs: { snapshot: SNAPSHOT, stdlib: STDLIB } }
const content = [1, 2, 3]
/** With zstd frames of one block, stored. */
const packed = pack(Uint8Array.from(content), (part) =>
  Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x20, part.length, (part.length << 3) | 1, 0, 0, ...part),
)

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

function startPage(caches: object, missing = '') {
  const fetched: string[] = []
  vi.resetModules()
  vi.stubGlobal('caches', caches)
  vi.stubGlobal('fetch', async (url: string) => {
    fetched.push(url)
    if (url === missing) return new Response('', { status: 404 })
    return new Response(url === SNAPSHOT || url === STDLIB ? packed : 'x')
  })
  vi.stubGlobal('WebAssembly', { ...WebAssembly, compileStreaming: async () => ({}) })
  return { fetched, page: import('./python_files'), cache: import('./parts_cache') }
}

async function unpackedOf(part: PythonBytes['snapshot'] | null): Promise<number[]> {
  if (!part || part instanceof Blob || part.packed) throw new Error('not unpacked')
  return [...new Uint8Array(await part.bytes.arrayBuffer())]
}

afterEach(() => vi.unstubAllGlobals())

test('keeps the unpacked files for later workers and visits, and no other version', async () => {
  const entries = new Map([['http://localhost/assets/python-1.bin', new Response('old')]])
  const first = startPage(fakeCaches(entries))
  const { pythonBytes, pythonLibrary, keepUnpacked } = await first.page
  const { snapshot } = await pythonBytes(files)
  const library = await pythonLibrary(files)
  expect([snapshot, library]).toMatchObject([{ packed: true }, { packed: true }])
  await keepUnpacked(files, (await first.cache).unpackPart)
  expect([...entries.keys()]).toEqual([SNAPSHOT, STDLIB])
  for (const part of [snapshot, library]) expect(await unpackedOf(part)).toEqual(content)

  const second = startPage(fakeCaches(entries))
  const page = await second.page
  expect(await unpackedOf((await page.pythonBytes(files)).snapshot)).toEqual(content)
  expect(await unpackedOf(await page.pythonLibrary(files))).toEqual(content)
  for (const url of [SNAPSHOT, STDLIB]) expect(second.fetched).not.toContain(url)
})

test('the standard library is asked for after what Python starts from, and again if it could not be loaded', async () => {
  const { page, fetched } = startPage({ open: () => Promise.reject(new Error('denied')) }, STDLIB)
  const { pythonBytes, pythonLibrary } = await page
  const started = pythonBytes(files)
  const library = pythonLibrary(files)
  await started
  expect(fetched).not.toContain(STDLIB)
  await expect(library).rejects.toThrow(`${STDLIB}: status 404`)
  await expect(pythonLibrary(files)).rejects.toThrow(`${STDLIB}: status 404`)
  expect(fetched.filter((url) => url === STDLIB)).toHaveLength(2)
})

test('starts from the packed files where the browser keeps nothing', async () => {
  const refuse = { open: () => Promise.reject(new Error('denied')) }
  const { page, cache } = startPage(refuse)
  const { pythonBytes, keepUnpacked } = await page
  const { snapshot } = await pythonBytes(files)
  await keepUnpacked(files, (await cache).unpackPart)
  expect(snapshot).toMatchObject({ packed: true } satisfies Partial<Packed>)
})

test('loads the standard library alone where the snapshot cannot be loaded', async () => {
  const { page, fetched } = startPage({ open: () => Promise.reject(new Error('denied')) }, SNAPSHOT)
  const { pythonBytes, pythonLibrary } = await page
  expect((await pythonBytes(files)).snapshot).toBeInstanceOf(Blob)
  expect(await pythonLibrary(files)).toBeNull()
  expect(fetched).toContain(`${files.indexURL}python_stdlib.zip`)
})

test('sends the packed snapshot while it arrives, to the worker that loads it; another one unpacks it itself', async () => {
  const { page } = startPage({ open: () => Promise.reject(new Error('denied')) })
  const { pythonBytes } = await page
  const [first, second, damaged] = [new StartFiles(), new StartFiles(), new StartFiles()]
  const sent: Uint8Array[] = []
  const bytes = pythonBytes(files, undefined, (chunk) => {
    sent.push(chunk)
    first.push(chunk)
  })
  void pythonBytes(files, undefined, (chunk) => second.push(chunk))
  damaged.push(packed.with(9, 0))
  for (const worker of [first, second, damaged]) {
    worker.receive(await bytes)
    expect([...(await worker.snapshot())]).toEqual(content)
  }
  expect(sent.flatMap((chunk) => [...chunk])).toEqual([...packed])
})
