/** handleScalarTypePromotion: a batch of scalars promotes like a scalar, and its physical tensor is none. */
import { dtype } from '../../../fx'
import { rankOf, type FakeTensor } from '../../fake'
import { elementwiseDtype } from '../../promote'
import type { BatchedCall } from '../../batched_call'

type Side = readonly [name: string, logical: FakeTensor, value: FakeTensor]

export function promote(b: BatchedCall, sides: readonly Side[]): readonly Side[] {
  const [x, y] = sides as readonly [Side, Side]
  const scalar = ([, t]: Side): boolean => rankOf(t) === 0 && b.isBatched(t)
  if (scalar(x) === scalar(y) || x[1].meta.dtype === y[1].meta.dtype) return sides
  const common = elementwiseDtype([x[1], y[1]])
  return sides.map(([name, logical, value]) => [
    name,
    logical,
    value.meta.dtype === common ? value : b.op('prims.convert_element_type.default', value, dtype(common)),
  ])
}
