/** Decompositions of the backward operators of activation functions and losses. */
import { rankOf, shapeOf, type FakeTensor } from '../../fake'
import { cpp, python, type Helpers } from '../../formula/formula'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { productOf } from '../../sym'
import { pointwise as decomposed } from '../elementwise/elementwise_rule'

const MEAN = 1
const isMean = (c: OpCall): boolean => c.int('reduction', MEAN) === MEAN
const numel = (x: unknown): number => Number(productOf(shapeOf(x as FakeTensor)))

const HELPERS: Helpers = {
  numel: (_c, x) => BigInt(numel(x)),
  is_mean: isMean,
  /** A factor of each element, of the mean shared among them. */
  per_element: (c, x, factor) => (isMean(c) ? Number(factor) / numel(x) : Number(factor)),
  /** A weight by class in the shape of the input: [1, classes, 1, …]. */
  by_class: (c, weight, x) => {
    const [w, channel] = [weight as FakeTensor, rankOf(x as FakeTensor) < 2 ? 0 : 1]
    const shape = shapeOf(x as FakeTensor).map((_, i) => (i === channel ? BigInt(Number(shapeOf(w)[0])) : 1n))
    return c.op('aten.reshape.default', w, shape)
  },
}

/** A rule whose tensors are computed in the opmath type. */
const pointwise = (tensors: string, body: string): OpDef => decomposed(tensors, body, 'default', HELPERS)

const BETA = Math.SQRT2 * (2 / Math.sqrt(Math.PI)) * 0.5
const ERF_BETA = (2 / Math.sqrt(Math.PI)) * Math.SQRT1_2 * 0.5

const geluTanh = decomposed(
  'grad_output self',
  `square = self * self
   cube = square * self
   tanh = tanh((self + cube * 0.044715) * ${BETA})
   left = self * 0.5
   right = tanh + 1
   left_slope = right * 0.5
   tanh_slope = 1 - tanh * tanh
   inner_slope = (square * ${3 * 0.044715} + 1) * ${BETA}
   right_slope = left * tanh_slope * inner_slope
   grad_output * (left_slope + right_slope)`,
)

const geluErf = decomposed(
  'grad_output self',
  `cdf = (erf(self * M_SQRT1_2) + 1) * 0.5
   pdf = exp(self * self * -0.5) * ${ERF_BETA}
   grad_output * (cdf + self * pdf)`,
)

const nllBackward = python(
  `channel = 0 if rank(self) < 2 else 1
   grad = grad_output / total_weight if is_mean() else grad_output
   at = unsqueeze(target, channel)
   safe = where(at != ignore_index, at, 0)
   hot = scatter.value(zeros_like(self), channel, safe, -1.0)
   grad = unsqueeze(grad, channel) if rank(hot) > rank(grad) and rank(grad) > 0 else grad
   grad = grad if weight is None else grad * by_class(weight, self)
   hot * where(at != ignore_index, grad, 0)`,
  HELPERS,
)

/** Before PyTorch had an operator of it. */
const siluBackward = cpp(
  `s = sigmoid(self)
   slope = self * (1 - s)
   grad_output * (s * (slope + 1))`,
)

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.threshold_backward': { decomp: python('where(self <= threshold, 0, grad_output)') },
  'aten.sigmoid_backward': pointwise('grad_output output', 'grad_output * (output * (1 - output))'),
  'aten.tanh_backward': pointwise('grad_output output', 'grad_output * (1 - output * output)'),
  'aten.silu_backward': {
    ...pointwise(
      'grad_output self',
      `s = sigmoid(self)
       grad_output * s * (self * (1 - s) + 1)`,
    ),
    implicit: (c) => (c.rules.siluBackward ? undefined : siluBackward(c, c.tensor('self'))),
  },
  'aten.mish_backward': pointwise(
    'grad_output self',
    `tanh = tanh(softplus(self))
     s = sigmoid(self)
     out = self * s * (1 - tanh * tanh)
     grad_output * (tanh + out)`,
  ),
  'aten.gelu_backward': {
    decomp: (c, x) => (c.string('approximate') === 'tanh' ? geluTanh : geluErf).decomp!(c, x),
  },
  'aten.leaky_relu_backward': pointwise(
    'grad_output self',
    'where(self > 0, grad_output, grad_output * float(negative_slope))',
  ),
  'aten.elu_backward': pointwise(
    'grad_output self_or_result',
    `factor = alpha * scale
     below = self_or_result <= 0
     slope = grad_output * input_scale * factor
     left = grad_output * input_scale * (self_or_result + factor) if is_result else slope * exp(self_or_result * input_scale)
     where(below, left, grad_output * scale)`,
  ),
  'aten.softplus_backward': pointwise(
    'grad_output self',
    `z = exp(self * beta)
     where(self * beta > threshold, grad_output, grad_output * z / (z + 1.0))`,
  ),
  'aten.hardsigmoid_backward': pointwise(
    'grad_output self',
    `where((self > -3.0) & (self < 3.0), grad_output * ${1 / 6}, 0.0)`,
  ),
  'aten.hardtanh_backward': pointwise(
    'grad_output self',
    'where((self <= min_val) | (self >= max_val), 0.0, grad_output)',
  ),
  'aten.hardswish_backward': pointwise(
    'grad_output self',
    `low = self <= -3
     middle = self < 3
     slope = grad_output * (self / 3 + 0.5)
     where(low, 0.0, where(middle, slope, grad_output))`,
  ),
  'aten.log_sigmoid_backward': pointwise(
    'grad_output self buffer',
    `negative = self < 0
     largest = where(negative, 1, 0)
     sign = where(negative, 1, -1)
     z = buffer if numel(buffer) > 0 else exp(-abs(self))
     quotient = z / (z + 1)
     grad_output * (largest - sign * quotient)`,
  ),
  'aten.mse_loss_backward': pointwise(
    'grad_output self target',
    '(self - target) * per_element(self, 2) * grad_output',
  ),
  'aten.smooth_l1_loss_backward': pointwise(
    'grad_output self target',
    `difference = self - target
     size = abs(difference)
     scaled = grad_output * per_element(self, 1)
     small = size < float(beta)
     inner = scaled * difference / float(beta)
     where(small, inner, scaled * sign(difference))`,
  ),
  'aten.huber_loss_backward': pointwise(
    'grad_output self target',
    `difference = self - target
     norm = per_element(self, 1)
     low = difference < -float(delta)
     left = grad_output * -norm * float(delta)
     high = difference > float(delta)
     right = grad_output * norm * float(delta)
     where(low, left, where(high, right, difference * norm * grad_output))`,
  ),
  'aten.binary_cross_entropy_backward': pointwise(
    'grad_output self target',
    `top = grad_output * (self - target)
     out = top / clamp(self * (1 - self), 1e-12)
     out = out if weight is None else out * weight
     out / numel(self) if is_mean() else out`,
  ),
  'aten.nll_loss_backward': { decomp: nllBackward },
})
