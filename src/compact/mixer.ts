/**
 * Predicts bits by logistic mixing of adaptive probabilities, one per context, as the PAQ family of compressors does
 * (Mahoney, "Adaptive Weighing of Context Models for Lossless Data Compression", 2005).
 *
 * A link must decode alike in every browser: only +, -, * and / of doubles, whose results IEEE 754 fixes, take part.
 * Math.exp and Math.log differ between engines.
 */
import type { BitCoder } from './range_coder'

/** Stretched probabilities lie in [-LIMIT, LIMIT]. */
const LIMIT = 12
const GRID = 64
/** e^(1/64). */
const STEP = 1.0157477085866857
/** e^-12. */
const START = 6.14421235332821e-6

const SQUASHED = new Float64Array(2 * LIMIT * GRID + 2)
for (let i = 0, e = START; i < SQUASHED.length; i++, e *= STEP) SQUASHED[i] = e / (1 + e)

/** 1 / (1 + e^-x). */
function squash(x: number): number {
  if (x >= LIMIT) return SQUASHED[2 * LIMIT * GRID]!
  if (x <= -LIMIT) return SQUASHED[0]!
  const at = (x + LIMIT) * GRID
  const i = at | 0
  const low = SQUASHED[i]!
  return low + (SQUASHED[i + 1]! - low) * (at - i)
}

/** ln(p / (1 - p)) by p in 1/4096: the inverse of squash, by scanning it. */
const STRETCHED = new Float64Array(4096)
for (let i = 0, at = 0; i < 4096; i++) {
  const p = (i + 0.5) / 4096
  while (at < 2 * LIMIT * GRID && SQUASHED[at + 1]! < p) at++
  const low = SQUASHED[at]!
  STRETCHED[i] = (at + (p - low) / (SQUASHED[at + 1]! - low)) / GRID - LIMIT
}

/** Adaptation rates by the number of bits seen in a context. */
const RATES = new Float64Array(256)
for (let n = 0; n < 256; n++) RATES[n] = 1 / (n + 1.2)

export interface MixerSize {
  /** log2 of the number of lines. */
  bits: number
  /** Largest number of contexts of a decision. */
  contexts: number
  /** Number of weight sets. */
  sets: number
  /** A context's memory: its adaptation rate is at least 1 / (limit + 1.2). At most 255. */
  limit: number
}

/** Decisions under one hash: they are adjacent, in one cache line. */
export const LINE = 16

export class Mixer {
  /** A hash per context; `select` reads them. */
  readonly hashes: Int32Array
  /** By line and decision: a probability in 1/2^24, and in the lower 8 bits the number of bits seen. */
  private readonly states: Uint32Array
  private readonly weights: Float64Array
  private readonly lines: Int32Array
  private readonly inputs: Float64Array
  private n = 0

  constructor(
    private readonly coder: BitCoder,
    private readonly size: MixerSize,
  ) {
    this.states = new Uint32Array(LINE * 2 ** size.bits).fill(0x80000000)
    this.weights = new Float64Array(size.sets * (size.contexts + 1) * size.contexts).fill(FIRST_WEIGHT)
    this.hashes = new Int32Array(size.contexts)
    this.lines = new Int32Array(size.contexts)
    this.inputs = new Float64Array(size.contexts)
  }

  /**
   * Takes the first `n` of `hashes` as the contexts of the next decisions.
   * @param part the part of the symbol that they code; included in every context
   */
  select(n: number, part: number): void {
    const { hashes, lines } = this
    const shift = 32 - this.size.bits
    this.n = n
    for (let i = 0; i < n; i++) {
      let h = Math.imul(hashes[i]! + Math.imul(part, 0x2c1b3c6d) + i * 0x297a2d39, 0x9e3779b1 | 0)
      h ^= h >>> 15
      lines[i] = (Math.imul(h, 0x85ebca77 | 0) >>> shift) * LINE
    }
  }

  /**
   * Codes one bit.
   * @param node the decision, below LINE
   * @param set weight set
   */
  code(node: number, set: number, bit: number): number {
    const { n, lines, inputs, weights, states } = this
    // The number of contexts seen before says how far to trust the long ones.
    let met = 0
    for (let i = 0; i < n; i++) {
      const state = states[lines[i]! + node]!
      if (state & 255) met++
      inputs[i] = STRETCHED[state >>> 20]!
    }
    const { contexts, limit } = this.size
    const first = (set * (contexts + 1) + met) * contexts
    let dot = 0
    for (let i = 0; i < n; i++) dot += inputs[i]! * weights[first + i]!
    const predicted = squash(dot)
    let scaled = (predicted * 65536) | 0
    if (scaled < 1) scaled = 1
    else if (scaled > 65535) scaled = 65535
    const actual = this.coder.bit(scaled, bit)
    const error = (actual - predicted) * LEARNING
    const aim = actual ? 0xfff000 : 0xfff
    for (let i = 0; i < n; i++) {
      weights[first + i] = weights[first + i]! + error * inputs[i]!
      const slot = lines[i]! + node
      const state = states[slot]!
      const count = state & 255
      const p = state >>> 8
      states[slot] = ((p + (((aim - p) * RATES[count]!) | 0)) << 8) | (count < limit ? count + 1 : count)
    }
    return actual
  }
}

const FIRST_WEIGHT = 0.25
const LEARNING = 0.01

/** Combines two context values. */
export const combine = (a: number, b: number): number => {
  const h = Math.imul(a ^ Math.imul((b + 0x7f4a7c15) | 0, 0x9e3779b1 | 0), 0x85ebca6b | 0)
  return h ^ (h >>> 13)
}
