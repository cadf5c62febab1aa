/** Definition of the RMS normalization of rows, for all operators that start with one. */
import { roundTo } from '../dtype'
import { KernelRefusal, tensorArg, type KernelCall, type ReferenceMemory } from '../kernel'
import type { RowSpec } from './row_spec'
import { rowsOf, type Rows } from './shader'
import { torchSum } from './torch_sum'

/** Weight as rows: one value per column for shape [d], or anything that broadcasts to [rows, d]. */
export function weightRows(call: KernelCall, name: string, input: { rows: number; cols: number }): Rows {
  const t = tensorArg(call, name)
  const w = rowsOf(name, t)
  if ((w.cols !== 1 && w.cols !== input.cols) || (w.rows !== 1 && w.rows !== input.rows))
    throw new KernelRefusal(
      `\`${name}\` of shape [${t.shape.join(', ')}] does not broadcast against rows of ${input.cols}`,
    )
  return { ...w, rowStride: w.rows === 1 ? 0 : w.rowStride, colStride: w.cols === 1 ? 0 : w.colStride }
}

/** The input of a row kernel and its norm. */
export type Normed = Required<Pick<RowSpec, 'source' | 'norm'>>

export interface NormResult {
  values: Float32Array
  /** 1 / sqrt(mean(x^2) + epsilon) of each row. */
  rstd: Float32Array
}

/**
 * T(T(x * rsqrt(mean(x^2) + epsilon)) * weight), each step in float32, with the mean computed like PyTorch's CPU
 * kernel.
 */
export function normRows(memory: ReferenceMemory, { source, norm }: Normed, x: Float32Array): NormResult {
  const { cols, dtype } = source
  const w = norm.rows
  const weight = memory.read(norm.weight)
  const eps = Math.fround(norm.epsilon)
  const values = new Float32Array(x.length)
  const rstd = new Float32Array(cols === 0 ? 0 : x.length / cols)
  for (let from = 0, row = 0; from < x.length; from += cols, row++) {
    const sum = torchSum(cols, (c) => x[from + c]! * x[from + c]!)
    const inverse = Math.fround(1 / Math.fround(Math.sqrt(Math.fround(Math.fround(sum / cols) + eps))))
    rstd[row] = inverse
    for (let c = 0; c < cols; c++) {
      const scale = weight[(w.rows === 1 ? 0 : row * w.cols) + (w.cols === 1 ? 0 : c)]!
      values[from + c] = roundTo(dtype, Math.fround(roundTo(dtype, Math.fround(x[from + c]! * inverse)) * scale))
    }
  }
  return { values, rstd }
}
