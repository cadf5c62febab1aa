/**
 * Codes texts byte by byte (UTF-8): contexts of the last one to six bytes, of the word, of the indentation, and a match
 * model that predicts the byte after the longest repeat, in this text, in earlier ones and in a primer.
 */
import { combine, Mixer, type MixerSize } from './mixer'
import { CodeError, type BitCoder } from './range_coder'
import type { Numbers } from './numbers'

const CONTEXTS = 9
const SIZE: MixerSize = { bits: 16, contexts: CONTEXTS, sets: 64, limit: 127 }
/** Bytes of the shortest repeat that the match model follows. */
const MIN_MATCH = 5
/** Number of hash bits that index the bytes before the end, for finding repeats. */
const INDEX_BITS = 18
/** Length field of a text. */
const SLOT_LENGTH = 1

export class Texts {
  private readonly mixer: Mixer
  /** All bytes so far: primer, then texts. */
  private history = new Uint8Array(1 << 16)
  private end = 0
  private readonly index = new Int32Array(1 << INDEX_BITS).fill(-1)
  /** Where the followed repeat continues; -1: none. */
  private match = -1
  private matched = 0

  constructor(
    coder: BitCoder,
    private readonly numbers: Numbers,
  ) {
    this.mixer = new Mixer(coder, SIZE)
  }

  /** Starts with another text model's knowledge. */
  startFrom(other: Texts): void {
    this.history = other.history.slice()
    this.end = other.end
    this.index.set(other.index)
  }

  /** Makes bytes known to the match model, without using any code. Both sides must pass the same bytes. */
  prime(text: string): void {
    for (const byte of new TextEncoder().encode(text)) this.append(byte)
    this.match = -1
    this.matched = 0
  }

  /** @param kind of the text, 0 to 7: texts of one kind resemble each other */
  text(kind: number, value: string, limit = Infinity): string {
    const bytes = this.numbers.decoding ? new Uint8Array(0) : new TextEncoder().encode(value)
    const length = this.numbers.uint(SLOT_LENGTH, [kind], bytes.length)
    if (length > limit) throw new CodeError(`a text of ${length} bytes`)
    const start = this.end
    let word = 0
    for (let i = 0; i < length; i++) {
      const byte = this.byte(kind, word, i < 2 ? i : 2, bytes[i] ?? 0)
      word = isWord(byte) ? combine(word, byte) : 0
    }
    if (!this.numbers.decoding) return value
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.history.subarray(start, this.end))
  }

  private byte(kind: number, word: number, place: number, value: number): number {
    const { history: h, end } = this
    const at = (back: number): number => (back <= end ? h[end - back]! : 0)
    const expected = this.match >= 0 ? h[this.match]! : -1
    const length = Math.min(this.matched, 32)
    const one = at(1)
    const two = combine(one, at(2))
    const three = combine(two, at(3))
    const four = combine(three, at(4))
    const { hashes } = this.mixer
    hashes[0] = combine(kind, place)
    hashes[1] = combine(1, one)
    hashes[2] = combine(2, two)
    hashes[3] = combine(3, three)
    hashes[4] = combine(4, four)
    hashes[5] = combine(6, combine(combine(four, at(5)), at(6)))
    hashes[6] = combine(7, combine(word, kind))
    hashes[7] = expected < 0 ? 8 : combine(9 + length, expected)
    hashes[8] = combine(combine(expected, one), 99)
    const bucket = expected < 0 ? 0 : length < 8 ? 1 : length < 16 ? 2 : length < 32 ? 3 : 4
    let byte = 1
    let node = 1
    for (let i = 7; i >= 0; i--) {
      // Once a bit differs from the expected byte, the match says nothing more about this byte.
      const follows = expected >= 0 && (expected | 256) >> (i + 1) === byte
      if (!follows) hashes[7] = 8
      if (i === 7 || i === 3) {
        this.mixer.select(CONTEXTS, byte)
        node = 1
      }
      const bit = this.mixer.code(node, follows ? 8 * bucket + 7 - i : 7 - i, (value >> i) & 1)
      byte = 2 * byte + bit
      node = 2 * node + bit
    }
    this.append(byte & 255)
    return byte & 255
  }

  private append(byte: number): void {
    if (this.end === this.history.length) {
      const larger = new Uint8Array(2 * this.end)
      larger.set(this.history)
      this.history = larger
    }
    this.history[this.end++] = byte
    if (this.match >= 0 && this.history[this.match] === byte) {
      this.match++
      this.matched++
    } else {
      this.match = -1
      this.matched = 0
    }
    if (this.end < MIN_MATCH) return
    let hash = 0
    for (let i = 1; i <= MIN_MATCH; i++) hash = combine(hash, this.history[this.end - i]!)
    const slot = hash >>> (32 - INDEX_BITS)
    if (this.match < 0) {
      const candidate = this.index[slot]!
      if (candidate >= 0) {
        let same = 0
        while (
          same < 40 &&
          same < candidate &&
          this.history[candidate - 1 - same] === this.history[this.end - 1 - same]
        )
          same++
        if (same >= MIN_MATCH) {
          this.match = candidate
          this.matched = same
        }
      }
    }
    this.index[slot] = this.end
  }
}

const isWord = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) || (byte >= 65 && byte <= 90) || byte === 95 || byte > 127
