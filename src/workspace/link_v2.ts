/**
 * Links of the second kind: a checksum, the length, and the coded snapshot, which may build on a base that the site has.
 * docs/links.md specifies the bytes.
 */
import { bytesToHex, hexToBytes, sha256, sha256Bytes } from '../base/sha256'
import { decodeDocument, encodeDocument, type Document, type EncodeOptions } from '../compact'
import { toBase64url } from './base64url'
import { documentOf, snapshotOf } from './link_document'

/** A snapshot that a link builds on: an example in the state when the link was made. */
export interface Base {
  /** 12 hexadecimal digits of the SHA-256 of its own link, `#v2.…`. */
  hash: string
  /** The value that its link decodes to, before the schema. */
  snapshot: object
}

/** @returns the base with this hash, or null if the site has none */
export type BaseLoader = (hash: string) => Promise<Base | null>

const CHECK_BYTES = 3
const HASH_BYTES = 6
const HAS_BASE = 1
const KNOWN_FLAGS = HAS_BASE

/** The hash by which links name a base: that of its own link's text. */
export const baseHash = (link: string): string => sha256(link).slice(0, 2 * HASH_BYTES)

export async function encodeV2(
  snapshot: object,
  base: Base | null,
  options: EncodeOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const code = await encodeDocument(documentOf(snapshot), base && documentOf(base.snapshot), options)
  const head = base ? [HAS_BASE, ...hexToBytes(base.hash)] : [0]
  const packed = pack(head, code)
  return endsPlainly(packed) ? packed : pack(head, new Uint8Array([...code, 0]))
}

function pack(head: readonly number[], code: Uint8Array): Uint8Array<ArrayBuffer> {
  const content = new Uint8Array([...varint(head.length + code.length), ...head, ...code])
  return new Uint8Array([...sha256Bytes(content).slice(0, CHECK_BYTES), ...content])
}

/**
 * Markdown treats punctuation at the end of an address, including `_`, as part of the sentence. The code may end in an additional
 * zero byte, because its reader assumes zeros past the end.
 */
const endsPlainly = (bytes: Uint8Array<ArrayBuffer>): boolean =>
  /[A-Za-z0-9]$/.test(toBase64url(bytes.slice(-3 - (bytes.length % 3))))

export type DecodedV2 =
  | { ok: true; value: unknown; base: Base | null }
  | { ok: false; why: 'cut' | 'damaged' | 'no base' | 'newer' }

export async function decodeV2(bytes: Uint8Array<ArrayBuffer>, loadBase: BaseLoader): Promise<DecodedV2> {
  const content = bytes.subarray(CHECK_BYTES)
  const length = readVarint(content)
  if (!length || content.length < length.size + length.value) return { ok: false, why: 'cut' }
  const check = sha256Bytes(content).slice(0, CHECK_BYTES)
  if (check.some((byte, i) => byte !== bytes[i])) return { ok: false, why: 'damaged' }
  const flags = content[length.size] ?? 0
  if (flags & ~KNOWN_FLAGS) return { ok: false, why: 'newer' }
  let at = length.size + 1
  let base: Base | null = null
  if (flags & HAS_BASE) {
    base = await loadBase(bytesToHex(content.subarray(at, at + HASH_BYTES)))
    if (!base) return { ok: false, why: 'no base' }
    at += HASH_BYTES
  }
  let document: Document
  try {
    document = await decodeDocument(content.subarray(at), base && documentOf(base.snapshot))
  } catch {
    // The checksum is valid, so the text was constructed on purpose; the schema rejects invalid values.
    return { ok: false, why: 'damaged' }
  }
  return { ok: true, value: snapshotOf(document), base }
}

/** Seven bits per byte, lowest first; the highest bit says that more bytes follow. */
function varint(n: number): number[] {
  const bytes: number[] = []
  for (; n > 127; n = Math.floor(n / 128)) bytes.push((n % 128) + 128)
  return [...bytes, n]
}

function readVarint(bytes: Uint8Array): { value: number; size: number } | null {
  let value = 0
  for (let i = 0; i < 5 && i < bytes.length; i++) {
    value += (bytes[i]! % 128) * 128 ** i
    if (bytes[i]! < 128) return { value, size: i + 1 }
  }
  return null
}
