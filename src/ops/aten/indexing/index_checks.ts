/** Checks of index tensors, as torch/_meta_registrations.py makes them. */
import type { Dim } from '../../../fx'
import type { FakeTensor } from '../../fake'
import { cppName } from '../../promote'
import { sizeRepr } from '../../strides'
import { productOf } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'

const isIndexDtype = (t: FakeTensor): boolean => t.meta.dtype === 'int64' || t.meta.dtype === 'int32'
const isMask = (t: FakeTensor): boolean => t.meta.dtype === 'bool' || t.meta.dtype === 'int8'
const isEmpty = (t: FakeTensor): boolean => productOf(t.meta.shape) === 0
const exceeds = (a: Dim, b: Dim): boolean => typeof a === 'number' && typeof b === 'number' && a > b
const sizeText = (t: FakeTensor): string => sizeRepr(t.meta.shape)
/** A scalar counts as one dimension of size 1. */
const shapeOf = (t: FakeTensor): readonly Dim[] => (t.meta.shape.length === 0 ? [1] : t.meta.shape)

/** meta_index_Tensor. For a mask, the size of the result depends on its values. @throws TorchError */
export function checkIndices(self: FakeTensor, indices: readonly (FakeTensor | null)[], unsafe = false): void {
  if (indices.length === 0) throw runtimeError('at least one index must be provided')
  for (const t of indices) {
    if (t === null || isIndexDtype(t)) continue
    if (!isMask(t)) throw runtimeError('tensors used as indices must be long, int, byte or bool tensors')
    if (unsafe) throw runtimeError(`_unsafe_index found unexpected index type ${cppName(t.meta.dtype)}`)
    throw new TorchError('DynamicOutputShapeException', 'aten.nonzero.default')
  }
  const rank = self.meta.shape.length
  if (indices.length > rank)
    throw runtimeError(`too many indices for tensor of dimension ${rank} (got ${indices.length})`)
}

/** The rows of a table. @throws TorchError RuntimeError */
export function checkRows(indices: FakeTensor): void {
  if (isIndexDtype(indices)) return
  throw runtimeError(
    `Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got torch.${indices.meta.dtype} instead`,
  )
}

/** meta_gather. @throws TorchError RuntimeError */
export function checkGather(self: FakeTensor, dim: number, index: FakeTensor): void {
  if (isEmpty(index)) return
  if (!isIndexDtype(index))
    throw runtimeError(`gather(): Expected dtype int32/int64 for index, but got torch.${index.meta.dtype}`)
  const [own, picked] = [shapeOf(self), shapeOf(index)]
  if (own.length !== picked.length)
    throw runtimeError('Index tensor must have the same number of dimensions as input tensor')
  const larger = own.findIndex((d, i) => i !== dim && exceeds(picked[i]!, d))
  if (larger >= 0)
    throw runtimeError(
      `Size does not match at dimension ${larger} expected index ${sizeText(index)} to be no larger than self ${sizeText(self)} apart from dimension ${dim}`,
    )
}

/** scatter_meta_impl. @throws TorchError RuntimeError */
export function checkScatter(self: FakeTensor, dim: number, index: FakeTensor, source: FakeTensor | null): void {
  const empty = isEmpty(index)
  if (!empty && !isIndexDtype(index)) throw runtimeError('scatter(): Expected dtype int32/int64 for index')
  if (source && source.meta.dtype !== self.meta.dtype)
    throw runtimeError('scatter(): Expected self.dtype to be equal to src.dtype')
  if (empty) return
  const [own, placed] = [shapeOf(self), shapeOf(index)]
  if (own.length !== placed.length)
    throw runtimeError('Index tensor must have the same number of dimensions as self tensor')
  if (own.some((d, i) => i !== dim && exceeds(placed[i]!, d)))
    throw runtimeError(
      `Expected index ${sizeText(index)} to be no larger than self ${sizeText(self)} apart from dimension ${dim}`,
    )
  if (!source) return
  const given = shapeOf(source)
  if (own.length !== given.length)
    throw runtimeError('Index tensor must have the same number of dimensions as src tensor')
  if (given.some((d, i) => exceeds(placed[i]!, d)))
    throw runtimeError(`Expected index ${sizeText(index)} to be no larger than src ${sizeText(source)}`)
}
