/** The inverse of max pooling (torch._decomp's _max_unpoolnd): values are put where their maxima were. */
import { dimArgs, type FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { productOf } from '../../sym'
import { runtimeError } from '../../torch_error'
import { CPU } from '../factories/empty'
import { reshape } from '../views/reshape'

function unpooled(c: OpCall, dims: number): FakeTensor {
  const [x, indices] = [c.tensor('self'), c.tensor('indices')]
  const { shape, device } = x.meta
  if (indices.meta.dtype !== 'int64')
    throw runtimeError(`elements in indices should be type int64 but got: torch.${indices.meta.dtype}`)
  const [outer, size] = [shape.slice(0, -dims), c.dims('output_size')!]
  const options = { device: device ?? CPU }
  const planes = c.call('aten.arange.default', dimArgs([productOf(outer)]), options) as FakeTensor
  const first = c.op('aten.view.default', planes, dimArgs([...outer, ...size.map(() => 1)]))
  const at = c.op('aten.add.Tensor', indices, c.op('aten.mul.Tensor', first, ...dimArgs([productOf(size)])))
  const places = reshape(c, at, [-1])
  const zeros = c.op('aten.new_zeros.default', x, dimArgs([...outer, ...size]))
  const flat = reshape(c, zeros, [-1])
  const values = reshape(c, x, [-1])
  const put = c.op('aten._unsafe_index_put.default', flat, [places], values, false)
  return c.op('aten.view.default', put, dimArgs([...outer, ...size]))
}

export const rules = (): Rules => ({
  'aten.max_unpool2d': { decomp: (c) => unpooled(c, 2) },
  'aten.max_unpool3d': { decomp: (c) => unpooled(c, 3) },
})
