/** at::sum_to: sums a tensor over the dimensions that broadcasting added or repeated. */
import type { Dim } from '../fx'
import { dimArgs, shapeOf, type FakeTensor } from './fake'
import type { OpCall } from './op_call'

export function sumTo(c: Pick<OpCall, 'op'>, x: FakeTensor, shape: readonly Dim[]): FakeTensor {
  if (shape.length === 0) return c.op('aten.sum.default', x)
  const from = shapeOf(x)
  const leading = from.length - shape.length
  const dims = from.flatMap((size, i) => (i < leading || (shape[i - leading] === 1 && size !== 1) ? [BigInt(i)] : []))
  const summed = dims.length > 0 ? c.op('aten.sum.dim_IntList', x, dims, true) : x
  return leading > 0 ? c.op('aten.view.default', summed, dimArgs(shape)) : summed
}
