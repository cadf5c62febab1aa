/** Memory formats: strides of channels_last and channels_last_3d, and the format that an operator's result inherits. */
import { memoryFormat, type Dim, type TensorMeta } from '../fx'
import type { DispatchArg, FakeTensor } from './fake'
import type { OpCall } from './op_call'
import { contiguousStrides, isContiguous, stridesOf } from './strides'
import { isOne, isZero, maxDims, modDims, mulDims, sameDim } from './sym'
import { runtimeError } from './torch_error'

export type MemoryFormat = 'contiguous_format' | 'channels_last' | 'channels_last_3d'

/** Dimensions from the innermost in memory to the outermost, by rank. */
const CHANNELS_LAST_ORDER: Readonly<Record<number, readonly number[]>> = { 4: [1, 3, 2, 0], 5: [1, 4, 3, 2, 0] }
const RANKS: Readonly<Record<string, number>> = { channels_last: 4, channels_last_3d: 5 }

/** Strides of a new tensor in a memory format. @throws TorchError RuntimeError if the rank does not fit the format */
export function stridesIn(format: string | null, shape: readonly Dim[]): Dim[] {
  const rank = RANKS[format ?? '']
  if (rank === undefined) return contiguousStrides(shape)
  if (shape.length !== rank) throw runtimeError(`required rank ${rank} tensor to use ${format} format`)
  const out = new Array<Dim>(rank)
  let step: Dim = 1
  for (const d of CHANNELS_LAST_ORDER[rank]!) {
    out[d] = step
    step = mulDims(step, typeof shape[d] === 'number' ? maxDims(1, shape[d]) : shape[d]!)
  }
  return out
}

/** torch.Tensor.is_contiguous(memory_format=…). */
export function isContiguousIn(format: string, t: TensorMeta): boolean {
  const rank = RANKS[format]
  if (rank === undefined) return isContiguous(t)
  if (t.shape.length !== rank) return false
  const strides = stridesOf(t)
  let expected: Dim = 1
  for (const d of CHANNELS_LAST_ORDER[rank]!) {
    if (isOne(t.shape[d]!)) continue
    if (!sameDim(strides[d]!, expected)) return false
    expected = mulDims(expected, t.shape[d]!)
  }
  return true
}

/** torch._prims_common.suggest_memory_format: channels last if the strides are unambiguous. */
export function suggestedFormat(t: TensorMeta): MemoryFormat {
  const order = CHANNELS_LAST_ORDER[t.shape.length]
  const strides = stridesOf(t)
  if (!order || isZero(strides[1]!)) return 'contiguous_format'
  let least: Dim = 0
  for (const d of order) {
    if (isZero(t.shape[d]!) || below(strides[d]!, least)) return 'contiguous_format'
    // [N, 1, 1, 1] fits both formats.
    if (d === 0 && sameDim(least, strides[1]!)) return 'contiguous_format'
    least = mulDims(strides[d]!, t.shape[d]!)
  }
  return t.shape.length === 4 ? 'channels_last' : 'channels_last_3d'
}

const below = (a: Dim, b: Dim): boolean => {
  if (isZero(b) || sameDim(a, b)) return false
  if (typeof a === 'number' && typeof b === 'number') return a < b
  return modDims(a, b) !== 0
}

/** A new tensor in the format suggested by `like`. */
export const freshLike = (c: OpCall, dtype: string, shape: readonly Dim[], like: FakeTensor): FakeTensor =>
  c.fresh(dtype, shape, like.meta.device, stridesIn(suggestedFormat(like.meta), shape))

/** `x.contiguous(memory_format=format)` as a decomposition calls it. */
export const contiguousIn = (c: OpCall, x: FakeTensor, format: string): FakeTensor =>
  c.call('aten.contiguous.default', [x], { memory_format: memoryFormat(format) }) as FakeTensor

/** `memory_format` as keyword arguments; none if no format is given. */
export const formatKeyword = (format: string | null): Record<string, DispatchArg> =>
  format === null ? {} : { memory_format: memoryFormat(format) }
