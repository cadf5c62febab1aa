/** Activation functions, and those that compare with a threshold. */
import { gelu as geluErf, geluTanh, silu } from '../../expr/functions'
import { type FakeTensor, itemsOf, rankOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { Kernels, Rules, Traits } from '../../operator'
import { computationDtype, isFloatDtype, isIntDtype, cppName } from '../../promote'
import { floorDiv } from '../../sym'
import { runtimeError, TorchError } from '../../torch_error'
import { fullLike } from '../factories/like'
import { elementwiseKernel, kernelsOf, SELF, WITH_FORMAT } from './elementwise_kernel'
import { cast, elementwise, inOpmath, pointwise } from './elementwise_rule'
import { UNCHANGED } from '../../shape_words'
import * as guess from '../../guess/relations'
import { type Dim, dtype as dtypeArg } from '../../../fx'
import { reshape } from '../views/reshape'

type Ops = (name: string, ...args: Parameters<OpCall['op']>[1][]) => FakeTensor

const ops =
  (c: OpCall): Ops =>
  (name, ...args) =>
    c.op(`aten.${name}`, ...args)

function softplus(c: OpCall, x: FakeTensor, beta: bigint | number = 1n, threshold: bigint | number = 20n): FakeTensor {
  const o = ops(c)
  // The dispatcher drops defaults, and 1.0 is not the default.
  const scaled = beta === 1n ? x : o('mul.Tensor', x, beta)
  const log = o('log1p.default', o('exp.default', scaled))
  const right = beta === 1n ? log : o('div.Tensor', log, beta)
  return o('where.self', o('gt.Scalar', scaled, threshold), x, right)
}

const clampBoth = (c: OpCall, x: FakeTensor, lo: bigint | number, hi: bigint | number): FakeTensor =>
  c.op('aten.clamp_max.default', c.op('aten.clamp_min.default', x, lo), hi)

function elu(c: OpCall, x: FakeTensor, alpha: number, scale: number, inputScale: number): FakeTensor {
  const o = ops(c)
  const gt = o('gt.Scalar', x, 0n)
  const positive = o('mul.Tensor', x, scale)
  const negative = o('mul.Tensor', o('expm1.default', o('mul.Tensor', x, inputScale)), alpha * scale)
  return o('where.self', gt, positive, negative)
}

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
    decomp: (c) =>
      inOpmath(c, [c.tensor('self')], (x) => {
        const o = ops(c)
        if (!c.rules.exactSilu) return o('mul.Tensor', x, o('sigmoid.default', x))
        return o('div.Tensor', x, o('add.Tensor', o('exp.default', o('neg.default', x)), 1n))
      }),
    registered: (c) =>
      inOpmath(c, [c.tensor('self')], (x) => c.op('aten.mul.Tensor', x, c.op('aten.sigmoid.default', x))),
  },
  'aten.gelu': {
    shape: UNCHANGED,
    decomp: (c) => {
      const o = ops(c)
      if (!['none', 'tanh'].includes(c.string('approximate')!))
        throw runtimeError('approximate argument must be either none or tanh.')
      const x0 = c.tensor('self')
      const compute = computationDtype(x0.meta.dtype)
      const x = cast(c, x0, compute)
      const out =
        c.string('approximate') === 'tanh'
          ? (() => {
              const kBeta = Math.SQRT2 * (2 / Math.sqrt(Math.PI)) * 0.5
              const cube = o('mul.Tensor', o('mul.Tensor', x, x), x)
              const inner = o('mul.Tensor', o('add.Tensor', x, o('mul.Tensor', cube, 0.044715)), kBeta)
              return o('mul.Tensor', o('mul.Tensor', x, 0.5), o('add.Tensor', o('tanh.default', inner), 1n))
            })()
          : (() => {
              const half = o('mul.Tensor', x, 0.5)
              const erf = o('erf.default', o('mul.Tensor', x, Math.SQRT1_2))
              return o('mul.Tensor', half, o('add.Tensor', erf, 1n))
            })()
      return cast(c, out, x0.meta.dtype)
    },
  },
  'aten.softplus': pointwise('self', (c, x) => softplus(c, x, c.get('beta') as bigint, c.get('threshold') as bigint)),
  'aten.mish': pointwise('self', (c, x) =>
    c.op('aten.mul.Tensor', x, c.op('aten.tanh.default', cast(c, softplus(c, x), x.meta.dtype))),
  ),
  'aten.hardswish': {
    guess: guess.likeFirst,
    decomp: (c) =>
      inOpmath(c, [c.tensor('self')], (x) => {
        const gate = clampBoth(c, c.op('aten.add.Tensor', x, 3n), 0n, 6n)
        return c.op('aten.div.Tensor', c.op('aten.mul.Tensor', x, gate), 6n)
      }),
  },
  'aten.hardsigmoid': pointwise('self', (c, x) =>
    c.op('aten.div.Tensor', clampBoth(c, c.op('aten.add.Tensor', x, 3n), 0n, 6n), 6n),
  ),
  'aten.hardtanh': {
    decomp: (c) => {
      const bound = (name: string, x: FakeTensor): bigint | number => {
        const v = c.get(name) as bigint | number
        return isFloatDtype(x.meta.dtype) ? v : BigInt(Math.trunc(Number(v)))
      }
      return inOpmath(c, [c.tensor('self')], (x) => clampBoth(c, x, bound('min_val', x), bound('max_val', x)))
    },
  },
  'aten.relu6': {
    implicit: (c) => c.call('aten.hardtanh.default', [c.tensor('self'), 0n, 6n]),
  },
  'aten.leaky_relu': {
    decomp: (c) => {
      const unsafe = unsafeFloat(c, 'negative_slope')
      if (unsafe) throw new TorchError('ValueError', unsafe)
      return inOpmath(c, [c.tensor('self')], (x) => {
        const gt = c.op('aten.gt.Scalar', x, 0n)
        return c.op('aten.where.self', gt, x, c.op('aten.mul.Tensor', x, c.get('negative_slope')))
      })
    },
  },
  'aten.elu': {
    decomp: (c) => {
      const unsafe = unsafeFloat(c, 'input_scale')
      if (unsafe) throw runtimeError(unsafe)
      return inOpmath(c, [c.tensor('self')], (x) =>
        elu(c, x, c.number('alpha')!, c.number('scale')!, c.number('input_scale')!),
      )
    },
  },
  'aten.selu': {
    implicit: (c) => c.call('aten.elu.default', [c.tensor('self'), 1.6732632423543772, 1.0507009873554805]),
  },
  'aten.celu': pointwise('self', (c, x) => {
    const o = ops(c)
    const alpha = c.number('alpha')!
    const rhs =
      alpha === 1
        ? o('expm1.default', x)
        : o('mul.Tensor', o('expm1.default', o('div.Tensor', x, c.get('alpha'))), c.get('alpha'))
    return o('where.self', o('gt.Scalar', x, 0n), x, rhs)
  }),
  'aten.tanhshrink': {
    implicit: (c) => c.op('aten.sub.Tensor', c.tensor('self'), c.op('aten.tanh.default', c.tensor('self'))),
  },
  'aten.log_sigmoid': {
    implicit: (c) => itemsOf(c.call('aten.log_sigmoid_forward.default', [c.tensor('self')]))![0],
  },
  'aten.log_sigmoid_forward': {
    decomp: (c, given) => {
      const o = ops(c)
      const x = cast(c, given, computationDtype(given.meta.dtype))
      const min = o('minimum.default', fullLike(c, x, 0n, x.meta.dtype, []), x)
      const z = o('exp.default', o('neg.default', o('abs.default', x)))
      // A GPU keeps no buffer.
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
  'aten.threshold': pointwise('self', (c, x) =>
    c.op('aten.where.ScalarSelf', c.op('aten.le.Scalar', x, c.get('threshold')), c.get('value'), x),
  ),
  'aten.hardshrink': {
    decomp: (c, x) => {
      const small = c.op('aten.le.Scalar', c.op('aten.abs.default', x), c.get('lambd'))
      return c.op('aten.where.ScalarSelf', small, 0n, x)
    },
  },
  'aten.softshrink': {
    decomp: (c, x) => {
      const half = x.meta.dtype === 'bfloat16' || x.meta.dtype === 'float16'
      const lambda = half
        ? c.call('aten.scalar_tensor.default', [c.get('lambd')], {
            dtype: dtypeArg(x.meta.dtype),
            device: x.meta.device!,
            pin_memory: false,
          })
        : c.get('lambd')
      const far = c.op(half ? 'aten.gt.Tensor' : 'aten.gt.Scalar', c.op('aten.abs.default', x), lambda)
      const less = c.op('aten.sub.Tensor', x, c.op('aten.mul.Tensor', c.op('aten.sign.default', x), lambda))
      return c.op('aten.where.self', far, less, c.op('aten.mul.Tensor', x, 0n))
    },
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
