/** Codes numbers and flags through a Mixer: Elias-gamma's decisions, each predicted from the caller's contexts. */
import { combine, LINE, Mixer, type MixerSize } from './mixer'
import type { BitCoder } from './range_coder'

/** Contexts of a decision, the slot's own included. */
const CONTEXTS = 7
const SIZE: MixerSize = { bits: 15, contexts: CONTEXTS, sets: 256, limit: 60 }
/** Numbers beyond 2^40 are coded as strings. */
const MAX_BITS = 40

export class Numbers {
  private readonly mixer: Mixer

  constructor(readonly coder: BitCoder) {
    this.mixer = new Mixer(coder, SIZE)
  }

  get decoding(): boolean {
    return this.coder.decoding
  }

  /**
   * Codes a number.
   * @param slot id of the field, below 128
   * @param contexts values that predict it, at most 6
   * @param value an integer from 0 to 2^40; ignored when decoding
   */
  uint(slot: number, contexts: readonly number[], value: number): number {
    const n = this.contexts(slot, contexts)
    const { mixer } = this
    const target = value + 1
    const length = this.decoding ? 0 : bitLength(target)
    mixer.select(n, 0)
    let bits = 1
    while (mixer.code(bits < LINE ? bits : LINE - 1, 2 * slot, bits < length ? 1 : 0)) if (++bits > MAX_BITS) break
    let read = 1
    let node = 1
    for (let i = bits - 2; i >= 0; i--) {
      // Three decisions a line: its nodes are 1, 2 and 3, 4 to 7.
      if (node === 1) mixer.select(n, combine(bits, read))
      const bit = mixer.code(node, 2 * slot + 1, Math.floor(target / 2 ** i) % 2)
      read = 2 * read + bit
      node = node < 4 ? 2 * node + bit : 1
    }
    return read - 1
  }

  /** Codes 0 or 1. */
  flag(slot: number, contexts: readonly number[], value: boolean): boolean {
    this.mixer.select(this.contexts(slot, contexts), 0)
    return this.mixer.code(0, 2 * slot, value ? 1 : 0) === 1
  }

  private contexts(slot: number, contexts: readonly number[]): number {
    const { hashes } = this.mixer
    hashes[0] = combine(slot, 0)
    for (let i = 0; i < contexts.length; i++) hashes[i + 1] = combine(combine(slot, i + 1), contexts[i]!)
    return contexts.length + 1
  }
}

const bitLength = (n: number): number => {
  let bits = 0
  for (let rest = n; rest >= 1; rest = Math.floor(rest / 2)) bits++
  return bits
}
