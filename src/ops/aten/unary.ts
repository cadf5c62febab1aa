/** Elementwise operators of one tensor that Inductor keeps. */
import type { DispatchArg, FakeTensor } from '../fake'
import { computationDtype, isFloatDtype } from '../promote'
import { register, type OpDef } from '../registry'
import type { Promotion } from '../promote'
import { TorchError } from '../torch_error'
import { cast, elementwise, inOpmath } from './elementwise'
import { fullLike } from './factory'

const unary = (kind: Promotion): OpDef => ({ meta: (c) => elementwise(c, [c.tensor('self')], kind) })

register('aten.neg', {
  meta: (c) => {
    const x = c.tensor('self')
    if (x.meta.dtype === 'bool')
      throw new TorchError(
        'NotImplementedError',
        'Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.',
      )
    return elementwise(c, [x])
  },
})
register('aten.relu aten.floor aten.ceil aten.round aten.trunc aten.sign aten.bitwise_not', unary('default'))
register(
  `aten.rsqrt aten.sqrt aten.exp aten.exp2 aten.log aten.log2 aten.log10 aten.log1p aten.expm1 aten.sin aten.cos aten.tan
   aten.tanh aten.sigmoid aten.reciprocal aten.erf aten.erfc aten.erfinv aten.atan aten.asin aten.acos aten.sinh aten.cosh
   aten.asinh aten.acosh aten.atanh aten.lgamma aten.digamma aten.i0 aten.polygamma aten.special_erfcx
   aten.special_i1`,
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
    const finite = c.op('aten.ne.Scalar', c.op('aten.abs.default', x), Infinity)
    return c.op('aten.mul.Tensor', c.op('aten.eq.Tensor', x, x), finite)
  },
})
register('aten.nan_to_num', {
  decomp: (c) => {
    const x = c.tensor('self')
    const { dtype } = x.meta
    if (!isFloatDtype(dtype)) return c.op('aten.clone.default', x)
    const largest = LARGEST[dtype] ?? Number.MAX_VALUE
    const replaced = (found: FakeTensor, value: DispatchArg, rest: FakeTensor): FakeTensor =>
      c.op('aten.where.ScalarSelf', found, value, rest)
    const infinite = (value: number): FakeTensor => c.op('aten.eq.Scalar', cast(c, x, computationDtype(dtype)), value)
    const given = (name: string, otherwise: number): DispatchArg => (c.has(name) ? c.get(name) : otherwise)
    const known = replaced(c.op('aten.isnan.default', x), given('nan', 0), x)
    const above = replaced(infinite(-Infinity), given('neginf', -largest), known)
    return replaced(infinite(Infinity), given('posinf', largest), above)
  },
})
/** torch.finfo(dtype).max */
const LARGEST: Readonly<Record<string, number>> = {
  float32: 3.4028234663852886e38,
  bfloat16: 3.3895313892515355e38,
  float16: 65504,
}

register('aten.frac', {
  decomp: (c) => inOpmath(c, [c.tensor('self')], (x) => c.op('aten.sub.Tensor', x, c.op('aten.trunc.default', x))),
})
register('aten.sgn', { decomp: (c) => inOpmath(c, [c.tensor('self')], (x) => c.op('aten.sign.default', x)) })

const degrees = (factor: number): OpDef => ({
  decomp: (c) => inOpmath(c, [c.tensor('self')], (x) => c.op('aten.mul.Tensor', x, factor), 'int_to_float'),
})
register('aten.deg2rad', degrees(Math.PI / 180))
register('aten.rad2deg', degrees(180 / Math.PI))

register('aten.sinc', {
  decomp: (c) =>
    inOpmath(
      c,
      [c.tensor('self')],
      (x) => {
        const angle = c.op('aten.mul.Tensor', x, Math.PI)
        const zero = c.op('aten.eq.Scalar', angle, 0n)
        return c.op('aten.where.ScalarSelf', zero, 1n, c.op('aten.div.Tensor', c.op('aten.sin.default', angle), angle))
      },
      'int_to_float',
    ),
})
register('aten.logit', {
  decomp: (c) =>
    inOpmath(
      c,
      [c.tensor('self')],
      (x) => {
        const low = c.has('eps') ? c.number('eps')! : -1
        const below = c.op('aten.lt.Scalar', x, low)
        const above = c.op('aten.gt.Scalar', x, 1 - low)
        const capped = c.op('aten.where.ScalarSelf', above, 1 - low, x)
        const z = c.op('aten.where.ScalarSelf', below, low, capped)
        return c.op('aten.log.default', c.op('aten.div.Tensor', z, c.op('aten.rsub.Scalar', z, 1n)))
      },
      'int_to_float',
    ),
})

register('aten.scalar_tensor', {
  meta: (c) => c.fresh(c.dtype() ?? 'float32', [], c.device()),
})
