/**
 * Python's files, which the page loads for the engine's worker: the worker may not connect to anything (box_frame.ts).
 * They are kept, so that the next worker starts without the network; WebAssembly is compiled once for all workers. The
 * unpacked snapshot (31 MB) is kept in the browser's cache: unpacking it takes a third of the start.
 */
import type { PackedSnapshot, PythonBytes, PythonFiles } from './wire'

let loaded: Promise<PythonBytes> | null = null

/** @throws Error with the file that cannot be loaded; the next call tries again */
export function pythonBytes(files: PythonFiles): Promise<PythonBytes> {
  loaded ??= load(files).catch((error: unknown) => {
    loaded = null
    throw error
  })
  return loaded
}

async function load({ indexURL, snapshotURL }: PythonFiles): Promise<PythonBytes> {
  const blob = async (url: string): Promise<Blob> => (await fetched(url)).blob()
  const [wasm, stdlib, lock, snapshot] = await Promise.all([
    WebAssembly.compileStreaming(fetched(`${indexURL}pyodide.asm.wasm`)),
    blob(`${indexURL}python_stdlib.zip`),
    blob(`${indexURL}pyodide-lock.json`),
    // Without it, Python starts cold.
    snapshotURL === null ? null : snapshotOf(snapshotURL, blob).catch(() => null),
  ])
  return { wasm, stdlib, lock, snapshot }
}

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: status ${response.status}`)
  return response
}

const CACHE = 'fusescope-python'

async function snapshotOf(url: string, load: (url: string) => Promise<Blob>): Promise<PackedSnapshot> {
  const kept = await keptSnapshot(url)
  if (kept) note(url)
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

function note(url: string): void {
  try {
    localStorage.setItem(NOTE, url)
  } catch {
    // The next visit starts its engine after the first screen.
  }
}

/** The unpacked snapshot of an earlier visit; null if there is none, or the browser keeps nothing. */
async function keptSnapshot(url: string): Promise<Blob | null> {
  try {
    return (await (await caches.open(CACHE)).match(url))?.blob() ?? null
  } catch {
    return null
  }
}

/** Keeps the unpacked snapshot for later workers and visits, in place of those of other versions. */
export async function keepUnpacked(files: PythonFiles): Promise<void> {
  const { snapshotURL: url } = files
  const snapshot = (await loaded)?.snapshot
  if (url === null || !snapshot?.gzip) return
  try {
    const cache = await caches.open(CACHE)
    for (const old of await cache.keys()) if (old.url !== url) await cache.delete(old)
    await cache.put(url, new Response(snapshot.bytes.stream().pipeThrough(new DecompressionStream('gzip'))))
    const kept = await keptSnapshot(url)
    if (!kept) return
    Object.assign(snapshot, { bytes: kept, gzip: false })
    note(url)
  } catch {
    // Without storage the next worker unpacks it again.
  }
}
