/** Mathematical functions of two operands. */
import { fn } from '../../expr/expr'
import { dtype } from '../../../fx'
import { type DispatchArg, type FakeTensor, isFake, isNumber } from '../../fake'
import { python } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import type { Kernels, OpDef, Rules } from '../../operator'
import { elementwiseDtype } from '../../promote'
import { binary } from './arithmetic'
import { type Formula, kernelsOf, OTHER, SELF } from './elementwise_kernel'
import { broadcastTogether, cast, inOpmath, pointwise } from './elementwise_rule'

/** The operands of refs.xlogy, which converts a number to a tensor. */
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
const logaddexp = (infinite: string, log: string): OpDef =>
  pointwise(
    'self other',
    `x, y = together(self, other)
     mask = x >= y
     high = where(mask, x, y)
     low = where(mask, y, x)
     alike = logical_and(${infinite}, x == y)
     where(alike, x, high + ${log})`,
    'int_to_float',
    { together: (c, x, y) => broadcastTogether(c, [x as FakeTensor, y as FakeTensor]) },
  )

const ldexp = python('self * 2.0 ** other')

const BINARY_FLOAT: Record<string, Formula> = {
  atan2: fn('atan2($0, $1)', Math.atan2),
  hypot: fn('sqrt($0 * $0 + $1 * $1)', Math.hypot),
}

export const rules = (): Rules => ({
  'aten.atan2 aten.copysign': binary('int_to_float'),
  'aten.special_xlog1py': xlog('aten.log1p.default'),
  'aten.ldexp.Tensor': {
    ...binary('int_to_float'),
    implicit: (c) => (c.rules.ldexpOperator ? undefined : ldexp(c, c.tensor('self'))),
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
  'aten.logaddexp': logaddexp('logical_not(isfinite(x))', 'log1p(exp(low - high))'),
  'aten.logaddexp2': logaddexp('isinf(x)', 'log1p(exp2(low - high)) * (1 / M_LN2)'),
})

export const KERNELS: Kernels = kernelsOf(BINARY_FLOAT, [SELF, OTHER], 'int_to_float')
