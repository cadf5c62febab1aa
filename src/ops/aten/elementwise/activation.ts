/** Activation functions, and those that compare with a threshold. */
import { gelu as geluErf, geluTanh, silu } from '../../expr/functions'
import { type DispatchArg, type FakeTensor, rankOf } from '../../fake'
import { cpp, formula, python, type Helpers } from '../../formula/formula'
import { type OpCall, wrapDim } from '../../op_call'
import type { Kernels, Rule, Rules, Traits } from '../../operator'
import { computationDtype, isFloatDtype, isIntDtype, cppName } from '../../promote'
import { floorDiv } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { fullLike } from '../factories/like'
import { elementwiseKernel, kernelsOf, SELF, WITH_FORMAT } from './elementwise_kernel'
import { cast, elementwise, pointwise } from './elementwise_rule'
import { UNCHANGED } from '../../shape_words'
import * as guess from '../../guess/relations'
import { type Dim, dtype as dtypeArg } from '../../../fx'
import { reshape } from '../views/reshape'

const HELPERS: Helpers = {
  clamped: (c, x, low, high) => c.op('aten.clamp_max.default', c.op('aten.clamp_min.default', x!, low!), high!),
  /** A bound in the dtype of a tensor. */
  bound: (_c, x, value) => (isFloatDtype((x as FakeTensor).meta.dtype) ? value! : BigInt(Math.trunc(Number(value)))),
  /** A number in the narrow dtype of a tensor. */
  narrow: (c, value, x) => {
    const { dtype, device } = (x as FakeTensor).meta
    return c.call('aten.scalar_tensor.default', [value!], {
      dtype: dtypeArg(dtype),
      device: device!,
      pin_memory: false,
    })
  },
}

/** `beta` is a number: the dispatcher drops defaults, and 1.0 is not the default. */
const softplus = (beta: string, threshold: string): string => `
  scaled = self if ${beta} is 1 else self * ${beta}
  log = log1p(exp(scaled))
  right = log if ${beta} is 1 else log / ${beta}
  soft = where(scaled > ${threshold}, self, right)`

/** A formula of `self` in the dtype of the computation. */
const decomposed = (text: string): Rule => pointwise('self', text).decomp!

const geluTanhOf = decomposed(
  `inner = (self + self * self * self * 0.044715) * ${Math.SQRT2 * (2 / Math.sqrt(Math.PI)) * 0.5}
   self * 0.5 * (tanh(inner) + 1)`,
)
const geluErfOf = decomposed('self * 0.5 * (erf(self * M_SQRT1_2) + 1)')

const leakyRelu = decomposed('where(self > 0, self, self * negative_slope)')

const elu = decomposed(
  `positive = self > 0
   scaled = self * float(scale)
   negative = expm1(self * float(input_scale)) * (float(alpha) * float(scale))
   where(positive, scaled, negative)`,
)

const softshrink = formula(
  `bound = narrow(lambd, self) if half else lambd
   far = gt.Tensor(abs(self), bound) if half else gt.Scalar(abs(self), bound)
   less = self - sign(self) * bound
   where(far, less, self * 0)`,
  { cpp: false, helpers: HELPERS },
)

const gelu = elementwiseKernel({
  name: 'gelu',
  params: [SELF, { name: 'approximate', kind: 'attr', default: 'none' }],
  operands: ['self'],
  formula: (call) => (call.attrs['approximate'] === 'tanh' ? geluTanh : geluErf),
})

/** The message for a float argument of an operator on integers. */
function unsafeFloat(c: OpCall, name: string): string | null {
  const { dtype } = c.tensor('self').meta
  const kind = dtype === 'bool' ? 'bool' : isIntDtype(dtype) ? 'int' : null
  return kind && `${name} argument of type <class 'float'> cannot be safely cast to type <class '${kind}'>!`
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.silu': {
    shape: UNCHANGED,
    ...pointwise('self', "self / (exp(-self) + 1) if rule('exactSilu') else self * sigmoid(self)"),
    registered: pointwise('self', 'self * sigmoid(self)').decomp,
  },
  'aten.gelu': {
    shape: UNCHANGED,
    decomp: (c) => {
      const approximate = c.string('approximate')!
      if (!['none', 'tanh'].includes(approximate))
        throw runtimeError('approximate argument must be either none or tanh.')
      return (approximate === 'tanh' ? geluTanhOf : geluErfOf)(c, c.tensor('self'))
    },
  },
  'aten.softplus': pointwise(
    'self',
    `${softplus('beta', 'threshold')}
    soft`,
  ),
  'aten.mish': pointwise(
    'self',
    `${softplus('1', '20')}
    self * tanh(cast(soft, self.dtype))`,
  ),
  'aten.hardswish': {
    guess: guess.likeFirst,
    ...pointwise('self', 'self * clamped(self + 3, 0, 6) / 6', 'default', HELPERS),
  },
  'aten.hardsigmoid': pointwise('self', 'clamped(self + 3, 0, 6) / 6', 'default', HELPERS),
  'aten.hardtanh': pointwise('self', 'clamped(self, bound(self, min_val), bound(self, max_val))', 'default', HELPERS),
  'aten.relu6': { implicit: cpp('hardtanh(self, 0, 6)') },
  'aten.leaky_relu': {
    decomp: (c) => {
      const unsafe = unsafeFloat(c, 'negative_slope')
      if (unsafe) throw new TorchError('ValueError', unsafe)
      return leakyRelu(c, c.tensor('self'))
    },
  },
  'aten.elu': {
    decomp: (c) => {
      const unsafe = unsafeFloat(c, 'input_scale')
      if (unsafe) throw runtimeError(unsafe)
      return elu(c, c.tensor('self'))
    },
  },
  'aten.selu': { implicit: cpp('elu(self, 1.6732632423543772, 1.0507009873554805)') },
  'aten.celu': pointwise(
    'self',
    `right = expm1(self) if alpha == 1 else expm1(self / alpha) * alpha
     where(self > 0, self, right)`,
  ),
  'aten.tanhshrink': { implicit: cpp('self - tanh(self)') },
  'aten.log_sigmoid': { implicit: cpp('log_sigmoid_forward(self)[0]') },
  'aten.log_sigmoid_forward': {
    decomp: (c, given) => {
      const o = (name: string, ...args: DispatchArg[]): FakeTensor => c.op(`aten.${name}`, ...args)
      const x = cast(c, given, computationDtype(given.meta.dtype))
      const min = o('minimum.default', fullLike(c, x, 0n, x.meta.dtype, []), x)
      const z = o('exp.default', o('neg.default', o('abs.default', x)))
      // On a GPU there is no buffer.
      const buffer = x.meta.device?.type === 'cpu' ? z : (c.call('aten.new_zeros.default', [x, [0n]]) as FakeTensor)
      const out = o('sub.Tensor', min, o('log1p.default', z))
      return { kind: 'tuple', items: [out, buffer].map((t) => cast(c, t, given.meta.dtype)) }
    },
  },
  /** Recorded unchanged: the lowering handles it. */
  'aten.glu': {
    meta: (c, x) => {
      const dim = wrapDim(c.int('dim'), x.meta.shape.length)
      const size = x.meta.shape[dim]
      if (typeof size === 'number' && size % 2 !== 0)
        throw runtimeError(`Halving dimension must be even, but dimension ${dim} is size ${size}`)
      const shape = x.meta.shape.map((d, i) => (i === dim ? floorDiv(d, 2) : d))
      return elementwise(c, [c.view(x, { shape })])
    },
  },
  'aten.threshold': pointwise('self', 'where(self <= threshold, value, self)'),
  'aten.hardshrink': { decomp: python('where(abs(self) <= lambd, 0, self)') },
  'aten.softshrink': {
    decomp: (c, x) => softshrink(c, (name) => (name === 'half' ? /^b?float16$/.test(x.meta.dtype) : undefined)),
  },
  'aten.prelu': {
    implicit: (c) => {
      const [x, w] = [c.tensor('self'), c.tensor('weight')]
      if (x.meta.dtype !== w.meta.dtype)
        throw runtimeError(
          `prelu: Type promoting not supported. Got ${cppName(x.meta.dtype)} and ${cppName(w.meta.dtype)}`,
        )
      const channels = rankOf(x) > 1 ? x.meta.shape[1]! : 1
      const count = w.meta.shape[0] ?? 1
      if (typeof count === 'number' && count !== 1 && typeof channels === 'number' && count !== channels)
        throw runtimeError(
          `Mismatch of parameter numbers and input channel size. Found parameter numbers = ${count} and channel size = ${channels}.`,
        )
      let weight = w
      if (rankOf(w) > 0 && rankOf(x) !== 1) {
        const shape = x.meta.shape.map((_, i): Dim => (i === 1 ? w.meta.shape[0]! : 1))
        if (rankOf(x) > 0) weight = reshape(c, w, shape)
      }
      return c.op('aten._prelu_kernel.default', x, weight)
    },
  },
})

export const KERNELS: Kernels = { ...kernelsOf({ silu }, [SELF, WITH_FORMAT]), 'aten.gelu': gelu }

export const TRAITS: Traits = { composite: 'silu gelu' }
