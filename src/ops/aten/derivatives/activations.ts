/** Derivatives of activation functions and losses: each calls the backward operator of its function. */
import { unsupportedDerivative, type BackwardCall, type Derivatives, type Formula } from '../../derivative'
import type { DispatchArg, FakeTensor } from '../../fake'

/** A loss's backward operator; both operands may need a gradient, with their roles exchanged. */
const pairwise = (name: string, rest: string): Record<string, string> => ({
  self: `${name}(grad, self, target, ${rest})`,
  target: `${name}(grad, target, self, ${rest})`,
})

const MEAN = 1

/** binary_cross_entropy_with_logits_backward */
function logitsBackward(g: BackwardCall): FakeTensor {
  if (!g.c.functional) throw unsupportedDerivative(`${g.c.schema.name} in torch.func`)
  const target = g.tensor('target')
  const positive = g.c.has('pos_weight') ? g.mul(g.tensor('pos_weight'), target) : null
  const weight = positive && g.op('sub.Tensor', g.op('add.Scalar', positive, 1n), target)
  const sigmoid = g.op('sigmoid.default', g.self)
  let out = g.mul(g.op('sub.Tensor', weight ? g.mul(weight, sigmoid) : sigmoid, positive ?? target), g.grad)
  if (g.c.has('weight')) out = g.mul(out, g.tensor('weight'))
  return g.c.int('reduction', MEAN) === MEAN ? g.div(out, numel(g.self)) : out
}

const numel = (x: FakeTensor): DispatchArg => BigInt(x.meta.shape.reduce<number>((n, d) => n * Number(d), 1))

const silu: Formula = (g) => {
  if (!g.again) return g.op('silu_backward.default', g.grad, g.self)
  const sigmoid = g.op('sigmoid.default', g.self)
  const slope = g.op('add.Scalar', g.mul(g.self, g.less(1, sigmoid)), 1)
  return g.mul(g.mul(g.grad, sigmoid), slope)
}

const mish: Formula = (g) => {
  if (g.again) throw unsupportedDerivative('mish in torch.func')
  return g.op('mish_backward.default', g.grad, g.self)
}

/** soft_margin_loss_backward */
const softMargin: Formula = (g) => {
  const target = g.tensor('target')
  const scaled = g.mul(target, g.grad)
  const slope = g.op('sub.Tensor', g.op('sigmoid.default', g.mul(target, g.self)), 1n)
  const made = g.mul(scaled, slope)
  return g.c.int('reduction', MEAN) === MEAN ? g.op('div.Tensor', made, numel(g.self)) : made
}

export const DERIVATIVES: Derivatives = {
  'aten.relu': 'threshold_backward(grad, result, 0)',
  'aten.sigmoid': 'sigmoid_backward(grad, result)',
  'aten.tanh': 'tanh_backward(grad, result)',
  'aten.silu': { self: silu },
  'aten.mish': { self: mish },
  'aten.gelu': 'gelu_backward(grad, self, approximate=approximate)',
  'aten.leaky_relu': 'leaky_relu_backward(grad, self, negative_slope, False)',
  'aten.elu': 'elu_backward(grad, alpha, scale, input_scale, False, self)',
  'aten.celu': 'elu_backward(grad, alpha, 1, 1 / alpha, False, self)',
  'aten.threshold': 'threshold_backward(grad, self, threshold)',
  'aten.softplus': 'softplus_backward(grad, self, beta, threshold)',
  'aten.hardsigmoid': 'hardsigmoid_backward(grad, self)',
  'aten.hardswish': 'hardswish_backward(grad, self)',
  'aten.hardtanh': 'hardtanh_backward(grad, self, min_val, max_val)',
  'aten.log_sigmoid_forward': 'log_sigmoid_backward(grad, self, result1)',
  'aten.mse_loss': pairwise('mse_loss_backward', 'reduction'),
  'aten.smooth_l1_loss': pairwise('smooth_l1_loss_backward', 'reduction, beta'),
  'aten.huber_loss': pairwise('huber_loss_backward', 'reduction, delta'),
  'aten.binary_cross_entropy': 'binary_cross_entropy_backward(grad, self, target, weight, reduction)',
  'aten.binary_cross_entropy_with_logits': { self: logitsBackward },
  'aten.soft_margin_loss': { self: softMargin },
  'aten.nll_loss_forward': 'nll_loss_backward(grad, self, target, weight, reduction, ignore_index, result1)',
}
