/**
 * A binary arithmetic coder: 32-bit range, carryless, 16-bit probabilities. Encoder and decoder have one interface, so
 * that a format is written once: `bit(p, value)` writes the value, or ignores it and returns the one that was read.
 */

export interface BitCoder {
  readonly decoding: boolean
  /**
   * @param p probability of a one, in 1/65536: 1 to 65535
   * @param bit 0 or 1; ignored when decoding
   */
  bit(p: number, bit: number): number
}

export class BitEncoder implements BitCoder {
  readonly decoding = false
  private low = 0
  private high = 0xffffffff
  private bytes = new Uint8Array(1024)
  private length = 0

  bit(p: number, bit: number): number {
    const middle = this.low + Math.floor(((this.high - this.low) * p) / 65536)
    if (bit) this.high = middle
    else this.low = middle + 1
    while (((this.low ^ this.high) & 0xff000000) === 0) {
      this.push(this.high >>> 24)
      this.low = (this.low << 8) >>> 0
      this.high = ((this.high << 8) | 0xff) >>> 0
    }
    return bit
  }

  /** Ends the code. The decoder reads zeros past the end, so trailing zeros are left out. */
  finish(): Uint8Array<ArrayBuffer> {
    // The shortest code inside [low, high].
    for (let size = 1; size <= 4; size++) {
      const unit = 2 ** (32 - 8 * size)
      const value = Math.ceil(this.low / unit) * unit
      if (value > this.high) continue
      for (let i = 0; i < size; i++) this.push(Math.floor(value / 2 ** (24 - 8 * i)) & 0xff)
      break
    }
    let end = this.length
    while (end > 0 && this.bytes[end - 1] === 0) end--
    return this.bytes.slice(0, end)
  }

  private push(byte: number): void {
    if (this.length === this.bytes.length) {
      const larger = new Uint8Array(2 * this.length)
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes[this.length++] = byte
  }
}

/** More zeros than this past the end of the code mean that the text is damaged: decoding would never end. */
const MAX_OVERRUN = 64

/**
 * Maximum number of decisions in a code: a constant, plus a number per byte; 6,000 lines of Python need 200 per byte. Without a
 * limit, 40 bytes that decode to one letter, over and over, take minutes.
 */
const [MAX_DECISIONS, MAX_DECISIONS_PER_BYTE] = [1 << 24, 4096]

/** Thrown by decoders; src/compact/index.ts turns it into a sentence. */
export class CodeError extends Error {}

export class BitDecoder implements BitCoder {
  readonly decoding = true
  private low = 0
  private high = 0xffffffff
  private code = 0
  private at = 0
  private left: number

  constructor(private readonly bytes: Uint8Array) {
    this.left = MAX_DECISIONS + MAX_DECISIONS_PER_BYTE * bytes.length
    for (let i = 0; i < 4; i++) this.code = ((this.code << 8) | this.next()) >>> 0
  }

  bit(p: number, _bit = 0): number {
    if (--this.left < 0) throw new CodeError('the code unpacks to too much')
    const middle = this.low + Math.floor(((this.high - this.low) * p) / 65536)
    const bit = this.code <= middle ? 1 : 0
    if (bit) this.high = middle
    else this.low = middle + 1
    while (((this.low ^ this.high) & 0xff000000) === 0) {
      this.low = (this.low << 8) >>> 0
      this.high = ((this.high << 8) | 0xff) >>> 0
      this.code = ((this.code << 8) | this.next()) >>> 0
    }
    return bit
  }

  private next(): number {
    if (this.at >= this.bytes.length + MAX_OVERRUN) throw new CodeError('the code ends too early')
    return this.bytes[this.at++] ?? 0
  }
}
