/** Elementwise operators of one tensor that Inductor keeps. */
import { dtype } from '../../../fx'
import { fn, number, test } from '../../expr/expr'
import { WGSL_NAN, WGSL_ORDER } from '../../expr/primitives'
import { erf, exp, isfinite, isnan, larger, log, magnitude, negative, sqrt } from '../../expr/functions'
import { isFake, type FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import { roundHalfEven, WGSL_SIN, WGSL_TANH } from '../../kernels/math'
import type { Kernels, Noop, OpDef, Rules } from '../../operator'
import { isFloatDtype, isIntDtype, type Promotion } from '../../promote'
import { TorchError } from '../../torch_error'
import { type Formula, kernelsOf, SELF, WITH_FORMAT } from './elementwise_kernel'
import { elementwise } from './elementwise_rule'
import { TESTED, SAME, UNCHANGED } from '../../shape_words'
import * as guess from '../../guess/relations'

const unary = (kind: Promotion): OpDef => ({
  shape: kind === 'always_bool' ? TESTED : kind === 'int_to_float' ? SAME : UNCHANGED,
  ...(kind === 'always_bool' && { guess: guess.shapeOfFirst }),
  meta: (c) => elementwise(c, [c.tensor('self')], kind),
})

/** Rounding leaves integers unchanged. */
export const ofIntegers: Noop = ([x], valueOf) => {
  const t = valueOf(x)
  return isFake(t) && isIntDtype(t.meta.dtype) ? x : undefined
}

const UNARY_FLOAT: Record<string, Formula> = {
  exp,
  exp2: fn('exp2($0)', (x) => 2 ** x!),
  expm1: fn(
    'select(exp($0) - 1.0, $0 * (1.0 + $0 * (0.5 + $0 * (0.16666667 + $0 * 0.041666667))), abs($0) < F32(0.1))',
    Math.expm1,
  ),
  log,
  log2: fn('log2($0)', Math.log2),
  log10: fn('log($0) * 0.43429448', Math.log10),
  log1p: fn(
    'select(log(1.0 + $0), $0 * (1.0 - $0 * (0.5 - $0 * (0.33333333 - $0 * 0.25))), abs($0) < F32(0.05))',
    Math.log1p,
  ),
  sqrt,
  rsqrt: (x) => number(1).over(sqrt(x)),
  reciprocal: (x) => number(1).over(x),
  sin: fn('sin_at($0, I32(0))', Math.sin, WGSL_SIN),
  cos: fn('sin_at($0, I32(1))', Math.cos, WGSL_SIN),
  tan: fn('sin_at($0, I32(0)) / sin_at($0, I32(1))', Math.tan, WGSL_SIN),
  atan: fn('atan($0)', Math.atan),
  asin: fn('asin($0)', Math.asin),
  acos: fn('acos($0)', Math.acos),
  sinh: fn('0.5 * (exp($0) - exp(-$0))', Math.sinh),
  cosh: fn('0.5 * (exp($0) + exp(-$0))', Math.cosh),
  tanh: fn('tanh_of($0)', Math.tanh, WGSL_TANH),
  sigmoid: (x) => number(1).over(exp(negative(x)).plus(1)),
  erf,
}

const UNARY_SAME: Record<string, Formula> = {
  neg: negative,
  abs: magnitude,
  relu: (x) => larger(x, 0),
  square: (x) => x.times(x),
  floor: fn(
    'select(floor($0), F32(-1.0), (order($0) < I32(0)) & (order($0) > I32(-0x800000)))',
    Math.floor,
    WGSL_ORDER,
  ),
  ceil: fn('select(ceil($0), F32(1.0), (order($0) > I32(0)) & (order($0) < I32(0x800000)))', Math.ceil, WGSL_ORDER),
  trunc: fn('trunc($0)', Math.trunc),
  round: fn('round($0)', roundHalfEven),
  sign: fn(
    'F32(clamp(order($0), I32(-1), I32(1))) * F32(1u - nan_at($0))',
    (x) => Math.sign(x!) || 0,
    WGSL_ORDER,
    WGSL_NAN,
  ),
}

const ARCS = ['cos', 'cosh', 'sin', 'sinh', 'tan', 'tanh']

/** Orthogonal polynomials of x with degree n; one of the two may be a number. */
const POLYNOMIALS = 'hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p'
  .concat(...'tuvw'.split('').map((kind) => ` chebyshev_polynomial_${kind} shifted_chebyshev_polynomial_${kind}`))
  .split(' ')
  .map((name) => `aten.special_${name}`)
  .join(' ')

const UNARY_BOOL: Record<string, Formula> = {
  logical_not: (x) => x.truth().not(),
  isnan,
  isinf: test('((bitcast<U32>($0) & U32(0x7fffffffu)) == U32(0x7f800000u))', (x) => Math.abs(x!) === Infinity),
  isfinite,
}

export const rules = (): Rules => ({
  'aten.neg': {
    shape: UNCHANGED,
    meta: (c) => {
      const x = c.tensor('self')
      if (x.meta.dtype === 'bool')
        throw new TorchError(
          'NotImplementedError',
          'Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.',
        )
      return elementwise(c, [x])
    },
  },
  'aten.relu aten.sign aten.bitwise_not': unary('default'),
  'aten.floor aten.ceil aten.round aten.trunc': { ...unary('default'), noop: ofIntegers },
  'aten.rsqrt aten.sqrt aten.exp aten.exp2 aten.log aten.log2 aten.log10 aten.log1p aten.expm1 aten.sin aten.cos aten.tan aten.tanh aten.sigmoid aten.reciprocal aten.erf aten.erfc aten.erfinv aten.atan aten.asin aten.acos aten.sinh aten.cosh aten.asinh aten.acosh aten.atanh aten.lgamma aten.digamma aten.i0 aten.polygamma aten.special_erfcx aten.special_i1 aten.special_i1e aten.special_i0e aten.special_bessel_j0 aten.special_bessel_j1 aten.special_bessel_y0 aten.special_bessel_y1 aten.special_modified_bessel_i0 aten.special_modified_bessel_i1 aten.special_modified_bessel_k0 aten.special_modified_bessel_k1 aten.special_ndtri':
    unary('int_to_float'),
  'aten.abs': unary('complex_to_float'),
  'aten.logical_not aten.isnan aten.signbit': unary('always_bool'),
  'aten.isinf': unary('always_bool'),
  'aten.frexp.Tensor': {
    meta: (c, x) => ({ kind: 'tuple', items: [elementwise(c, [x]), elementwise(c, [x], 'default', 'int32')] }),
  },
  'aten.positive': { implicit: (c) => c.tensor('self') },
  'aten.square': { implicit: (c) => c.op('aten.pow.Tensor_Scalar', c.tensor('self'), 2n) },
  'aten.special_airy_ai aten.special_spherical_bessel_j0 aten.special_scaled_modified_bessel_k0 aten.special_scaled_modified_bessel_k1':
    { meta: (c) => elementwise(c, [c.tensor('x')], 'int_to_float') },
  [POLYNOMIALS]: {
    meta: (c) =>
      elementwise(
        c,
        [c.maybeTensor('x'), c.maybeTensor('n')].filter((t) => t !== null),
        'int_to_float',
      ),
  },
  'aten.absolute': { implicit: (c) => c.op('aten.abs.default', c.tensor('self')) },
  'aten.fix': { implicit: (c) => c.op('aten.trunc.default', c.tensor('self')) },
  ...Object.fromEntries(
    ARCS.map((name) => [`aten.arc${name}`, { implicit: (c) => c.op(`aten.a${name}.default`, c.tensor('self')) }]),
  ),
  'aten.arctan2': { implicit: (c) => c.op('aten.atan2.default', c.tensor('self'), c.tensor('other')) },
  'aten.negative': { implicit: (c) => c.op('aten.neg.default', c.tensor('self')) },
  'aten.special_polygamma': { implicit: (c) => c.op('aten.polygamma.default', c.get('n'), c.tensor('self')) },
  'aten.special_gammainc': { implicit: (c) => c.op('aten.igamma.default', c.tensor('self'), c.tensor('other')) },
  'aten.special_gammaincc': { implicit: (c) => c.op('aten.igammac.default', c.tensor('self'), c.tensor('other')) },
  'aten.igamma aten.igammac': {
    meta: (c) => elementwise(c, [c.tensor('self'), c.tensor('other')], 'int_to_float'),
  },
  'aten.special_zeta.default': {
    meta: (c) => elementwise(c, [c.tensor('self'), c.tensor('other')], 'int_to_float'),
  },
  'aten.special_zeta.other_scalar': { meta: (c) => elementwise(c, [c.tensor('self')], 'int_to_float') },
  'aten.special_zeta.self_scalar': { meta: (c) => elementwise(c, [c.tensor('other')], 'int_to_float') },
  'aten.isposinf': { decomp: (c) => isInfinite(c, Infinity) },
  'aten.isneginf': { decomp: (c) => isInfinite(c, -Infinity) },
})

/** isposinf and isneginf of torch/_refs: always false for a non-float dtype. */
function isInfinite(c: OpCall, value: number): FakeTensor {
  const x = c.tensor('self')
  if (isFloatDtype(x.meta.dtype)) return c.op('aten.eq.Scalar', x, value)
  return c.call('aten.zeros_like.default', [x], { dtype: dtype('bool') }) as FakeTensor
}

export const KERNELS: Kernels = {
  ...kernelsOf(UNARY_FLOAT, [SELF], 'int_to_float'),
  ...kernelsOf(UNARY_SAME, [SELF, WITH_FORMAT]),
  ...kernelsOf(UNARY_BOOL, [SELF], 'always_bool'),
}
