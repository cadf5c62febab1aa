/**
 * Python's files, which the page loads for the engine's worker: the worker may not connect to anything (box_frame.ts).
 * They are kept, so that the next worker starts without the network; WebAssembly is compiled once for all workers. The
 * unpacked snapshot (31 MB) is kept in the browser's cache: unpacking it takes a third of the start.
 */
import { LoadingBytes, type HearLoading } from './loading'
import { keptSnapshot } from './snapshot_cache'
import type { PackedSnapshot, PythonBytes, PythonFiles } from './wire'

let loaded: Promise<PythonBytes> | null = null

/** @param hear told on a slow line @throws Error with the file that cannot be loaded; the next call tries again */
export function pythonBytes(files: PythonFiles, hear: HearLoading = () => {}): Promise<PythonBytes> {
  loaded ??= load(files, new LoadingBytes(hear)).catch((error: unknown) => {
    loaded = null
    throw error
  })
  return loaded
}

async function load({ indexURL, snapshotURL }: PythonFiles, bytes: LoadingBytes): Promise<PythonBytes> {
  const blob = async (url: string): Promise<Blob> => bytes.counted(await fetched(url)).blob()
  const [compiled, stdlib, lock, snapshot] = await Promise.all([
    compiledFrom(`${indexURL}pyodide.asm.wasm`, bytes),
    blob(`${indexURL}python_stdlib.zip`),
    blob(`${indexURL}pyodide-lock.json`),
    // Without it, Python starts cold.
    snapshotURL === null ? null : snapshotOf(snapshotURL, blob).catch(() => null),
  ])
  return { wasm: compiled, stdlib, lock, snapshot }
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

async function snapshotOf(url: string, load: (url: string) => Promise<Blob>): Promise<PackedSnapshot> {
  const kept = await keptSnapshot(url)
  note(kept ? url : null)
  return kept ? { bytes: kept, gzip: false } : { bytes: await load(url), gzip: true }
}

/** Where the address of the kept snapshot is noted, because the cache itself answers only after a while. */
const NOTE = 'fusescope.python'

/** True if an earlier visit has kept the unpacked snapshot of this version; the browser may have removed it since. */
export function isUnpackedKept({ snapshotURL }: PythonFiles): boolean {
  try {
    return snapshotURL !== null && localStorage.getItem(NOTE) === snapshotURL
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
 * Keeps the unpacked snapshot for later workers and visits, in place of those of other versions.
 * @param unpack unpacks a gzip file into the browser's cache (keep_snapshot.worker.ts); false if nothing is kept there
 */
export async function keepUnpacked(
  files: PythonFiles,
  unpack: (url: string, gzip: Blob) => Promise<boolean>,
): Promise<void> {
  const { snapshotURL: url } = files
  const snapshot = (await loaded)?.snapshot
  if (url === null || !snapshot?.gzip) return
  const kept = (await unpack(url, snapshot.bytes)) ? await keptSnapshot(url) : null
  // Without storage the next worker unpacks it again.
  if (!kept) return
  Object.assign(snapshot, { bytes: kept, gzip: false })
  note(url)
}
