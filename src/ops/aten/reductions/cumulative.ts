/** Cumulative sums and extrema, and differences. */
import { number } from '../../expr/expr'
import { type FakeTensor, isFake, rankOf, sizeArg } from '../../fake'
import { cpp, python } from '../../formula/formula'
import { type OpCall, wrapDim } from '../../op_call'
import type { Traits, Kernels, Rules } from '../../operator'
import { chosen, DIM, DTYPE, lineKernel, oneDim, SELF } from './line_kernel'
import { widened } from './reduce_rule'
import * as guess from '../../guess/relations'

const cumsum = lineKernel({
  name: 'cumsum',
  params: [SELF, DIM, DTYPE],
  dims: oneDim,
  outs: [{ name: 'result', per: 'element', dtype: chosen('bool_to_long') }],
  values: ({ x }) => [{ start: number(0), next: (s, r) => s.plus(x(r)) }],
})

/** One step of torch.diff: two narrows of the same length. */
function difference(c: OpCall, x: FakeTensor): FakeTensor {
  const length = c.call('operator.sub', [sizeArg(x, wrapDim(c.int('dim', -1), rankOf(x))), 1n])
  const part = (from: bigint): FakeTensor =>
    c.op('aten.slice.Tensor', x, c.get('dim'), from, c.call('operator.add', [from, length]))
  const first = part(0n)
  return c.op(x.meta.dtype === 'bool' ? 'aten.logical_xor.default' : 'aten.sub.Tensor', part(1n), first)
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.cumsum aten.cumprod': {
    guess: guess.likeFirst,
    meta: (c, x) => {
      wrapDim(c.int('dim'), x.meta.shape.length)
      return c.fresh(c.dtype() ?? widened(x.meta.dtype), x.meta.shape, x.meta.device)
    },
  },
  'aten.logcumsumexp': {
    meta: (c) => c.fresh(c.tensor('self').meta.dtype, c.tensor('self').meta.shape, c.tensor('self').meta.device),
  },
  'aten.cummax aten.cummin': {
    meta: (c, { meta: { dtype, shape, device } }) => ({
      kind: 'tuple',
      items: [c.fresh(dtype, shape, device), c.fresh('int64', shape, device)],
    }),
  },
  'aten.diff': {
    implicit: (c) => {
      const times = c.int('n', 1)
      if (times < 1) return undefined
      const parts = [c.get('prepend'), c.tensor('self'), c.get('append')].filter(isFake)
      const whole = parts.length > 1 ? c.call('aten.cat.default', [parts, c.get('dim')]) : parts[0]!
      let x = whole as FakeTensor
      for (let i = 0; i < times; i++) x = difference(c, x)
      return x
    },
  },
  'aten.trapezoid.dx aten.trapz.dx': {
    implicit: cpp(
      `d = -1 if dim is None else dim
       half = (select.int(y, d, 0) + select.int(y, d, -1)) * 0.5
       (sum.dim_IntList(y, [d]) - half) * float(1 if dx is None else dx)`,
    ),
  },
  'aten.trapezoid.x aten.trapz.x aten.cumulative_trapezoid.x': {
    implicit: (c) => {
      const [x, at] = [c.tensor('y'), c.tensor('x')]
      const dim = BigInt(wrapDim(c.int('dim', -1), rankOf(x)))
      if (rankOf(at) !== rankOf(x)) return undefined
      const left = (of: FakeTensor): FakeTensor => c.op('aten.slice.Tensor', of, dim, 0n, -1n)
      const right = (of: FakeTensor): FakeTensor => c.op('aten.slice.Tensor', of, dim, 1n)
      const sum = c.op('aten.add.Tensor', left(x), right(x))
      const end = right(at)
      const area = c.op('aten.mul.Tensor', sum, c.op('aten.sub.Tensor', end, left(at)))
      const whole = c.schema.name.startsWith('aten.cumulative')
        ? c.op('aten.cumsum.default', area, dim)
        : c.op('aten.sum.dim_IntList', area, [dim])
      return c.op('aten.div.Scalar', whole, 2)
    },
  },
  'aten.cumulative_trapezoid.dx': {
    implicit: python(
      `d = -1 if dim is None else dim
       ends = slice.Tensor(y, d, 0, -1) + slice.Tensor(y, d, 1)
       cumsum(mul.Scalar(ends, float(1 if dx is None else dx) / 2), d)`,
    ),
  },
  'aten.nanmean': {
    implicit: python(
      `count = sum.dim_IntList(logical_not_(self != self), dim, keepdim)
       nansum(self, dim, keepdim, dtype=dtype) / count`,
    ),
  },
})

export const KERNELS: Kernels = { 'aten.cumsum': cumsum }

export const TRAITS: Traits = {
  reduction: 'cumsum cumprod',
}
