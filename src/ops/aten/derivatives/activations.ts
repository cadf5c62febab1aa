/** Derivatives of activation functions and losses: each calls the backward operator of its function. */
import { unsupportedDerivative, type BackwardCall, type Derivatives, type Formula } from '../../derivative'
import type { DispatchArg, FakeTensor } from '../../fake'

const self = (fn: Formula): { self: Formula } => ({ self: fn })

/** `NAME_backward(grad, self, …)` with the call's arguments of these names. */
const backward =
  (name: string, ...more: string[]): Formula =>
  (g) =>
    g.op(name, g.grad, g.self, ...more.map((m) => g.c.get(m)))

/** A loss's backward operator, for its input. */
const toTarget = (name: string, ...more: string[]): { self: Formula } =>
  self((g) => g.op(name, g.grad, g.self, g.tensor('target'), ...more.map((m) => g.c.get(m))))

/** A loss's backward operator; both operands may need a gradient, with their roles exchanged. */
const pairwise = (name: string, ...more: string[]): Record<string, Formula> => ({
  ...toTarget(name, ...more),
  target: (g) => g.op(name, g.grad, g.tensor('target'), g.self, ...more.map((m) => g.c.get(m))),
})

const MEAN = 1

/** binary_cross_entropy_with_logits_backward without a positive weight. */
function logitsBackward(g: BackwardCall): FakeTensor {
  if (g.c.has('pos_weight')) throw unsupportedDerivative('binary_cross_entropy_with_logits with pos_weight')
  const target = g.tensor('target')
  let out = g.mul(g.op('sub.Tensor', g.op('sigmoid.default', g.self), target), g.grad)
  if (g.c.has('weight')) out = g.mul(out, g.tensor('weight'))
  return g.c.int('reduction', MEAN) === MEAN ? g.div(out, numel(g.self)) : out
}

const numel = (x: FakeTensor): DispatchArg => BigInt(x.meta.shape.reduce<number>((n, d) => n * Number(d), 1))

export const DERIVATIVES: Derivatives = {
  'aten.relu': self((g) => g.op('threshold_backward.default', g.grad, g.result, 0n)),
  'aten.sigmoid': self((g) => g.op('sigmoid_backward.default', g.grad, g.result)),
  'aten.tanh': self((g) => g.op('tanh_backward.default', g.grad, g.result)),
  'aten.silu': self((g) => {
    if (!g.again) return g.op('silu_backward.default', g.grad, g.self)
    const sigmoid = g.op('sigmoid.default', g.self)
    const slope = g.op('add.Scalar', g.mul(g.self, g.less(1, sigmoid)), 1)
    return g.mul(g.mul(g.grad, sigmoid), slope)
  }),
  'aten.mish': self((g) => {
    if (g.again) throw unsupportedDerivative('mish in torch.func')
    return g.op('mish_backward.default', g.grad, g.self)
  }),
  'aten.gelu': self(
    (g) =>
      g.c.call('aten.gelu_backward.default', [g.grad, g.self], { approximate: g.c.get('approximate') }) as FakeTensor,
  ),
  'aten.leaky_relu': self((g) => g.op('leaky_relu_backward.default', g.grad, g.self, g.c.get('negative_slope'), false)),
  'aten.elu': self((g) =>
    g.op('elu_backward.default', g.grad, g.c.get('alpha'), g.c.get('scale'), g.c.get('input_scale'), false, g.self),
  ),
  'aten.celu': self((g) => {
    const alpha = g.c.number('alpha')!
    return g.op('elu_backward.default', g.grad, g.c.get('alpha'), 1n, 1 / alpha, false, g.self)
  }),
  'aten.threshold': self(backward('threshold_backward.default', 'threshold')),
  'aten.softplus': self(backward('softplus_backward.default', 'beta', 'threshold')),
  'aten.hardsigmoid': self(backward('hardsigmoid_backward.default')),
  'aten.hardswish': self(backward('hardswish_backward.default')),
  'aten.hardtanh': self(backward('hardtanh_backward.default', 'min_val', 'max_val')),
  'aten.log_sigmoid_forward': self((g) => g.op('log_sigmoid_backward.default', g.grad, g.self, g.resultAt(1))),
  'aten.mse_loss': pairwise('mse_loss_backward.default', 'reduction'),
  'aten.smooth_l1_loss': pairwise('smooth_l1_loss_backward.default', 'reduction', 'beta'),
  'aten.huber_loss': pairwise('huber_loss_backward.default', 'reduction', 'delta'),
  'aten.binary_cross_entropy': toTarget('binary_cross_entropy_backward.default', 'weight', 'reduction'),
  'aten.binary_cross_entropy_with_logits': self(logitsBackward),
  'aten.nll_loss_forward': self((g) =>
    g.op(
      'nll_loss_backward.default',
      g.grad,
      g.self,
      g.tensor('target'),
      g.c.get('weight'),
      g.c.get('reduction'),
      g.c.get('ignore_index'),
      g.resultAt(1),
    ),
  ),
}
