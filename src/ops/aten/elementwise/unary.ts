/** Elementwise operators of one tensor that Inductor keeps. */
import { erf, roundHalfEven, WGSL_ERF, WGSL_NAN, WGSL_ORDER, WGSL_SIN, WGSL_TANH } from '../../kernels/math'
import type { Kernels, OpDef, Rules } from '../../operator'
import type { Promotion } from '../../promote'
import { TorchError } from '../../torch_error'
import type { Formula } from './elementwise_kernel'
import { elementwise } from './elementwise_rule'
import { bool, f, keepNan, kernelsOf, nanMax, SELF, WITH_FORMAT } from './formula'

const unary = (kind: Promotion): OpDef => ({ meta: (c) => elementwise(c, [c.tensor('self')], kind) })

const UNARY_FLOAT: Record<string, Formula> = {
  exp: f('exp(self)', Math.exp),
  exp2: f('exp2(self)', (x) => 2 ** x),
  expm1: f(
    'select(exp(self) - 1.0, self * (1.0 + self * (0.5 + self * (0.16666667 + self * 0.041666667))), abs(self) < F32(0.1))',
    Math.expm1,
  ),
  log: f('log(self)', Math.log),
  log2: f('log2(self)', Math.log2),
  log10: f('log(self) * 0.43429448', Math.log10),
  log1p: f(
    'select(log(1.0 + self), self * (1.0 - self * (0.5 - self * (0.33333333 - self * 0.25))), abs(self) < F32(0.05))',
    Math.log1p,
  ),
  sqrt: f('sqrt(self)', Math.sqrt),
  rsqrt: f('1.0 / sqrt(self)', (x) => 1 / Math.sqrt(x)),
  reciprocal: f('1.0 / self', (x) => 1 / x),
  sin: f('sin_at(self, I32(0))', Math.sin, WGSL_SIN),
  cos: f('sin_at(self, I32(1))', Math.cos, WGSL_SIN),
  tan: f('sin_at(self, I32(0)) / sin_at(self, I32(1))', Math.tan, WGSL_SIN),
  atan: f('atan(self)', Math.atan),
  asin: f('asin(self)', Math.asin),
  acos: f('acos(self)', Math.acos),
  sinh: f('0.5 * (exp(self) - exp(-self))', Math.sinh),
  cosh: f('0.5 * (exp(self) + exp(-self))', Math.cosh),
  tanh: f('tanh_of(self)', Math.tanh, WGSL_TANH),
  sigmoid: f('1.0 / (1.0 + exp(-self))', (x) => 1 / (1 + Math.exp(-x))),
  erf: f('erf(self)', erf, WGSL_ERF),
}

const UNARY_SAME: Record<string, Formula> = {
  neg: f('bitcast<F32>(bitcast<U32>(self) ^ U32(0x80000000u))', (x) => -x),
  abs: f('bitcast<F32>(bitcast<U32>(self) & U32(0x7fffffffu))', Math.abs),
  relu: f(keepNan('select(self, F32(0.0), order(self) < I32(0))', 'self'), (x) => nanMax(x, 0), WGSL_NAN, WGSL_ORDER),
  square: f('self * self', (x) => x * x),
  floor: f(
    `select(floor(self), F32(-1.0), (order(self) < I32(0)) & (order(self) > I32(-0x800000)))`,
    Math.floor,
    WGSL_ORDER,
  ),
  ceil: f(
    `select(ceil(self), F32(1.0), (order(self) > I32(0)) & (order(self) < I32(0x800000)))`,
    Math.ceil,
    WGSL_ORDER,
  ),
  trunc: f('trunc(self)', Math.trunc),
  round: f('round(self)', roundHalfEven),
  sign: f(
    'F32(clamp(order(self), I32(-1), I32(1))) * F32(1u - nan_at(self))',
    (x) => Math.sign(x) || 0,
    WGSL_ORDER,
    WGSL_NAN,
  ),
}

const LOGICAL_NOT: Record<string, Formula> = {
  logical_not: f(bool('order(self) == I32(0)'), (x) => Number(x === 0), WGSL_ORDER),
}

const UNARY_BOOL: Record<string, Formula> = {
  isnan: f('F32(nan_at(self))', (x) => Number(Number.isNaN(x)), WGSL_NAN),
  isinf: f(bool('(bitcast<U32>(self) & U32(0x7fffffffu)) == U32(0x7f800000u)'), (x) =>
    Number(Math.abs(x) === Infinity),
  ),
  isfinite: f(bool('(bitcast<U32>(self) & U32(0x7fffffffu)) < U32(0x7f800000u)'), (x) => Number(Number.isFinite(x))),
}

export const rules = (): Rules => ({
  'aten.neg': {
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
  'aten.relu aten.floor aten.ceil aten.round aten.trunc aten.sign aten.bitwise_not': unary('default'),
  'aten.rsqrt aten.sqrt aten.exp aten.exp2 aten.log aten.log2 aten.log10 aten.log1p aten.expm1 aten.sin aten.cos aten.tan aten.tanh aten.sigmoid aten.reciprocal aten.erf aten.erfc aten.erfinv aten.atan aten.asin aten.acos aten.sinh aten.cosh aten.asinh aten.acosh aten.atanh aten.lgamma aten.digamma aten.i0 aten.polygamma aten.special_erfcx aten.special_i1 aten.special_i1e aten.special_i0e aten.special_bessel_j0 aten.special_bessel_j1 aten.special_bessel_y0 aten.special_bessel_y1 aten.special_modified_bessel_i0 aten.special_modified_bessel_i1 aten.special_modified_bessel_k0 aten.special_modified_bessel_k1 aten.special_spherical_bessel_j0 aten.special_airy_ai aten.special_ndtri':
    unary('int_to_float'),
  'aten.abs': unary('complex_to_float'),
  'aten.logical_not aten.isnan aten.signbit': unary('always_bool'),
  'aten.isinf': unary('always_bool'),
  'aten.frexp.Tensor': {
    meta: (c) => {
      const x = c.tensor('self')
      return { kind: 'tuple', items: [elementwise(c, [x]), elementwise(c, [x], 'default', 'int32')] }
    },
  },
  'aten.positive': { implicit: (c) => c.tensor('self') },
  'aten.square': { implicit: (c) => c.op('aten.pow.Tensor_Scalar', c.tensor('self'), 2n) },
  'aten.absolute': { implicit: (c) => c.op('aten.abs.default', c.tensor('self')) },
  'aten.negative': { implicit: (c) => c.op('aten.neg.default', c.tensor('self')) },
  'aten.igamma aten.igammac': {
    meta: (c) => elementwise(c, [c.tensor('self'), c.tensor('other')], 'int_to_float'),
  },
  'aten.special_zeta.default': {
    meta: (c) => elementwise(c, [c.tensor('self'), c.tensor('other')], 'int_to_float'),
  },
})

export const KERNELS: Kernels = {
  ...kernelsOf(UNARY_FLOAT, [SELF], 'int_to_float'),
  ...kernelsOf(UNARY_SAME, [SELF, WITH_FORMAT]),
  ...kernelsOf({ ...LOGICAL_NOT, ...UNARY_BOOL }, [SELF], 'always_bool'),
}
