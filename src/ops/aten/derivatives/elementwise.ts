/** Derivatives of elementwise operators (FunctionsManual.cpp, derivatives.yaml of PyTorch 2.14.1). */
import { dtype } from '../../../fx'
import { inPlace, zero, type BackwardCall, type Derivatives, type Formula } from '../../derivative'
import type { DispatchArg, FakeTensor } from '../../fake'

/** By the other operand: a number of the Tensor overload is a tensor to autograd. */
const byOther =
  (op: 'mul' | 'div'): Formula =>
  (g) =>
    g.op(`${op}.${g.c.schema.name.split('.')[2]!}`, g.grad, g.c.get('other'))

/** The gradient of the other operand where an extremum chose it; half of it where both are equal. */
export const chosen = (loses: '<' | '>', other = 'other'): string =>
  `masked_fill.Scalar(where(self == ${other}, grad / 2, grad), self ${loses} ${other}, 0)`

const clamp: Formula = (g) => {
  const [low, high] = [g.c.get('min'), g.c.get('max')]
  const inside = (op: string, bound: DispatchArg): FakeTensor => g.op(`${op}.Scalar`, g.self, bound)
  const none = zero(g.c, g.grad)
  const kept =
    low !== null && high !== null
      ? inPlace(g.c, 'logical_and.default', inside('gt', low), inside('lt', high))
      : low !== null
        ? inside('gt', low)
        : inside('lt', high)
  return g.op('where.self', kept, g.grad, none)
}

/** Operators whose result is piecewise constant: the gradient is zero. */
const STEPS = 'aten.floor aten.ceil aten.round aten.trunc aten.sign'
const INDEPENDENT =
  'aten.zeros_like aten.ones_like aten.full_like aten.empty_like aten.rand_like aten.randn_like aten.new_zeros aten.new_ones ' +
  'aten.new_empty aten.new_full aten.new_empty_strided aten.heaviside aten.nextafter'

export const DERIVATIVES: Derivatives = {
  [INDEPENDENT]: null,
  [STEPS]: 'zeros_like(grad)',
  'aten.add.Tensor': { self: 'grad', other: 'scaled(grad, alpha)' },
  'aten.add.Scalar aten.sub.Scalar': 'grad',
  'aten.sub.Tensor': { self: 'grad', other: 'scaled(-grad, alpha)' },
  'aten.rsub.Tensor': { self: 'scaled(-grad, alpha)', other: 'grad' },
  'aten.rsub.Scalar': 'scaled(-grad, alpha)',
  'aten.mul.Tensor aten.mul.Scalar': { self: byOther('mul'), other: 'grad * self' },
  'aten.div.Tensor aten.div.Scalar': { self: byOther('div'), other: '-grad * (self / other / other)' },
  'aten.pow.Tensor_Scalar':
    'zeros_like(self) if exponent == 0 else grad * (self ** (float(exponent) - 1) * float(exponent))',
  'aten.pow.Tensor_Tensor': {
    self: 'where(exponent == 0.0, zero(grad), grad * (exponent * self ** (exponent - 1)))',
    exponent: `
      none = logical_and(self == 0, exponent >= 0)
      grad * where(none, zero(grad), result * log(self))`,
  },
  'aten.pow.Scalar': { exponent: (g) => g.mul(g.grad, g.mul(g.result, Math.log(g.c.number('self')!))) },
  'aten.neg': '-grad',
  'aten.abs': 'grad * sgn(self)',
  'aten.reciprocal': '-grad * (result * result)',
  'aten.sqrt': 'grad / (result * 2)',
  'aten.rsqrt': 'grad * -0.5 * result ** 3',
  'aten.exp': 'grad * result',
  'aten.exp2': 'grad * result * M_LN2',
  'aten.expm1': 'grad * (result + 1)',
  'aten.log': 'grad / self',
  'aten.log1p': 'grad / (self + 1)',
  'aten.log2': 'grad / (self * M_LN2)',
  'aten.log10': 'grad / (self * M_LN10)',
  'aten.sin': 'grad * cos(self)',
  'aten.cos': 'grad * -sin(self)',
  'aten.tan': 'grad * (result ** 2 + 1)',
  'aten.asin': 'grad * rsqrt(-self * self + 1)',
  'aten.acos': 'grad * -rsqrt(-self * self + 1)',
  'aten.atan': 'grad / (self * self + 1)',
  'aten.asinh': 'grad * rsqrt(self ** 2 + 1)',
  'aten.acosh': 'grad * rsqrt(self * self - 1)',
  'aten.atanh': `
    top = grad * 1
    top / (1 - self ** 2)`,
  'aten.lgamma': 'grad * digamma(self)',
  'aten.copy': { self: 'zeros_like(grad)', src: 'grad' },
  'aten.fill.Tensor': { self: 'zeros_like(grad)', value: 'sum(grad)' },
  'aten.fill.Scalar': 'zeros_like(grad)',
  'aten.nan_to_num': 'grad * isfinite(self)',
  'aten.hypot': { self: 'grad * self / result', other: 'grad * other / result' },
  'aten.logaddexp': { self: 'grad / (exp(other - self) + 1)', other: 'grad / (exp(self - other) + 1)' },
  'aten.logaddexp2': { self: 'grad / (2 ** (other - self) + 1)', other: 'grad / (2 ** (self - other) + 1)' },
  'aten.remainder.Scalar aten.fmod.Scalar aten.frac': 'grad',
  'aten.pixel_shuffle': 'pixel_unshuffle(grad, upscale_factor)',
  'aten.pixel_unshuffle': 'pixel_shuffle(grad, downscale_factor)',
  'aten.rot90': 'rot90(grad, -k, dims)',
  'aten.sinh': 'grad * cosh(self)',
  'aten.cosh': 'grad * sinh(self)',
  'aten.erf': 'exp(-self ** 2) * M_2_SQRTPI * grad',
  'aten.erfc': 'exp(-self ** 2) * -M_2_SQRTPI * grad',
  'aten.maximum': { self: chosen('<'), other: chosen('>') },
  'aten.minimum': { self: chosen('>'), other: chosen('<') },
  'aten.where.self': { self: 'where(condition, grad, 0)', other: 'where(condition, 0, grad)' },
  'aten.masked_fill.Scalar': 'masked_fill.Scalar(grad, mask, 0)',
  'aten.masked_fill.Tensor': { self: 'masked_fill.Scalar(grad, mask, 0)', value: 'sum(where(mask, grad, 0))' },
  'aten.lerp.Scalar': { self: 'grad * (1 - float(weight))', end: 'grad * weight' },
  'aten.lerp.Tensor': {
    self: 'grad * (1 - weight)',
    end: 'grad * weight',
    weight: 'grad * (end - self)',
  },
  'aten.addcmul': { self: 'grad', tensor1: 'grad * (tensor2 * value)', tensor2: 'grad * (tensor1 * value)' },
  'aten.addcdiv': {
    self: 'grad',
    tensor1: 'grad * (full_like(tensor2, value) / tensor2)',
    tensor2: `
      top = tensor1 * value
      -grad * (top / (tensor2 * tensor2))`,
  },
  'aten.clamp.default': { self: clamp },
  'aten.clamp_min.default': 'where(self > min, grad, zero(grad))',
  'aten.clamp_max.default': 'where(self < max, grad, zero(grad))',
  'aten._to_copy prims.convert_element_type': { self: (g) => backTo(g, 'self'), a: (g) => backTo(g, 'a') },
  'aten.clone aten.lift_fresh_copy aten.alias': 'grad',
}

/** The gradient in the dtype of the copied tensor. */
function backTo(g: BackwardCall, name: string): FakeTensor {
  const to = g.tensor(name).meta.dtype
  return g.grad.meta.dtype === to
    ? g.grad
    : (g.c.call('aten._to_copy.default', [g.grad], { dtype: dtype(to) }) as FakeTensor)
}
