/**
 * What the page loads of Python beside its code, in two files: the memory snapshot, with which Python starts, and the standard library,
 * which may arrive later (late_library.ts) and whose zip is stored without compression, so that zstd sees the sources. By zstd because
 * hosts need not know it, and because it takes a quarter less than gzip.
 */
import { decompress } from 'fzstd'

/** A file as it was packed. */
export const unpack = (packed: Uint8Array): Uint8Array<ArrayBuffer> => decompress(packed) as Uint8Array<ArrayBuffer>

/** The names of the two files for what they are made from, as a hash. */
export const packNames = (key: string): { snapshot: string; stdlib: string } => ({
  snapshot: `python-${key}`,
  stdlib: `stdlib-${key}`,
})
