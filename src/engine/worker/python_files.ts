/**
 * Python's files, which the page loads for the engine's worker: the worker may not connect to anything (box_frame.ts). They are
 * cached, so that the next worker starts without the network; WebAssembly is compiled once for all workers. The browser's cache
 * keeps the unpacked memory snapshot and standard library (41 MB), because unpacking takes a third of the start. The standard
 * library is loaded last, because Python starts without it.
 */
import { Renewable } from '../../base/memoize'
import { LoadingBytes, type HearLoading } from './loading'
import { forgetOthers, keptPart } from './parts_cache'
import type { Packed, PythonBytes, PythonFiles } from './wire'

/** Takes a part of the packed snapshot. */
type Send = (chunk: Uint8Array) => void

const loaded = new Renewable((files: PythonFiles, hear: HearLoading, send: Send) =>
  load(files, new LoadingBytes(hear), send),
)
const followed = new Renewable((url: string) =>
  keptOr(url, async (from) => (await fetched(from, { priority: 'low' })).blob()),
)

/**
 * @param hear called with progress on a slow line
 * @param send receives the parts of the packed snapshot as they arrive, if this call loads it
 * @throws Error with the file that cannot be loaded; the next call tries again
 */
export function pythonBytes(
  files: PythonFiles,
  hear: HearLoading = () => {},
  send: Send = () => {},
): Promise<PythonBytes> {
  return loaded.get(files, hear, send)
}

/**
 * The standard library; null if Python starts cold, with Pyodide's. It is requested after the start files.
 * @throws Error as `pythonBytes`
 */
export async function pythonLibrary(files: PythonFiles): Promise<Packed | null> {
  const { packs } = files
  if (!packs || (await pythonBytes(files)).snapshot instanceof Blob) return null
  return followed.get(packs.stdlib)
}

async function load({ indexURL, packs }: PythonFiles, bytes: LoadingBytes, send: Send): Promise<PythonBytes> {
  const response = async (url: string): Promise<Response> => bytes.counted(await fetched(url))
  const cold = async (): Promise<Blob> => (await response(`${indexURL}python_stdlib.zip`)).blob()
  const sent = async (url: string): Promise<Blob> => blobOf(await response(url), send)
  const [wasm, snapshot] = await Promise.all([
    compiledFrom(`${indexURL}pyodide.asm.wasm`, bytes),
    packs === null ? cold() : snapshotOf(packs.snapshot, sent).catch(cold),
  ])
  return { wasm, snapshot }
}

/** @param send called with a copy of each part as it arrives */
async function blobOf({ body }: Response, send: Send): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  const reader = body!.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Blob(chunks)
    chunks.push(value)
    send(value)
  }
}

async function fetched(url: string, how?: RequestInit): Promise<Response> {
  const response = await fetch(url, how)
  if (!response.ok) throw new Error(`${url}: status ${response.status}`)
  return response
}

async function compiledFrom(url: string, bytes: LoadingBytes): Promise<WebAssembly.Module> {
  const response = await fetched(url)
  const size = bytes.begin(response)
  const compiled = await WebAssembly.compileStreaming(asWasm(response))
  bytes.add(size)
  return compiled
}

/** Browsers compile WebAssembly only from responses with its media type, and a host may not know this type. */
function asWasm(response: Response): Response {
  const type = 'application/wasm'
  if (response.headers.get('content-type') === type) return response
  return new Response(response.body, { headers: { 'content-type': type } })
}

async function snapshotOf(url: string, load: (url: string) => Promise<Blob>): Promise<Packed> {
  const snapshot = await keptOr(url, load)
  note(snapshot.packed ? null : url)
  return snapshot
}

async function keptOr(url: string, load: (url: string) => Promise<Blob>): Promise<Packed> {
  const kept = await keptPart(url)
  return kept ? { bytes: kept, packed: false } : { bytes: await load(url), packed: true }
}

/** The address of the cached snapshot is also stored here, because the cache itself answers only after a while. */
const NOTE = 'fusescope.python'

/** True if an earlier visit has cached the unpacked snapshot of this version; the browser may have removed it since. */
export function isUnpackedKept({ packs }: PythonFiles): boolean {
  try {
    return packs !== null && localStorage.getItem(NOTE) === packs.snapshot
  } catch {
    return false
  }
}

/** @param url null if nothing is cached */
function note(url: string | null): void {
  try {
    if (url === null) localStorage.removeItem(NOTE)
    else localStorage.setItem(NOTE, url)
  } catch {
    // The next visit starts its engine after the first screen.
  }
}

/**
 * Caches the unpacked files for later workers and visits, replacing those of other versions.
 * @param unpack unpacks a file into the browser's cache (keep_parts.worker.ts); false if nothing is cached there
 */
export async function keepUnpacked(
  files: PythonFiles,
  unpack: (url: string, packed: Blob) => Promise<boolean>,
): Promise<void> {
  const { packs } = files
  const library = packs && (await pythonLibrary(files).catch(() => null))
  if (!packs || !library) return
  const snapshot = (await pythonBytes(files)).snapshot as Packed
  const parts = [
    [packs.snapshot, snapshot],
    [packs.stdlib, library],
  ] as const
  for (const [url, part] of parts) {
    if (!part.packed) continue
    const kept = (await unpack(url, part.bytes)) ? await keptPart(url) : null
    // Without storage the next worker unpacks it again.
    if (!kept) return
    Object.assign(part, { bytes: kept, packed: false })
  }
  note(packs.snapshot)
  await forgetOthers([packs.snapshot, packs.stdlib])
}
