/** Derivatives of elementwise operators (FunctionsManual.cpp, derivatives.yaml of PyTorch 2.14.1). */
import { dtype } from '../../../fx'
import type { BackwardCall, Derivatives, Formula } from '../../derivative'
import { isFake, type DispatchArg, type FakeTensor } from '../../fake'

const grad: Formula = (g) => g.grad
const zeros: Formula = (g) => g.op('zeros_like.default', g.grad)
const self = (fn: Formula): { self: Formula } => ({ self: fn })
const plus = (g: BackwardCall, x: FakeTensor, n: bigint | number): FakeTensor => g.op('add.Scalar', x, n)
const scalarZero = (g: BackwardCall): FakeTensor =>
  g.c.call('aten.scalar_tensor.default', [0], {
    dtype: dtype(g.grad.meta.dtype),
    layout: { kind: 'layout', name: 'strided' },
    device: g.grad.meta.device!,
  }) as FakeTensor

/** 1 - x² under a root, for asin and acos. */
const oneMinusSquare = (g: BackwardCall): FakeTensor => plus(g, g.mul(g.op('neg.default', g.self), g.self), 1n)
const onePlusSquare = (g: BackwardCall): FakeTensor => plus(g, g.mul(g.self, g.self), 1n)

/** erf's derivative: `factor` · exp(-x²) · grad. */
const gaussian =
  (factor: number): Formula =>
  (g) =>
    g.mul(g.mul(g.op('exp.default', g.op('neg.default', g.op('pow.Tensor_Scalar', g.self, 2n))), factor), g.grad)

/** By the other operand: a number of the Tensor overload is a tensor to autograd. */
const byOther =
  (op: 'mul' | 'div'): Formula =>
  (g) =>
    g.op(`${op}.${g.c.schema.name.split('.')[2]!}`, g.grad, g.c.get('other'))

/** The gradient of the other operand where an extremum chose it; half of it where both are equal. */
const chosen =
  (loses: 'lt' | 'gt'): Formula =>
  (g) => {
    const [x, y] = [g.self, g.tensor('other')]
    const loser = g.op(`${loses}.Tensor`, x, y)
    const half = g.div(g.grad, 2n)
    const shared = g.op('where.self', g.op('eq.Tensor', x, y), half, g.grad)
    return g.op('masked_fill.Scalar', shared, loser, 0n)
  }

const powOf = (g: BackwardCall, exponent: number): FakeTensor =>
  g.mul(g.grad, g.mul(g.op('pow.Tensor_Scalar', g.self, exponent - 1), exponent))

/** The gradient where the input is inside one bound. */
const within =
  (comparison: 'gt' | 'lt', bound: 'min' | 'max'): Formula =>
  (g) => {
    const zero = scalarZero(g)
    return g.op('where.self', g.op(`${comparison}.Scalar`, g.self, g.c.get(bound)), g.grad, zero)
  }

/** The operators whose result does not depend smoothly on the input: a gradient of zeros. */
const STEPS = 'aten.floor aten.ceil aten.round aten.trunc aten.sign'
const INDEPENDENT =
  'aten.zeros_like aten.ones_like aten.full_like aten.empty_like aten.rand_like aten.randn_like aten.new_zeros aten.new_ones ' +
  'aten.new_empty aten.new_full aten.new_empty_strided aten.heaviside aten.nextafter'

export const DERIVATIVES: Derivatives = {
  [INDEPENDENT]: null,
  [STEPS]: self(zeros),
  'aten.add.Tensor': { self: grad, other: (g) => g.scaled(g.grad, g.c.get('alpha')) },
  'aten.add.Scalar aten.sub.Scalar': self(grad),
  'aten.sub.Tensor': { self: grad, other: (g) => g.scaled(g.op('neg.default', g.grad), g.c.get('alpha')) },
  'aten.rsub.Tensor': { self: (g) => g.scaled(g.op('neg.default', g.grad), g.c.get('alpha')), other: grad },
  'aten.rsub.Scalar': self((g) => g.scaled(g.op('neg.default', g.grad), g.c.get('alpha'))),
  'aten.mul.Tensor aten.mul.Scalar': {
    self: byOther('mul'),
    other: (g) => g.mul(g.grad, g.self),
  },
  'aten.div.Tensor aten.div.Scalar': {
    self: byOther('div'),
    other: (g) => {
      const y = g.tensor('other')
      const quotient = g.div(g.div(g.self, y), y)
      return g.mul(g.op('neg.default', g.grad), quotient)
    },
  },
  'aten.pow.Tensor_Scalar': self((g) => {
    const exponent = g.c.number('exponent')!
    return exponent === 0 ? g.op('zeros_like.default', g.self) : powOf(g, exponent)
  }),
  'aten.pow.Tensor_Tensor': {
    self: (g) => {
      const e = g.tensor('exponent')
      const slope = g.mul(g.grad, g.mul(e, g.op('pow.Tensor_Tensor', g.self, g.op('sub.Scalar', e, 1n))))
      const zero = scalarZero(g)
      return g.op('where.self', g.op('eq.Scalar', e, 0), zero, slope)
    },
    exponent: (g) => {
      const [x, e] = [g.self, g.tensor('exponent')]
      const positive = g.op('ge.Scalar', e, 0n)
      const zero = g.op('logical_and.default', g.op('eq.Scalar', x, 0n), positive)
      const slope = g.mul(g.result, g.op('log.default', x))
      return g.mul(g.grad, g.op('where.self', zero, scalarZero(g), slope))
    },
  },
  'aten.pow.Scalar': {
    exponent: (g) => g.mul(g.grad, g.mul(g.result, Math.log(g.c.number('self')!))),
  },
  'aten.neg': self((g) => g.op('neg.default', g.grad)),
  'aten.abs': self((g) => g.mul(g.grad, g.op('sgn.default', g.self))),
  'aten.reciprocal': self((g) => {
    const square = g.mul(g.result, g.result)
    return g.mul(g.op('neg.default', g.grad), square)
  }),
  'aten.sqrt': self((g) => g.div(g.grad, g.mul(g.result, 2n))),
  'aten.rsqrt': self((g) => {
    const cube = g.op('pow.Tensor_Scalar', g.result, 3n)
    return g.mul(g.mul(g.grad, -0.5), cube)
  }),
  'aten.exp': self((g) => g.mul(g.grad, g.result)),
  'aten.exp2': self((g) => g.mul(g.mul(g.grad, g.result), Math.LN2)),
  'aten.expm1': self((g) => g.mul(g.grad, plus(g, g.result, 1n))),
  'aten.log': self((g) => g.div(g.grad, g.self)),
  'aten.log1p': self((g) => g.div(g.grad, plus(g, g.self, 1n))),
  'aten.log2': self((g) => g.div(g.grad, g.mul(g.self, Math.LN2))),
  'aten.log10': self((g) => g.div(g.grad, g.mul(g.self, Math.LN10))),
  'aten.sin': self((g) => g.mul(g.grad, g.op('cos.default', g.self))),
  'aten.cos': self((g) => g.mul(g.grad, g.op('neg.default', g.op('sin.default', g.self)))),
  'aten.tan': self((g) => g.mul(g.grad, plus(g, g.op('pow.Tensor_Scalar', g.result, 2n), 1n))),
  'aten.asin': self((g) => g.mul(g.grad, g.op('rsqrt.default', oneMinusSquare(g)))),
  'aten.acos': self((g) => g.mul(g.grad, g.op('neg.default', g.op('rsqrt.default', oneMinusSquare(g))))),
  'aten.atan': self((g) => g.div(g.grad, onePlusSquare(g))),
  'aten.asinh': self((g) => g.mul(g.grad, g.op('rsqrt.default', plus(g, g.op('pow.Tensor_Scalar', g.self, 2n), 1n)))),
  'aten.acosh': self((g) => g.mul(g.grad, g.op('rsqrt.default', g.op('sub.Scalar', g.mul(g.self, g.self), 1n)))),
  'aten.atanh': self((g) => g.div(g.mul(g.grad, 1n), g.less(1n, g.op('pow.Tensor_Scalar', g.self, 2n)))),
  'aten.lgamma': self((g) => g.mul(g.grad, g.op('digamma.default', g.self))),
  'aten.copy': { self: (g) => g.op('zeros_like.default', g.grad), src: grad },
  'aten.fill.Tensor': {
    self: (g) => g.op('zeros_like.default', g.grad),
    value: (g) => g.op('sum.default', g.grad),
  },
  'aten.fill.Scalar': self((g) => g.op('zeros_like.default', g.grad)),
  'aten.nan_to_num': self((g) => g.mul(g.grad, g.op('isfinite.default', g.self))),
  'aten.hypot': {
    self: (g) => g.div(g.mul(g.grad, g.self), g.result),
    other: (g) => g.div(g.mul(g.grad, g.tensor('other')), g.result),
  },
  'aten.logaddexp': {
    self: (g) => g.div(g.grad, plus(g, g.op('exp.default', g.op('sub.Tensor', g.tensor('other'), g.self)), 1n)),
    other: (g) => g.div(g.grad, plus(g, g.op('exp.default', g.op('sub.Tensor', g.self, g.tensor('other'))), 1n)),
  },
  'aten.logaddexp2': {
    self: (g) => g.div(g.grad, plus(g, g.op('pow.Scalar', 2n, g.op('sub.Tensor', g.tensor('other'), g.self)), 1n)),
    other: (g) => g.div(g.grad, plus(g, g.op('pow.Scalar', 2n, g.op('sub.Tensor', g.self, g.tensor('other'))), 1n)),
  },
  'aten.remainder.Scalar aten.fmod.Scalar aten.frac': self(grad),
  'aten.pixel_shuffle': self((g) => g.op('pixel_unshuffle.default', g.grad, g.c.get('upscale_factor'))),
  'aten.pixel_unshuffle': self((g) => g.op('pixel_shuffle.default', g.grad, g.c.get('downscale_factor'))),
  'aten.rot90': self((g) => g.op('rot90.default', g.grad, BigInt(-g.c.int('k', 1)), g.c.get('dims'))),
  'aten.sinh': self((g) => g.mul(g.grad, g.op('cosh.default', g.self))),
  'aten.cosh': self((g) => g.mul(g.grad, g.op('sinh.default', g.self))),
  'aten.erf': self(gaussian(2 / Math.sqrt(Math.PI))),
  'aten.erfc': self(gaussian(-2 / Math.sqrt(Math.PI))),
  'aten.maximum': { self: chosen('lt'), other: chosen('gt') },
  'aten.minimum': { self: chosen('gt'), other: chosen('lt') },
  'aten.where.self': {
    self: (g) => g.op('where.ScalarOther', g.tensor('condition'), g.grad, 0n),
    other: (g) => g.op('where.ScalarSelf', g.tensor('condition'), 0n, g.grad),
  },
  'aten.masked_fill.Scalar': self((g) => g.op('masked_fill.Scalar', g.grad, g.tensor('mask'), 0n)),
  'aten.masked_fill.Tensor': {
    self: (g) => g.op('masked_fill.Scalar', g.grad, g.tensor('mask'), 0n),
    value: (g) => g.op('sum.default', g.op('where.ScalarOther', g.tensor('mask'), g.grad, 0n)),
  },
  'aten.lerp.Scalar': {
    self: (g) => g.mul(g.grad, 1 - g.c.number('weight')!),
    end: (g) => g.mul(g.grad, g.c.get('weight') as number),
  },
  'aten.lerp.Tensor': {
    self: (g) => g.mul(g.grad, g.op('rsub.Scalar', g.tensor('weight'), 1n)),
    end: (g) => g.mul(g.grad, g.tensor('weight')),
    weight: (g) => g.mul(g.grad, g.op('sub.Tensor', g.tensor('end'), g.self)),
  },
  'aten.addcmul': {
    self: grad,
    tensor1: (g) => g.mul(g.grad, g.mul(g.tensor('tensor2'), g.c.get('value') as number)),
    tensor2: (g) => g.mul(g.grad, g.mul(g.tensor('tensor1'), g.c.get('value') as number)),
  },
  'aten.addcdiv': {
    self: grad,
    tensor1: (g) => {
      const y = g.tensor('tensor2')
      return g.mul(g.grad, g.div(g.op('full_like.default', y, g.c.get('value')), y))
    },
    tensor2: (g) => {
      const [x, y] = [g.tensor('tensor1'), g.tensor('tensor2')]
      const quotient = g.div(g.mul(x, g.c.get('value') as number), g.mul(y, y))
      return g.mul(g.op('neg.default', g.grad), quotient)
    },
  },
  'aten.clamp': self((g) => {
    const [low, high] = [g.c.get('min'), g.c.get('max')]
    const inside = (op: string, bound: DispatchArg): FakeTensor => g.op(`${op}.Scalar`, g.self, bound)
    const zero = scalarZero(g)
    const kept =
      low !== null && high !== null
        ? g.op('logical_and.default', inside('gt', low), inside('lt', high))
        : low !== null
          ? inside('gt', low)
          : inside('lt', high)
    return isFake(low) || isFake(high) ? null : g.op('where.self', kept, g.grad, zero)
  }),
  'aten.clamp_min.default': self(within('gt', 'min')),
  'aten.clamp_max.default': self(within('lt', 'max')),
  'aten._to_copy prims.convert_element_type': {
    self: (g) => backTo(g, 'self'),
    a: (g) => backTo(g, 'a'),
  },
  'aten.clone aten.lift_fresh_copy aten.alias': self(grad),
}

/** The gradient in the dtype of the copied tensor. */
function backTo(g: BackwardCall, name: string): FakeTensor {
  const to = g.tensor(name).meta.dtype
  return g.grad.meta.dtype === to
    ? g.grad
    : (g.c.call('aten._to_copy.default', [g.grad], { dtype: dtype(to) }) as FakeTensor)
}
