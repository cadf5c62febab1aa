/** torch.gradient by finite differences, the powers of vander and linalg.vander, and covariances; these read values. */
import { dtype as dtypeArg, layout } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, shapeOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { isIntDtype } from '../../promote'
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
  implicit: (c, x) => {
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
  'aten.vander': {
    implicit: (c, x) => {
      const { dtype, device } = x.meta
      if (shapeOf(x).length !== 1) throw runtimeError('x must be a one-dimensional tensor.')
      const rows = shapeOf(x)[0]!
      const n = c.has('N') ? BigInt(c.int('N')) : dimArg(rows)
      if (typeof n === 'bigint' && n < 0n) throw runtimeError('N must be non-negative.')
      const wide = dtype === 'bool' || isIntDtype(dtype) ? 'int64' : dtype
      const options = { dtype: dtypeArg(wide), layout: layout('strided'), device: device! }
      const powers = c.call('aten.empty.memory_format', [[dimArg(rows), n]], options) as FakeTensor
      const further = (): FakeTensor => c.op('aten.slice.Tensor', powers, 1n, 1n)
      if (n !== 0n) c.op('aten.fill_.Scalar', c.op('aten.select.int', powers, 1n, 0n), 1n)
      if (n !== 0n && n !== 1n) {
        c.op('aten.copy_.default', further(), c.op('aten.unsqueeze.default', x, 1n))
        c.op('aten.copy_.default', further(), c.op('aten.cumprod.default', further(), 1n))
      }
      return c.get('increasing') === true ? powers : c.op('aten.flip.default', powers, [1n])
    },
  },
  'aten.linalg_vander': {
    implicit: (c, x) => {
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
