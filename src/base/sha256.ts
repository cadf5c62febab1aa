/** Synchronous SHA-256 (FIPS 180-4). The platform's own is asynchronous, and a report is made synchronously. */

const K = new Uint32Array(64)
const START = new Uint32Array(8)

// Fractional parts of the cube and square roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3).
for (let n = 2, i = 0; i < 64; n++) {
  let prime = true
  for (let d = 2; d * d <= n; d++) if (n % d === 0) prime = false
  if (!prime) continue
  if (i < 8) START[i] = (n ** 0.5 * 2 ** 32) % 2 ** 32
  K[i++] = (Math.cbrt(n) * 2 ** 32) % 2 ** 32
}

/** @returns the digest of the text's UTF-8, as 64 hexadecimal digits */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  padded.set(bytes)
  padded[bytes.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(padded.length - 4, bytes.length << 3)
  const state = START.slice()
  const w = new Uint32Array(64)
  for (let at = 0; at < padded.length; at += 64) block(view, at, w, state)
  return [...state].map((s) => s.toString(16).padStart(8, '0')).join('')
}

const turn = (x: number, by: number): number => (x >>> by) | (x << (32 - by))

function block(view: DataView, at: number, w: Uint32Array, state: Uint32Array): void {
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i)
  for (let i = 16; i < 64; i++) {
    const [a, b] = [w[i - 15]!, w[i - 2]!]
    w[i] = w[i - 16]! + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + w[i - 7]! + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10))
  }
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number]
  for (let i = 0; i < 64; i++) {
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  for (const [i, x] of [a, b, c, d, e, f, g, h].entries()) state[i] = state[i]! + x
}
