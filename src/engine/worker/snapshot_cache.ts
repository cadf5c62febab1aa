/** The unpacked memory snapshot of Python in the browser's cache, by its address. */

const CACHE = 'fusescope-python'

/** The unpacked snapshot of an earlier visit; null if there is none, or the browser keeps nothing. */
export async function keptSnapshot(url: string): Promise<Blob | null> {
  try {
    return (await (await caches.open(CACHE)).match(url))?.blob() ?? null
  } catch {
    return null
  }
}

/**
 * Unpacks a snapshot (31 MB) into the cache, in place of those of other versions.
 * @returns false if the browser keeps nothing
 */
export async function unpackSnapshot(url: string, gzip: Blob): Promise<boolean> {
  try {
    const cache = await caches.open(CACHE)
    for (const old of await cache.keys()) if (old.url !== url) await cache.delete(old)
    await cache.put(url, new Response(gzip.stream().pipeThrough(new DecompressionStream('gzip'))))
    return true
  } catch {
    return false
  }
}
