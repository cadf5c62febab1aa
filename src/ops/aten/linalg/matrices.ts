/** Helpers shared by rules over batches of matrices: column-major results, sizes, info tensors. */
import type { Dim } from '../../../fx'
import type { FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import { contiguousStrides } from '../../strides'
import { maxDims, productOf } from '../../sym'
import { runtimeError } from '../../torch_error'

/** Strides of a batch of matrices whose columns are contiguous, as LAPACK returns them. */
export function columnMajor(shape: readonly Dim[]): Dim[] {
  const strides = contiguousStrides(shape)
  const [rows] = shape.slice(-2)
  strides[shape.length - 2] = 1
  strides[shape.length - 1] = maxDims(1, rows!)
  return strides
}

export const columns = (c: OpCall, dtype: string, shape: readonly Dim[], like: FakeTensor): FakeTensor =>
  c.fresh(dtype, shape, like.meta.device, columnMajor(shape))

export interface Matrices {
  readonly x: FakeTensor
  readonly batch: Dim[]
  readonly rows: Dim
  readonly columns: Dim
  /** min(rows, columns) */
  readonly least: Dim
}

/** @throws TorchError RuntimeError with PyTorch's text if the tensor does not contain matrices */
export function matricesOf(c: OpCall, name: string, called: string): Matrices {
  const x = c.tensor(name)
  const { shape } = x.meta
  if (shape.length < 2) throw runtimeError(`${called}: The input tensor ${name} must have at least 2 dimensions.`)
  const [rows, width] = shape.slice(-2) as [Dim, Dim]
  const least = typeof rows === 'number' && typeof width === 'number' ? Math.min(rows, width) : rows
  return { x, batch: shape.slice(0, -2), rows, columns: width, least }
}

/** @throws TorchError RuntimeError if the matrices are not square */
export function squareOf(c: OpCall, name: string, called: string): Matrices {
  const m = matricesOf(c, name, called)
  if (typeof m.rows === 'number' && typeof m.columns === 'number' && m.rows !== m.columns)
    throw runtimeError(
      `${called}: ${name} must be batches of square matrices, but they are ${m.rows} by ${m.columns} matrices`,
    )
  return m
}

/** One int32 for each matrix of the batch, or for each pivot. */
export const ints = (c: OpCall, shape: readonly Dim[], like: FakeTensor): FakeTensor =>
  c.fresh('int32', shape, like.meta.device)

export const count = (x: FakeTensor): Dim => productOf(x.meta.shape)
