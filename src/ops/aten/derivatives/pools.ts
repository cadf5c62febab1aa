/** Derivatives of pooling, batch normalization, PReLU, GLU and resampling: each calls the backward operator of its function. */
import type { Derivatives } from '../../derivative'
import { isFake, itemsOf, type FakeTensor } from '../../fake'

const WINDOW = 'grad, self, kernel_size, stride, padding'

const average = (rank: 2 | 3): string =>
  `avg_pool${rank}d_backward(${WINDOW}, ceil_mode, count_include_pad, divisor_override)`

/** The indices are the second result. */
const largest = (rank: 2 | 3): string =>
  `max_pool${rank}d_with_indices_backward(${WINDOW}, dilation, ceil_mode, result1)`

/** native_batch_norm_backward, which reads the running statistics where the call did. */
const batchNorm: Derivatives[string] = {
  'input, weight, bias': (g) => {
    const mask = ['input', 'weight', 'bias'].map((name) => g.needs(name) && isFake(g.c.get(name)))
    const made = itemsOf(
      g.c.call('aten.native_batch_norm_backward.default', [
        g.grad,
        ...['input', 'weight', 'running_mean', 'running_var'].map((name) => g.c.get(name)),
        g.resultAt(1),
        g.resultAt(2),
        g.c.bool('training'),
        g.c.get('eps'),
        mask,
      ]),
    )!
    return mask.map((wanted, i) => (wanted ? (made[i] as FakeTensor) : null))
  },
}

export const DERIVATIVES: Derivatives = {
  'aten.avg_pool2d': average(2),
  'aten.avg_pool3d': average(3),
  'aten._adaptive_avg_pool2d': '_adaptive_avg_pool2d_backward(grad, self)',
  'aten._adaptive_avg_pool3d': '_adaptive_avg_pool3d_backward(grad, self)',
  'aten.max_pool2d_with_indices': largest(2),
  'aten.max_pool3d_with_indices': largest(3),
  'aten.adaptive_max_pool2d': 'adaptive_max_pool2d_backward(grad, self, result1)',
  'aten.adaptive_max_pool3d': 'adaptive_max_pool3d_backward(grad, self, result1)',
  'aten._native_batch_norm_legit aten._native_batch_norm_legit_no_training': batchNorm,
  'aten._prelu_kernel': { 'self, weight': '_prelu_kernel_backward(grad, self, weight)' },
  'aten.glu': 'glu_backward(grad, self, dim)',
  'aten._embedding_bag': {
    weight: `_embedding_bag_backward(grad, indices, offsets, result1, result2, result3, sizes(weight)[0],
      scale_grad_by_freq, mode, sparse, per_sample_weights)`,
  },
}
