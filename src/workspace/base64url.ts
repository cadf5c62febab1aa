/** base64url without padding (RFC 4648 §5); its characters need no escaping in a URL. */

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
const CODES = new Int8Array(128).fill(-1)
for (let i = 0; i < ALPHABET.length; i++) CODES[ALPHABET.charCodeAt(i)] = i

export function toBase64url(bytes: Uint8Array): string {
  const parts: string[] = []
  // In chunks: String.fromCharCode takes its characters as arguments, whose number is limited.
  for (let at = 0; at < bytes.length; at += 0x6000) {
    const codes: number[] = []
    const end = Math.min(at + 0x6000, bytes.length)
    for (let i = at; i < end; i += 3) {
      const left = end - i
      const word = (bytes[i]! << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
      codes.push(ALPHABET.charCodeAt(word >> 18), ALPHABET.charCodeAt((word >> 12) & 63))
      if (left > 1) codes.push(ALPHABET.charCodeAt((word >> 6) & 63))
      if (left > 2) codes.push(ALPHABET.charCodeAt(word & 63))
    }
    parts.push(String.fromCharCode(...codes))
  }
  return parts.join('')
}

/**
 * Decodes to bytes. Returns the index of the first invalid character, or 'length' if this number of characters encodes no bytes
 * (truncated text).
 */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> | number | 'length' {
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  let word = 0
  let bits = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const code = CODES[text.charCodeAt(i)] ?? -1
    if (code < 0) return i
    word = ((word << 6) | code) & 0xffffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (word >> bits) & 0xff
    }
  }
  return text.length % 4 === 1 ? 'length' : bytes
}
