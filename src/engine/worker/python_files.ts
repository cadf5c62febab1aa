/**
 * Python's files, which the page loads for the engine's worker: the worker may not connect to anything (box_frame.ts).
 * They are kept, so that the next worker starts without the network; WebAssembly is compiled once for all workers. The
 * unpacked memory snapshot and standard library (41 MB) are kept in the browser's cache: unpacking takes a third of the start.
 */
import { LoadingBytes, type HearLoading } from './loading'
import { keptParts } from './parts_cache'
import type { PackedParts, PythonBytes, PythonFiles } from './wire'

let loaded: Promise<PythonBytes> | null = null

/** @param hear told on a slow line @throws Error with the file that cannot be loaded; the next call tries again */
export function pythonBytes(files: PythonFiles, hear: HearLoading = () => {}): Promise<PythonBytes> {
  loaded ??= load(files, new LoadingBytes(hear)).catch((error: unknown) => {
    loaded = null
    throw error
  })
  return loaded
}

async function load({ indexURL, packURL }: PythonFiles, bytes: LoadingBytes): Promise<PythonBytes> {
  const blob = async (url: string): Promise<Blob> => bytes.counted(await fetched(url)).blob()
  const stdlib = (): Promise<Blob> => blob(`${indexURL}python_stdlib.zip`)
  const [wasm, lock, parts] = await Promise.all([
    compiledFrom(`${indexURL}pyodide.asm.wasm`, bytes),
    blob(`${indexURL}pyodide-lock.json`),
    // Without the pack, Python starts cold.
    packURL === null ? stdlib() : partsOf(packURL, blob).catch(stdlib),
  ])
  return { wasm, lock, parts }
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url)
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

/** Browsers compile nothing of another type, and a host may not know this one. */
function asWasm(response: Response): Response {
  const type = 'application/wasm'
  if (response.headers.get('content-type') === type) return response
  return new Response(response.body, { headers: { 'content-type': type } })
}

async function partsOf(url: string, load: (url: string) => Promise<Blob>): Promise<PackedParts> {
  const kept = await keptParts(url)
  note(kept ? url : null)
  return kept ? { bytes: kept, packed: false } : { bytes: await load(url), packed: true }
}

/** Where the address of the kept pack is noted, because the cache itself answers only after a while. */
const NOTE = 'fusescope.python'

/** True if an earlier visit has kept the unpacked parts of this version; the browser may have removed them since. */
export function isUnpackedKept({ packURL }: PythonFiles): boolean {
  try {
    return packURL !== null && localStorage.getItem(NOTE) === packURL
  } catch {
    return false
  }
}

/** @param url null if nothing is kept */
function note(url: string | null): void {
  try {
    if (url === null) localStorage.removeItem(NOTE)
    else localStorage.setItem(NOTE, url)
  } catch {
    // The next visit starts its engine after the first screen.
  }
}

/**
 * Keeps the unpacked parts for later workers and visits, in place of those of other versions.
 * @param unpack unpacks the file into the browser's cache (keep_parts.worker.ts); false if nothing is kept there
 */
export async function keepUnpacked(
  files: PythonFiles,
  unpack: (url: string, packed: Blob) => Promise<boolean>,
): Promise<void> {
  const { packURL: url } = files
  const parts = (await loaded)?.parts
  if (url === null || !parts || parts instanceof Blob || !parts.packed) return
  const kept = (await unpack(url, parts.bytes)) ? await keptParts(url) : null
  // Without storage the next worker unpacks it again.
  if (!kept) return
  Object.assign(parts, { bytes: kept, packed: false })
  note(url)
}
