/** affine_grid_generator: the sampling grid of affine transforms. */
import { dtype as dtypeArg } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor, shapeOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'

/** One axis of the grid: from -1 to 1, at the corners of the outer pixels or at their centers. */
function axis(c: OpCall, steps: number, options: Readonly<Record<string, DispatchArg>>): FakeTensor {
  if (steps <= 1) return c.call('aten.full.default', [[], 0n], options) as FakeTensor
  const end: DispatchArg = c.bool('align_corners') ? 1n : (steps - 1) / steps
  return c.call('aten.linspace.default', [-end, end, BigInt(steps)], options) as FakeTensor
}

/** Coordinates x, y, … and a last 1, for each point: [(depth,) height, width, coordinates + 1]. */
function baseGrid(c: OpCall, spatial: readonly number[]): FakeTensor {
  const { dtype, device } = c.tensor('theta').meta
  const options = { dtype: dtypeArg(dtype), device: device! }
  const rank = spatial.length
  const axes = spatial.toReversed().map((size, i) => {
    const shape = new Array<number>(rank + 1).fill(1)
    shape[rank - 1 - i] = size
    return c.op('aten.view.default', axis(c, size, options), dimArgs(shape))
  })
  const ones = c.call('aten.ones.default', [dimArgs(new Array<number>(rank + 1).fill(1))], options) as FakeTensor
  return [...axes, ones]
    .map((x, i) => c.op('aten.constant_pad_nd.default', x, [BigInt(i), BigInt(rank - i)], 0))
    .reduce((sum, x) => c.op('aten.add.Tensor', sum, x))
}

export const rules = (): Rules => ({
  'aten.affine_grid_generator': {
    decomp: (c) => {
      const theta = c.tensor('theta')
      const [n, , ...spatial] = c.dims('size')! as [number, number, ...number[]]
      const rank = spatial.length
      const points = c.op('aten.view.default', baseGrid(c, spatial), [-1n, BigInt(rank + 1), 1n])
      const last = shapeOf(theta).length - 1
      const turned = c.op('aten.transpose.int', theta, BigInt(last - 1), BigInt(last))
      const spread = c.op('aten.unsqueeze.default', turned, 1n)
      const grid = c.op('aten.sum.dim_IntList', c.op('aten.mul.Tensor', points, spread), [-2n])
      return c.op('aten.view.default', grid, dimArgs([n, ...spatial, rank]))
    },
  },
})
