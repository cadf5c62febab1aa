/** Derivatives of pooling, batch normalization, PReLU, GLU and resampling: each calls the backward operator of its function. */
import type { Derivatives, Formula } from '../../derivative'
import { dimArg, isFake, itemsOf, shapeOf, type FakeTensor } from '../../fake'

const self = (fn: Formula): { self: Formula } => ({ self: fn })

const WINDOW = ['kernel_size', 'stride', 'padding']

/** `NAME_backward(grad, self, …)` with the call's arguments of these names; `indices` are its second result. */
const pool = (name: string, names: readonly string[], indices = false): { self: Formula } =>
  self((g) =>
    g.op(`${name}.default`, g.grad, g.self, ...names.map((n) => g.c.get(n)), ...(indices ? [g.resultAt(1)] : [])),
  )

const average = (rank: 2 | 3): { self: Formula } =>
  pool(`avg_pool${rank}d_backward`, [...WINDOW, 'ceil_mode', 'count_include_pad', 'divisor_override'])

const largest = (rank: 2 | 3): { self: Formula } =>
  pool(`max_pool${rank}d_with_indices_backward`, [...WINDOW, 'dilation', 'ceil_mode'], true)

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
  'aten._adaptive_avg_pool2d': pool('_adaptive_avg_pool2d_backward', []),
  'aten._adaptive_avg_pool3d': pool('_adaptive_avg_pool3d_backward', []),
  'aten.max_pool2d_with_indices': largest(2),
  'aten.max_pool3d_with_indices': largest(3),
  'aten.adaptive_max_pool2d': pool('adaptive_max_pool2d_backward', [], true),
  'aten.adaptive_max_pool3d': pool('adaptive_max_pool3d_backward', [], true),
  'aten._native_batch_norm_legit aten._native_batch_norm_legit_no_training': batchNorm,
  'aten._prelu_kernel': {
    'self, weight': (g) =>
      itemsOf(
        g.c.call('aten._prelu_kernel_backward.default', [g.grad, g.self, g.tensor('weight')]),
      ) as readonly FakeTensor[],
  },
  'aten.glu': pool('glu_backward', ['dim']),
  'aten._embedding_bag': {
    weight: (g) =>
      g.op(
        '_embedding_bag_backward.default',
        g.grad,
        g.tensor('indices'),
        g.tensor('offsets'),
        ...[1, 2, 3].map((i) => g.resultAt(i)),
        dimArg(shapeOf(g.tensor('weight'))[0]!),
        ...['scale_grad_by_freq', 'mode', 'sparse', 'per_sample_weights'].map((n) => g.c.get(n)),
      ),
  },
}
