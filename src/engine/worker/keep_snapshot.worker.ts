/**
 * Unpacks Python's snapshot for the next visit. In a worker, because a browser inflates on the thread that reads: the page
 * would stop for 50 ms several times, in the middle of somebody's typing. It gets an address and a gzip file, and answers
 * whether the unpacked file is in the cache.
 */
import { unpackSnapshot } from './snapshot_cache'

self.onmessage = async ({ data }: MessageEvent<{ url: string; gzip: Blob }>) =>
  self.postMessage(await unpackSnapshot(data.url, data.gzip))
