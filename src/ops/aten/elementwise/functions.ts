/** Mathematical functions of two operands. */
import { fn } from '../../expr/expr'
import { dtype } from '../../../fx'
import { type DispatchArg, type FakeTensor, isFake, isNumber } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Kernels, OpDef, Rules } from '../../operator'
import { elementwiseDtype } from '../../promote'
import { binary } from './arithmetic'
import { type Formula, kernelsOf, OTHER, SELF } from './elementwise_kernel'
import { broadcastTogether, cast, inOpmath } from './elementwise_rule'

/** The operands of refs.xlogy, which makes a tensor of a number. */
function asTensors(c: OpCall): readonly DispatchArg[] {
  const given = [c.get('self'), c.get('other')]
  const like = given.find(isFake)
  if (!like) return given
  return given.map((a) =>
    isNumber(a)
      ? c.call('prims.scalar_tensor.default', [Number(a)], { dtype: dtype(like.meta.dtype), device: like.meta.device })
      : a,
  )
}

/** x * log(y): 0 where x is 0, NaN where y is. */
const xlog = (log: string): OpDef => ({
  decomp: (c) => {
    const [a, b] = asTensors(c)
    if (!isFake(a) || !isFake(b)) return undefined
    return inOpmath(
      c,
      [a, b],
      (x, y) => {
        const zero = c.op('aten.eq.Scalar', x!, 0n)
        const product = c.op('aten.mul.Tensor', x!, c.op(log, y!))
        const known = c.op('aten.where.ScalarSelf', zero, 0n, product)
        return c.op('aten.where.ScalarSelf', c.op('aten.isnan.default', y!), NaN, known)
      },
      'int_to_float',
    )
  },
})

/** log(e**a + e**b), scaled by the larger of the two to avoid overflow; two equal infinities give that infinity. */
const logaddexp = (two: boolean): OpDef => ({
  decomp: (c) => {
    const body = (...both: FakeTensor[]): FakeTensor => {
      const [x, y] = broadcastTogether(c, both) as [FakeTensor, FakeTensor]
      const mask = c.op('aten.ge.Tensor', x, y)
      const max = c.op('aten.where.self', mask, x, y)
      const min = c.op('aten.where.self', mask, y, x)
      const infinite = two
        ? c.op('aten.isinf.default', x)
        : c.op('aten.logical_not.default', c.op('aten.isfinite.default', x))
      const alike = c.op('aten.logical_and.default', infinite, c.op('aten.eq.Tensor', x, y))
      const power = c.op(two ? 'aten.exp2.default' : 'aten.exp.default', c.op('aten.sub.Tensor', min, max))
      const log = c.op('aten.log1p.default', power)
      const rest = two ? c.op('aten.mul.Tensor', log, 1 / Math.log(2)) : log
      return c.op('aten.where.self', alike, x, c.op('aten.add.Tensor', max, rest))
    }
    return inOpmath(c, [c.tensor('self'), c.tensor('other')], body, 'int_to_float')
  },
})

const BINARY_FLOAT: Record<string, Formula> = {
  atan2: fn('atan2($0, $1)', Math.atan2),
  hypot: fn('sqrt($0 * $0 + $1 * $1)', Math.hypot),
}

export const rules = (): Rules => ({
  'aten.atan2 aten.copysign': binary('int_to_float'),
  'aten.special_xlog1py': xlog('aten.log1p.default'),
  'aten.ldexp.Tensor': {
    ...binary('int_to_float'),
    implicit: (c) =>
      c.rules.ldexpOperator
        ? undefined
        : c.op('aten.mul.Tensor', c.tensor('self'), c.op('aten.pow.Scalar', 2, c.tensor('other'))),
  },
  'aten.gcd': binary('default'),
  'aten.lcm': {
    decomp: (c) => {
      const given = [c.tensor('self'), c.tensor('other')]
      const dtype = elementwiseDtype(given)
      const compute = dtype === 'int8' || dtype === 'int16' ? 'int32' : dtype
      const both = broadcastTogether(
        c,
        given.map((t) => cast(c, t, dtype)),
      )
      const [a, b] = both.map((t) => cast(c, t, compute)) as [FakeTensor, FakeTensor]
      const gcd = c.op('aten.gcd.default', a, b)
      const divisor = c.op('aten.where.ScalarSelf', c.op('aten.eq.Scalar', gcd, 0n), 1n, gcd)
      const multiple = c.op('aten.mul.Tensor', c.op('prims.div.default', a, divisor), b)
      return cast(c, c.op('aten.abs.default', multiple), dtype)
    },
  },
  'aten.xlogy': xlog('aten.log.default'),
  'aten.logaddexp': logaddexp(false),
  'aten.logaddexp2': logaddexp(true),
})

export const KERNELS: Kernels = kernelsOf(BINARY_FLOAT, [SELF, OTHER], 'int_to_float')
