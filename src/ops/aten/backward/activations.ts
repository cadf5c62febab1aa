/** Decompositions of the backward operators of activation functions and losses. */
import { type DispatchArg, type FakeTensor, rankOf, shapeOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { productOf } from '../../sym'
import { pointwise as decomposed } from '../elementwise/elementwise_rule'

/** Operators on tensors and numbers, as Python's arithmetic calls them. */
class Ops {
  constructor(private readonly c: OpCall) {}
  op(name: string, ...args: DispatchArg[]): FakeTensor {
    return this.c.op(`aten.${name}`, ...args)
  }
  mul(x: FakeTensor, y: FakeTensor | number | bigint): FakeTensor {
    return this.op('mul.Tensor', x, y)
  }
  add(x: FakeTensor, y: FakeTensor | number | bigint): FakeTensor {
    return this.op('add.Tensor', x, y)
  }
  sub(x: FakeTensor, y: FakeTensor | number | bigint): FakeTensor {
    return this.op('sub.Tensor', x, y)
  }
  /** `n - x` */
  from(n: number | bigint, x: FakeTensor): FakeTensor {
    return this.op('rsub.Scalar', x, n)
  }
  div(x: FakeTensor, y: FakeTensor | number | bigint): FakeTensor {
    return this.op('div.Tensor', x, y)
  }
  unary(name: string, x: FakeTensor): FakeTensor {
    return this.op(`${name}.default`, x)
  }
  compare(name: string, x: FakeTensor, n: number | bigint): FakeTensor {
    return this.op(`${name}.Scalar`, x, n)
  }
  where(condition: FakeTensor, x: FakeTensor | number | bigint, y: FakeTensor | number | bigint): FakeTensor {
    const overload =
      typeof x === 'object'
        ? typeof y === 'object'
          ? 'self'
          : 'ScalarOther'
        : typeof y === 'object'
          ? 'ScalarSelf'
          : 'Scalar'
    return this.op(`where.${overload}`, condition, x, y)
  }
}

/** A rule whose tensors are computed in the opmath type. */
const pointwise = (tensors: string, body: (o: Ops, c: OpCall, ...xs: FakeTensor[]) => FakeTensor): OpDef =>
  decomposed(tensors, (c, ...xs) => body(new Ops(c), c, ...xs))

const MEAN = 1
const isMean = (c: OpCall): boolean => c.int('reduction', MEAN) === MEAN
const numel = (x: FakeTensor): number => Number(productOf(shapeOf(x)))
const perElement = (c: OpCall, x: FakeTensor, factor: number): number => (isMean(c) ? factor / numel(x) : factor)

const geluTanh = (o: Ops, grad: FakeTensor, x: FakeTensor): FakeTensor => {
  const [beta, kappa] = [Math.SQRT2 * (2 / Math.sqrt(Math.PI)) * 0.5, 0.044715]
  const square = o.mul(x, x)
  const cube = o.mul(square, x)
  const inner = o.mul(o.add(x, o.mul(cube, kappa)), beta)
  const tanh = o.unary('tanh', inner)
  const left = o.mul(x, 0.5)
  const right = o.add(tanh, 1n)
  const leftSlope = o.mul(right, 0.5)
  const tanhSlope = o.from(1n, o.mul(tanh, tanh))
  const innerSlope = o.mul(o.add(o.mul(square, 3 * kappa), 1n), beta)
  const rightSlope = o.mul(o.mul(left, tanhSlope), innerSlope)
  return o.mul(grad, o.add(leftSlope, rightSlope))
}

const geluErf = (o: Ops, grad: FakeTensor, x: FakeTensor): FakeTensor => {
  const beta = (2 / Math.sqrt(Math.PI)) * Math.SQRT1_2 * 0.5
  const cdf = o.mul(o.add(o.unary('erf', o.mul(x, Math.SQRT1_2)), 1n), 0.5)
  const pdf = o.mul(o.unary('exp', o.mul(o.mul(x, x), -0.5)), beta)
  return o.mul(grad, o.add(cdf, o.mul(x, pdf)))
}

function nllBackward(c: OpCall): FakeTensor {
  const o = new Ops(c)
  const x = c.tensor('self')
  const channel = BigInt(rankOf(x) < 2 ? 0 : 1)
  let grad = c.tensor('grad_output')
  if (isMean(c)) grad = o.div(grad, c.tensor('total_weight'))
  const ignored = c.get('ignore_index') as bigint
  const target = o.op('unsqueeze.default', c.tensor('target'), channel)
  const safe = o.where(o.compare('ne', target, ignored), target, 0n)
  const hot = o.op('scatter.value', o.unary('zeros_like', x), channel, safe, -1)
  if (rankOf(hot) > rankOf(grad) && rankOf(grad) > 0) grad = o.op('unsqueeze.default', grad, channel)
  const weight = c.maybeTensor('weight')
  if (weight) {
    const shape = shapeOf(x).map((_, i) => (i === Number(channel) ? BigInt(Number(shapeOf(weight)[0])) : 1n))
    grad = o.mul(grad, o.op('reshape.default', weight, shape))
  }
  return o.mul(hot, o.where(o.compare('ne', target, ignored), grad, 0n))
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.threshold_backward': {
    decomp: (c) => {
      const o = new Ops(c)
      const passed = o.compare('le', c.tensor('self'), c.get('threshold') as bigint)
      return o.where(passed, 0n, c.tensor('grad_output'))
    },
  },
  'aten.sigmoid_backward': pointwise('grad_output output', (o, _c, grad, y) => o.mul(grad!, o.mul(y!, o.from(1n, y!)))),
  'aten.tanh_backward': pointwise('grad_output output', (o, _c, grad, y) => o.mul(grad!, o.from(1n, o.mul(y!, y!)))),
  'aten.silu_backward': {
    ...pointwise('grad_output self', (o, _c, grad, x) => {
      const sigmoid = o.unary('sigmoid', x!)
      const left = o.mul(grad!, sigmoid)
      return o.mul(left, o.add(o.mul(x!, o.from(1n, sigmoid)), 1n))
    }),
    implicit: (c) => {
      if (c.rules.siluBackward) return undefined
      const [grad, x] = [c.tensor('grad_output'), c.tensor('self')]
      const sigmoid = c.op('aten.sigmoid.default', x)
      const rest = c.functional
        ? c.op('aten.sub.Tensor', c.op('aten.full_like.default', sigmoid, 1n), sigmoid)
        : c.op('aten.sub_.Tensor', c.op('aten.fill_.Scalar', c.op('aten.empty_like.default', sigmoid), 1n), sigmoid)
      const slope = c.op('aten.mul.Tensor', x, rest)
      const both = c.op('aten.mul.Tensor', sigmoid, c.op('aten.add.Scalar', slope, 1n))
      return c.op('aten.mul.Tensor', grad, both)
    },
  },
  'aten.mish_backward': pointwise('grad_output self', (o, _c, grad, x) => {
    const tanh = o.unary('tanh', o.op('softplus.default', x!))
    const sigmoid = o.unary('sigmoid', x!)
    const left = o.mul(x!, sigmoid)
    const out = o.mul(left, o.from(1n, o.mul(tanh, tanh)))
    return o.mul(grad!, o.add(tanh, out))
  }),
  'aten.gelu_backward': pointwise('grad_output self', (o, c, grad, x) =>
    c.string('approximate') === 'tanh' ? geluTanh(o, grad!, x!) : geluErf(o, grad!, x!),
  ),
  'aten.leaky_relu_backward': pointwise('grad_output self', (o, c, grad, x) => {
    const positive = o.compare('gt', x!, 0n)
    return o.where(positive, grad!, o.mul(grad!, c.number('negative_slope')!))
  }),
  'aten.elu_backward': pointwise('grad_output self_or_result', (o, c, grad, x) => {
    const [alpha, scale, inputScale] = ['alpha', 'scale', 'input_scale'].map((n) => c.get(n) as bigint | number)
    const negative = Number(alpha) * Number(scale)
    const factor = typeof alpha === 'bigint' && typeof scale === 'bigint' ? BigInt(negative) : negative
    const below = o.compare('le', x!, 0n)
    const slope = o.mul(o.mul(grad!, inputScale!), factor)
    const left = c.bool('is_result')
      ? o.mul(o.mul(grad!, inputScale!), o.add(x!, factor))
      : o.mul(slope, o.unary('exp', o.mul(x!, inputScale!)))
    return o.where(below, left, o.mul(grad!, scale!))
  }),
  'aten.softplus_backward': pointwise('grad_output self', (o, c, grad, x) => {
    const beta = c.get('beta') as bigint | number
    const z = o.unary('exp', o.mul(x!, beta))
    const above = o.compare('gt', o.mul(x!, beta), c.get('threshold') as bigint)
    return o.where(above, grad!, o.div(o.mul(grad!, z), o.add(z, 1)))
  }),
  'aten.hardsigmoid_backward': pointwise('grad_output self', (o, _c, grad, x) => {
    const inside = o.op('bitwise_and.Tensor', o.compare('gt', x!, -3), o.compare('lt', x!, 3))
    return o.where(inside, o.mul(grad!, 1 / 6), 0)
  }),
  'aten.hardtanh_backward': pointwise('grad_output self', (o, c, grad, x) => {
    const below = o.compare('le', x!, c.get('min_val') as bigint)
    const outside = o.op('bitwise_or.Tensor', below, o.compare('ge', x!, c.get('max_val') as bigint))
    return o.where(outside, 0, grad!)
  }),
  'aten.hardswish_backward': pointwise('grad_output self', (o, _c, grad, x) => {
    const low = o.compare('le', x!, -3n)
    const middle = o.compare('lt', x!, 3n)
    const slope = o.mul(grad!, o.add(o.div(x!, 3n), 0.5))
    return o.where(low, 0, o.where(middle, slope, grad!))
  }),
  'aten.log_sigmoid_backward': pointwise('grad_output self buffer', (o, _c, grad, x, buffer) => {
    const negative = o.compare('lt', x!, 0n)
    const largest = o.where(negative, 1n, 0n)
    const sign = o.where(negative, 1n, -1n)
    const z = numel(buffer!) > 0 ? buffer! : o.unary('exp', o.unary('neg', o.unary('abs', x!)))
    const quotient = o.div(z, o.add(z, 1n))
    return o.mul(grad!, o.sub(largest, o.mul(sign, quotient)))
  }),
  'aten.mse_loss_backward': pointwise('grad_output self target', (o, c, grad, x, target) =>
    o.mul(o.mul(o.sub(x!, target!), perElement(c, x!, 2)), grad!),
  ),
  'aten.smooth_l1_loss_backward': pointwise('grad_output self target', (o, c, grad, x, target) => {
    const [difference, beta] = [o.sub(x!, target!), c.number('beta')!]
    const size = o.unary('abs', difference)
    const scaled = o.mul(grad!, perElement(c, x!, 1))
    const small = o.compare('lt', size, beta)
    const inner = o.div(o.mul(scaled, difference), beta)
    return o.where(small, inner, o.mul(scaled, o.unary('sign', difference)))
  }),
  'aten.huber_loss_backward': pointwise('grad_output self target', (o, c, grad, x, target) => {
    const [difference, delta, norm] = [o.sub(x!, target!), c.number('delta')!, perElement(c, x!, 1)]
    const low = o.compare('lt', difference, -delta)
    const left = o.mul(o.mul(grad!, -norm), delta)
    const high = o.compare('gt', difference, delta)
    const right = o.mul(o.mul(grad!, norm), delta)
    return o.where(low, left, o.where(high, right, o.mul(o.mul(difference, norm), grad!)))
  }),
  'aten.binary_cross_entropy_backward': pointwise('grad_output self target', (o, c, grad, x, target) => {
    const top = o.mul(grad!, o.sub(x!, target!))
    const bottom = o.op('clamp.default', o.mul(x!, o.from(1n, x!)), 1e-12)
    let out = o.div(top, bottom)
    const weight = c.maybeTensor('weight')
    if (weight) out = o.mul(out, weight)
    return isMean(c) ? o.div(out, BigInt(numel(x!))) : out
  }),
  'aten.nll_loss_backward': { decomp: nllBackward },
})
