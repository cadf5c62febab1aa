/** The result of an operator that nobody declared. */
import type { Bound } from '../ops/bind'
import { visitFakes, type DispatchArg, type FakeTensor } from '../ops/fake'
import type { Dispatcher } from '../ops/op_call'
import { contiguousStrides } from '../ops/strides'

/** A tensor like its first tensor argument. */
export function fallbackResult(dispatcher: Dispatcher, bound: Bound): DispatchArg {
  let first: FakeTensor | null = null
  for (const v of bound.values.values()) visitFakes(v, (t) => void (first ??= t))
  const like = first as FakeTensor | null
  if (!like) return null
  return dispatcher.fresh({ ...like.meta, stride: contiguousStrides(like.meta.shape) })
}
