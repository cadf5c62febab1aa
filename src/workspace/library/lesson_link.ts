/** A lesson that a user recorded, as `#lesson=` of an address: its files, compressed (docs/teaching.md). */
import { deflate, inflate, INFLATED_LIMIT } from '../../compact/deflate'
import { fromBase64url, toBase64url } from '../base64url'

const FRAGMENT = '#lesson='

export const isLessonFragment = (hash: string): boolean => hash.startsWith(FRAGMENT)

/** @param files text by path */
export async function lessonFragment(files: ReadonlyMap<string, string>): Promise<string> {
  return FRAGMENT + toBase64url(await deflate(new TextEncoder().encode(JSON.stringify([...files]))))
}

/** The files of a fragment; null if it is truncated or changed. */
export async function readLessonFragment(hash: string): Promise<Map<string, string> | null> {
  const bytes = fromBase64url(hash.slice(FRAGMENT.length))
  if (!(bytes instanceof Uint8Array)) return null
  const unpacked = await inflate(bytes, INFLATED_LIMIT)
  if (!unpacked.ok) return null
  try {
    const files: unknown = JSON.parse(new TextDecoder().decode(unpacked.bytes))
    const isEntry = (e: unknown): e is [string, string] =>
      Array.isArray(e) && e.length === 2 && e.every((text) => typeof text === 'string')
    return Array.isArray(files) && files.every(isEntry) ? new Map(files) : null
  } catch {
    return null
  }
}
