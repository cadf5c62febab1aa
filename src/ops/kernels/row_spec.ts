/** The specification of a row kernel. */
import type { Sink } from './pointwise'
import type { Rows, Shader } from './shader'
import type { Source } from './source'

export interface RowQuant {
  /** Elements that share a scale; the last group of a row may be shorter. */
  readonly groupSize: number
  /** Tensor [rows, groups]. */
  readonly scales: string
  /**
   * WGSL functions `scale_of(peak: f32) -> f32`, `scale_code(s: f32) -> u32` (what is stored) and
   * `quant(x: F32, s: f32) -> U32` (codes of `out`; `enc_out` encodes float32 bits).
   */
  emit(shader: Shader): string
}

export interface RowSpec {
  readonly source: Source
  /** Tensor that takes the source's values as they are: x + residual. */
  readonly keep?: string
  /** What \`keep\` stores is what is normalised: the source's values have its dtype already. */
  readonly keepsValues?: boolean
  readonly norm?: { readonly weight: string; readonly rows: Rows; readonly epsilon: number }
  /** Tensor [rows] that takes 1 / rms. */
  readonly rstd?: string
  /** Tensor that takes the normalised values; for one that only stores, `sink` says how. */
  readonly out: string
  readonly sink?: Sink
  /** Tensor that takes the normalised values as they are, beside an `out` that takes what `sink` makes of them. */
  readonly normed?: string
  readonly quant?: RowQuant
}
