/** RMS normalization of rows, for all operators that start with one. */
import type { DTypeName } from '../dtype'
import { type Expr, given, number } from '../expr/expr'
import { rounded, sqrt } from '../expr/functions'
import { evaluate, type Given } from '../expr/to_js'
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

/** 1 / sqrt(mean(x^2) + epsilon) from a row's sum of squares, each step in float32. */
export const inverseRms = (sum: Expr, cols: number, epsilon: number): Expr =>
  number(1)
    .over(sqrt(sum.over(cols).f32().plus(Math.fround(epsilon)).f32()).f32())
    .f32()

/** T(T(x * inverse) * weight). */
export const normalized = (dtype: DTypeName, x: Expr, inverse: Expr, weight: Expr): Expr =>
  rounded(dtype, rounded(dtype, x.times(inverse)).times(weight))

/** The normalized values and each row's inverse root mean square, the mean computed like PyTorch's CPU kernel. */
export function normRows(
  memory: ReferenceMemory,
  { source, norm }: Normed,
  x: Float32Array,
): { values: Float32Array; rstd: Float32Array } {
  const { cols } = source
  const w = norm.rows
  const weight = memory.read(norm.weight)
  const sums = Float32Array.from({ length: cols === 0 ? 0 : x.length / cols }, (_, row) =>
    torchSum(cols, (c) => x[row * cols + c]! ** 2),
  )
  const rstd = evaluate(sums.length, inverseRms(given('sum'), cols, norm.epsilon), () => sums)
  const operands: Record<string, Given> = {
    x,
    inverse: { values: rstd, cols, begins: (row) => row, step: 0 },
    w: { values: weight, cols, begins: (row) => (w.rows === 1 ? 0 : row * w.cols), step: w.cols === 1 ? 0 : 1 },
  }
  const value = normalized(source.dtype, given('x'), given('inverse'), given('w'))
  return { values: evaluate(x.length, value, (name) => operands[name]!), rstd }
}
