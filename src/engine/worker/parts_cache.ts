/** Python's unpacked snapshot and standard library (src/python/start/pack.ts), by their addresses in the browser's cache. */
import { unpack } from '../../python/start/pack'

const CACHE = 'fusescope-python'

/** A file that an earlier visit unpacked; null if there is none, or if the browser caches nothing. */
export async function keptPart(url: string): Promise<Blob | null> {
  try {
    return (await (await caches.open(CACHE)).match(url))?.blob() ?? null
  } catch {
    return null
  }
}

/** Unpacks a file (31 and 10 MB) into the cache. @returns false if the browser caches nothing */
export async function unpackPart(url: string, packed: Blob): Promise<boolean> {
  try {
    const cache = await caches.open(CACHE)
    await cache.put(url, new Response(unpack(new Uint8Array(await packed.arrayBuffer()))))
    return true
  } catch {
    return false
  }
}

/** Removes the files of other versions. */
export async function forgetOthers(urls: readonly string[]): Promise<void> {
  try {
    const cache = await caches.open(CACHE)
    for (const old of await cache.keys()) if (!urls.includes(old.url)) await cache.delete(old)
  } catch {
    // They occupy storage until the next visit.
  }
}
