/** Python's snapshot and standard library, unpacked (src/python/start/pack.ts), in the browser's cache by their address. */
import { unpack } from '../../python/start/pack'

const CACHE = 'fusescope-python'

/** The unpacked parts of an earlier visit; null if there are none, or the browser keeps nothing. */
export async function keptParts(url: string): Promise<Blob | null> {
  try {
    return (await (await caches.open(CACHE)).match(url))?.blob() ?? null
  } catch {
    return null
  }
}

/**
 * Unpacks the parts (41 MB) into the cache, in place of those of other versions.
 * @returns false if the browser keeps nothing
 */
export async function unpackParts(url: string, packed: Blob): Promise<boolean> {
  try {
    const cache = await caches.open(CACHE)
    for (const old of await cache.keys()) if (old.url !== url) await cache.delete(old)
    await cache.put(url, new Response(unpack(new Uint8Array(await packed.arrayBuffer()))))
    return true
  } catch {
    return false
  }
}
