/** The result of an undeclared operator. */
import type { Bound } from '../ops/bind'
import { visitFakes, type DispatchArg, type FakeTensor } from '../ops/fake'
import type { Dispatcher } from '../ops/op_call'
import { contiguousStrides } from '../ops/strides'

/** Tensors like its first tensor argument. */
export function fallbackResult(dispatcher: Dispatcher, bound: Bound): DispatchArg {
  const fakes: FakeTensor[] = []
  for (const v of bound.values.values()) visitFakes(v, (t) => fakes.push(t))
  const [like] = fakes
  if (!like) return null
  const meta = { ...like.meta, stride: contiguousStrides(like.meta.shape) }
  const items = bound.schema.returns.map(() => dispatcher.fresh(meta))
  return items.length > 1 ? { kind: 'tuple', items } : (items[0] ?? null)
}
