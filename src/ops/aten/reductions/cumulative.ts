/** Cumulative sums and extrema, and differences. */
import type { Dim } from '../../../fx'
import { dimArg, type FakeTensor, rankOf } from '../../fake'
import { wrapDim } from '../../op_call'
import type { Families, Kernels, Rules } from '../../operator'
import { subDims } from '../../sym'
import { chosen, DIM, DTYPE, lineKernel, oneDim, SELF } from './line_kernel'
import { widened } from './reduce_rule'

const cumsum = lineKernel({
  name: 'cumsum',
  params: [SELF, DIM, DTYPE],
  dims: oneDim,
  outs: [{ name: 'result', per: 'element', dtype: chosen('bool_to_long') }],
  wgsl: () => '  var s = 0.0;\n  for (var r = 0u; r < n; r++) { s += x(r); out_result(r, s); }',
  js(x) {
    let s = 0
    return [x.map((v) => (s += v))]
  },
})

export const rules = (): Rules => ({
  'aten.cumsum aten.cumprod': {
    meta: (c) => {
      const x = c.tensor('self')
      wrapDim(c.int('dim'), x.meta.shape.length)
      return c.fresh(c.dtype() ?? widened(x.meta.dtype), x.meta.shape, x.meta.device)
    },
  },
  'aten.logcumsumexp': {
    meta: (c) => c.fresh(c.tensor('self').meta.dtype, c.tensor('self').meta.shape, c.tensor('self').meta.device),
  },
  'aten.cummax aten.cummin': {
    meta: (c) => {
      const { dtype, shape, device } = c.tensor('self').meta
      return { kind: 'tuple', items: [c.fresh(dtype, shape, device), c.fresh('int64', shape, device)] }
    },
  },
  'aten.diff': {
    implicit: (c) => {
      if (c.int('n', 1) !== 1 || c.has('prepend') || c.has('append')) return undefined
      const x = c.tensor('self')
      const size = x.meta.shape[wrapDim(c.int('dim', -1), rankOf(x))]!
      const part = (from: Dim, to: Dim): FakeTensor =>
        c.op('aten.slice.Tensor', x, c.get('dim'), dimArg(from), dimArg(to))
      const first = part(0, subDims(size, 1))
      return c.op(x.meta.dtype === 'bool' ? 'aten.logical_xor.default' : 'aten.sub.Tensor', part(1, size), first)
    },
  },
  'aten.trapezoid.dx aten.trapz.dx': {
    implicit: (c) => {
      const x = c.tensor('y')
      const dim = BigInt(wrapDim(c.int('dim', -1), x.meta.shape.length))
      const ends = c.op('aten.add.Tensor', c.op('aten.select.int', x, dim, 0n), c.op('aten.select.int', x, dim, -1n))
      const inner = c.op('aten.sub.Tensor', c.op('aten.sum.dim_IntList', x, [dim]), c.op('aten.mul.Scalar', ends, 0.5))
      return c.op('aten.mul.Scalar', inner, c.number('dx') ?? 1)
    },
  },
})

export const KERNELS: Kernels = { 'aten.cumsum': cumsum }

export const FAMILIES: Families = {
  reduction: 'cumsum cumprod',
}
