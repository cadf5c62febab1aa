/**
 * Unpacks Python's snapshot or standard library for the next visit, in a worker, because it takes a third of a second. It gets an
 * address and the file, and answers whether the unpacked file is in the cache.
 */
import { unpackPart } from './parts_cache'

self.onmessage = async ({ data }: MessageEvent<{ url: string; packed: Blob }>) =>
  self.postMessage(await unpackPart(data.url, data.packed))
