import { sha256 as digest } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * Synchronous SHA-256: a report is built synchronously, and `crypto.subtle` is asynchronous.
 * @returns the digest of the text's UTF-8, as 64 hexadecimal digits
 */
export const sha256 = (text: string): string => bytesToHex(digest(utf8ToBytes(text)))

/** @returns the digest, 32 bytes */
export const sha256Bytes = (bytes: Uint8Array): Uint8Array => digest(bytes)

export { bytesToHex, hexToBytes }
