/**
 * What the page loads of Python beside its code, in one file: the memory snapshot and the standard library, whose zip is stored
 * without compression, so that zstd sees the sources. By zstd because hosts need not know it, and because it takes a quarter less
 * than gzip.
 */
import { decompress } from 'fzstd'

export interface PythonParts<T> {
  snapshot: T
  /** A zip file. */
  stdlib: T
}

/** The bytes before the snapshot: its length. */
const HEADER = 4

export function joinParts({ snapshot, stdlib }: PythonParts<Uint8Array>): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(HEADER + snapshot.length + stdlib.length)
  new DataView(joined.buffer).setUint32(0, snapshot.length, true)
  joined.set(snapshot, HEADER)
  joined.set(stdlib, HEADER + snapshot.length)
  return joined
}

/** The joined parts of a file as the page loads it. */
export const unpack = (packed: Uint8Array): Uint8Array<ArrayBuffer> => decompress(packed) as Uint8Array<ArrayBuffer>

/** Views of the bytes, not copies. @throws Error if the file is cut */
export function splitParts<B extends ArrayBufferLike>(joined: Uint8Array<B>): PythonParts<Uint8Array<B>> {
  const end = HEADER + (joined.length < HEADER ? 0 : new DataView(joined.buffer, joined.byteOffset).getUint32(0, true))
  if (end >= joined.length) throw new Error('its file is cut')
  return { snapshot: joined.subarray(HEADER, end), stdlib: joined.subarray(end) }
}
