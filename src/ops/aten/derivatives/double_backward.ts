/** Derivatives of backward operators, which torch.func's derivatives of derivatives ask for (FunctionsManual.cpp). */
import { unsupportedDerivative, type Derivatives } from '../../derivative'
import type { FakeTensor } from '../../fake'
import { formula } from '../../formula/formula'
import type { OpCall } from '../../op_call'

const BETA = (2 / Math.sqrt(Math.PI)) * Math.SQRT1_2 * 0.5

const ofErf = formula(
  `square = self * self
   pdf = exp(square * -0.5) * ${BETA}
   slope = pdf * 2
   slope = slope - square * pdf
   given * grad_output * slope`,
  { cpp: true },
)

/** gelu_double_backward on a call of gelu_backward. */
export function geluDoubleBackward(c: OpCall, given: FakeTensor): FakeTensor {
  if (c.get('approximate') !== 'none') throw unsupportedDerivative('gelu_backward of the tanh form')
  return ofErf(c, (name) => (name === 'given' ? given : undefined)) as FakeTensor
}

/** mse_loss_double_backward of the product with `grad_output`, for the mean in place. */
const meanSquared = (c: OpCall, given: FakeTensor): FakeTensor => {
  const twice = c.op('aten.mul.Scalar', c.op('aten.mul.Tensor', given, c.tensor('grad_output')), 2n)
  if (c.int('reduction') !== 1) return twice
  const count = c.tensor('self').meta.shape.reduce<number>((n, d) => n * Number(d), 1)
  return c.op('aten.div_.Scalar', twice, BigInt(count))
}

export const DERIVATIVES: Derivatives = {
  'aten.tanh_backward': {
    grad_output: 'tanh_backward(grad, output)',
    output: 'grad * (-2 * output * grad_output)',
  },
  'aten.sigmoid_backward': {
    grad_output: 'sigmoid_backward(grad, output)',
    output: 'grad * grad_output * (-2 * output + 1)',
  },
  'aten.threshold_backward': {
    grad_output: 'threshold_backward(grad, self, threshold)',
    self: 'zeros_like(grad)',
  },
  'aten.gelu_backward': {
    grad_output: 'gelu_backward(grad, self, approximate=approximate)',
    self: (g) => geluDoubleBackward(g.c, g.grad),
  },
  'aten._log_softmax_backward_data': {
    grad_output: 'grad - sum.dim_IntList(grad * exp(output), [dim], True)',
    output: '-sum.dim_IntList(grad_output, [dim], True) * exp(output) * grad',
  },
  'aten._softmax_backward_data': {
    grad_output: '_softmax_backward_data(grad, output, dim, input_dtype)',
    output: `first = grad_output * grad - sum.dim_IntList(output * grad_output, [dim], True) * grad
      first - grad_output * sum.dim_IntList(output * grad, [dim], True)`,
  },
  'aten.mse_loss_backward': {
    grad_output: 'mse_loss_backward(grad, self, target, reduction)',
    self: (g) => meanSquared(g.c, g.grad),
    target: (g) => g.op('neg.default', meanSquared(g.c, g.grad)),
  },
  'aten.select_backward': { grad_output: 'select.int(grad, dim, index)' },
  'aten.slice_backward': { grad_output: 'slice.Tensor(grad, dim, start, end, step)' },
}
