/** Elementwise operators of one tensor that Inductor keeps. */
import { isFloatDtype } from '../promote'
import { register, type OpDef } from '../registry'
import type { OpCall } from '../op_call'
import type { Promotion } from '../promote'
import { elementwise } from './elementwise'
import { fullLike } from './factory'

const unary = (kind: Promotion): OpDef => ({ meta: (c) => elementwise(c, [c.tensor('self')], kind) })

register('aten.neg aten.relu aten.floor aten.ceil aten.round aten.trunc aten.sign aten.bitwise_not', unary('default'))
register(
  `aten.rsqrt aten.sqrt aten.exp aten.exp2 aten.log aten.log2 aten.log10 aten.log1p aten.expm1 aten.sin aten.cos aten.tan
   aten.tanh aten.sigmoid aten.reciprocal aten.erf aten.erfc aten.erfinv aten.atan aten.asin aten.acos aten.sinh aten.cosh
   aten.asinh aten.acosh aten.atanh aten.lgamma aten.digamma`,
  unary('int_to_float'),
)
register('aten.abs', unary('complex_to_float'))
register('aten.logical_not aten.isnan aten.signbit', unary('always_bool'))
register('aten.isinf', unary('always_bool'))

register('aten.round.decimals', {
  decomp: (c) => {
    const scale = 10 ** c.int('decimals')
    return c.op(
      'aten.mul.Tensor',
      c.op('aten.round.default', c.op('aten.mul.Tensor', c.tensor('self'), scale)),
      1 / scale,
    )
  },
})
register('aten.positive', { implicit: (c) => c.tensor('self') })
register('aten.square', { implicit: (c) => c.op('aten.pow.Tensor_Scalar', c.tensor('self'), 2n) })
register('aten.absolute', { implicit: (c) => c.op('aten.abs.default', c.tensor('self')) })
register('aten.negative', { implicit: (c) => c.op('aten.neg.default', c.tensor('self')) })

register('aten.isfinite', {
  implicit: (c) => {
    const x = c.tensor('self')
    if (!isFloatDtype(x.meta.dtype)) return fullLike(c, x, true, 'bool')
    const same = c.op('aten.eq.Tensor', x, x)
    return c.op('aten.mul.Tensor', same, c.op('aten.ne.Scalar', c.op('aten.abs.default', x), Infinity))
  },
})

register('aten.frac', {
  decomp: (c) => {
    const x = c.tensor('self')
    return c.op('aten.sub.Tensor', x, c.op('aten.trunc.default', x))
  },
})

const degrees = (factor: number) => (c: OpCall) => c.op('aten.mul.Tensor', c.tensor('self'), factor)
register('aten.deg2rad', { decomp: degrees(Math.PI / 180) })
register('aten.rad2deg', { decomp: degrees(180 / Math.PI) })

register('aten.scalar_tensor', {
  meta: (c) => c.fresh(c.dtype() ?? 'float32', [], c.device()),
})
