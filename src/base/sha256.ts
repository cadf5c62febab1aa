import { sha256 as digest } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * SHA-256, synchronous: a report is made in one go, and `crypto.subtle` answers only later.
 * @returns the digest of the text's UTF-8, as 64 hexadecimal digits
 */
export const sha256 = (text: string): string => bytesToHex(digest(utf8ToBytes(text)))
