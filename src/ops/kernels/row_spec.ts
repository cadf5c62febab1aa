/** The specification of a row kernel: expressions for both devices. */
import { type Expr } from '../expr/expr'
import type { Rows } from './shader'
import type { Source } from './source'

/** The stored form of a value. */
export interface Sink {
  /** Numbers that depend only on one-element tensors, not on the values: `load(name)`. */
  readonly of?: readonly Expr[]
  value(x: Expr, ...of: Expr[]): Expr
}

export const storeAsIs: Sink = { value: (x) => x }

export interface RowQuant {
  /** Elements that share a scale; the last group of a row may be shorter. */
  readonly groupSize: number
  /** Tensor [rows, groups]. */
  readonly scales: string
  /** A group's quantization key, from its largest magnitude. NaN makes the key NaN. */
  key(peak: Expr): Expr
  /** The scale that is stored; default: the key. */
  scale?(key: Expr): Expr
  /** The number that `code` takes in place of the key. */
  by?(key: Expr): readonly Expr[]
  code(x: Expr, ...by: readonly Expr[]): Expr
  /** True if groups are whole and their values are not normalized, so that rows do not matter: see group_quant.ts. */
  readonly apart?: true
}

export interface RowSpec {
  readonly source: Source
  /** Tensor that receives the source's values unchanged: x + residual. */
  readonly keep?: string
  /** True if the stored values of \`keep\` are normalized: the source's values already have its dtype. */
  readonly keepsValues?: boolean
  readonly norm?: { readonly weight: string; readonly rows: Rows; readonly epsilon: number }
  /** Tensor [rows] that receives 1 / rms. */
  readonly rstd?: string
  /** Tensor that receives the normalized values, quantized or as `sink` has it; default: as they are. */
  readonly out: string
  readonly sink?: Sink
  /** Tensor that receives the normalized values unchanged, in addition to `out`. */
  readonly normed?: string
  readonly quant?: RowQuant
}
