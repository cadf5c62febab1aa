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
  /** Tensor that receives the source's values unchanged: x + residual. */
  readonly keep?: string
  /** True if the stored values of \`keep\` are the normalized ones: the source's values already have its dtype. */
  readonly keepsValues?: boolean
  readonly norm?: { readonly weight: string; readonly rows: Rows; readonly epsilon: number }
  /** Tensor [rows] that receives 1 / rms. */
  readonly rstd?: string
  /** Tensor that receives the normalized values; if it only stores them, `sink` defines how. */
  readonly out: string
  readonly sink?: Sink
  /**
   * Tensor that receives the normalized values unchanged, in addition to an `out` that receives the result of `sink`.
   */
  readonly normed?: string
  readonly quant?: RowQuant
}
