/** Decides whether two tensors of one storage may share an element (compute_overlapping_tensors, for two). */
import type { TensorMeta } from '../../fx'
import { contiguousStrides, stridesOf } from '../../ops/strides'

/** True if unknown: symbolic sizes. */
export function mayOverlap(a: TensorMeta, b: TensorMeta): boolean {
  const [x, y] = [placed(a), placed(b)]
  if (!x || !y) return true
  if (x.shape.includes(0) || y.shape.includes(0)) return false
  return x.offset <= y.offset ? overlapAfter(x, y) : overlapAfter(y, x)
}

/** As torch._debug_has_internal_overlap: an expanded tensor has one element at several indices. */
export const overlapsItself = (t: TensorMeta): boolean =>
  stridesOf(t).some((s, i) => s === 0 && t.shape[i] !== 1 && t.shape[i] !== 0)

interface Placed {
  shape: readonly number[]
  stride: readonly number[]
  offset: number
}

function placed(t: TensorMeta): Placed | null {
  const [stride, offset] = [stridesOf(t), t.storageOffset ?? 0]
  const known = (d: number | string): d is number => typeof d === 'number'
  return t.shape.every(known) && stride.every(known) && known(offset) ? { shape: t.shape, stride, offset } : null
}

/** @param x starts at or before y */
function overlapAfter(x: Placed, y: Placed): boolean {
  const last = x.shape.reduce((sum, d, i) => sum + (d - 1) * x.stride[i]!, x.offset)
  if (last < y.offset) return false
  if (isContiguous(x) && isContiguous(y)) return true
  return !areColumns(x, y)
}

const isContiguous = ({ shape, stride }: Placed): boolean =>
  contiguousStrides(shape).every((s, i) => s === stride[i] || shape[i] === 1)

/** Two blocks of columns of one matrix, side by side. */
function areColumns(x: Placed, y: Placed): boolean {
  const [row, width] = [x.stride[0]!, x.shape[1]!]
  const matrices = x.shape.length === 2 && y.shape.length === 2 && x.stride[1] === 1 && y.stride[1] === 1
  if (!matrices || y.stride[0] !== row) return false
  const apart = (y.offset - x.offset) % row
  return y.offset - x.offset >= width && apart >= width && apart + y.shape[1]! <= row
}
