/** torch.gradient by finite differences, the powers of linalg.vander, and covariances, which read values. */
import { dtype as dtypeArg } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor, shapeOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { runtimeError, TorchError } from '../../torch_error'

/** gradient_helper_float along one dimension, with one-sided differences at both ends. */
function differences(c: OpCall, x: FakeTensor, d: number, spacing: DispatchArg): FakeTensor {
  const dim = BigInt(d)
  const slice = (...range: bigint[]): FakeTensor => c.op('aten.slice.Tensor', x, dim, ...range)
  const slope = (from: readonly [bigint, bigint], to: readonly bigint[]): FakeTensor => {
    const low = slice(...from)
    return c.op('aten.div.Scalar', c.op('aten.sub.Tensor', slice(...to), low), spacing)
  }
  const center = slope([0n, -2n], [2n])
  const first = slope([0n, 1n], [1n, 2n])
  const last = slope([-2n, -1n], [-1n])
  const halved = c.op('aten.div.Scalar', center, 2n)
  return c.call('aten.cat.default', [[first, halved, last], dim]) as FakeTensor
}

const gradient: OpDef = {
  implicit: (c) => {
    const x = c.tensor('self')
    const rank = shapeOf(x).length
    if (c.int('edge_order') !== 1)
      throw new TorchError('NotImplementedError', 'Fusescope cannot trace torch.gradient with edge_order=2 yet')
    const given = c.get('dim')
    const dims =
      given === null
        ? shapeOf(x).map((_, d) => d)
        : (Array.isArray(given) ? given : [given]).map((d) => wrapDim(Number(d), rank))
    const narrow = dims.map((d) => shapeOf(x)[d]!).find((size) => typeof size === 'number' && size < 2)
    if (narrow !== undefined)
      throw runtimeError('torch.gradient expected each dimension size to be at least edge_order+1')
    const spacing = c.has('spacing') ? c.get('spacing') : 1
    return dims.map((d) => differences(c, x, d, spacing))
  },
}

export const rules = (): Rules => ({
  'aten.gradient.scalarint': gradient,
  'aten.gradient.array': gradient,
  'aten.gradient.scalararray': gradient,
  'aten.cov aten.corrcoef': {
    implicit: () => {
      throw new TorchError('DataDependentOutputException', 'aten.equal.default')
    },
  },
  'aten.linalg_vander': {
    implicit: (c) => {
      const x = c.tensor('x')
      const { dtype, device } = x.meta
      const shape = shapeOf(x)
      const n = c.has('N') ? c.int('N') : Number(shape.at(-1))
      if (n <= 1) throw runtimeError('N must be greater than 1.')
      const wide = c.op('aten.expand.default', c.op('aten.unsqueeze.default', x, -1n), dimArgs([...shape, n - 1]))
      const powers = c.op('aten.cumprod.default', wide, -1n)
      const options = { dtype: dtypeArg(dtype), device: device! }
      const ones = c.call('aten.ones.default', [dimArgs([...shape, 1])], options)
      return c.call('aten.cat.default', [[ones, powers], -1n])
    },
  },
})
