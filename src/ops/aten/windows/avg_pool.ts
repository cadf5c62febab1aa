/** Average pooling. */
import { dimArg, dimArgs } from '../../fake'
import { freshLike, suggestedFormat } from '../../memory_format'
import type { Traits, OpDef, Rules } from '../../operator'
import { tall } from './max_pool'
import { list, pooled } from './window'

const avgPool = (rank: 2 | 3): OpDef => ({
  meta: (c) => freshLike(c, c.tensor('self').meta.dtype, pooled(c, rank), c.tensor('self')),
})

export const rules = (): Rules => ({
  'aten.avg_pool2d': avgPool(2),
  'aten.avg_pool3d': avgPool(3),
  'aten.avg_pool1d': {
    implicit: (c) => {
      const kernel = list(c, 'kernel_size', 1)
      const out = c.op(
        'aten.avg_pool2d.default',
        c.op('aten.unsqueeze.default', c.tensor('self'), -2n),
        tall(kernel, 1),
        tall(list(c, 'stride', 1, kernel), 1),
        tall(list(c, 'padding', 1), 0),
        c.bool('ceil_mode'),
        c.bool('count_include_pad'),
      )
      return c.op('aten.squeeze.dim', out, -2n)
    },
  },
  'aten.adaptive_avg_pool2d': {
    implicit: (c) => {
      const size = list(c, 'output_size', 2)
      const x = c.tensor('self')
      if (!size.every((d) => d === 1)) return c.op('aten._adaptive_avg_pool2d.default', x, dimArgs(size))
      const mean = c.op('aten.mean.dim', x, [-1n, -2n], true)
      if (suggestedFormat(x.meta) !== 'channels_last') return mean
      // Marks the result as channels last, because its sizes are ambiguous.
      const [n, channels] = [mean.meta.shape[0]!, mean.meta.shape[1]!]
      const strides = dimArgs([channels, 1, channels, channels])
      return c.op('aten.as_strided_.default', mean, dimArgs([n, channels, 1, 1]), strides)
    },
  },
  'aten._adaptive_avg_pool2d': {
    meta: (c, x) => freshLike(c, x.meta.dtype, [...x.meta.shape.slice(0, -2), ...list(c, 'output_size', 2)], x),
  },
  'aten.adaptive_avg_pool3d': {
    implicit: (c) => {
      const [x, size] = [c.tensor('self'), list(c, 'output_size', 3)]
      return size.every((d) => d === 1)
        ? c.op('aten.mean.dim', x, [-1n, -2n, -3n], true)
        : c.op('aten._adaptive_avg_pool3d.default', x, dimArgs(size))
    },
  },
  'aten._adaptive_avg_pool3d': {
    meta: (c, x) => c.fresh(x.meta.dtype, [...x.meta.shape.slice(0, -3), ...list(c, 'output_size', 3)], x.meta.device),
  },
  'aten.adaptive_avg_pool1d': {
    implicit: (c) => {
      const wide = c.op('aten.unsqueeze.default', c.tensor('self'), -2n)
      const size = c.dims('output_size')!
      return c.op('aten.squeeze.dim', c.op('aten.adaptive_avg_pool2d.default', wide, [1n, dimArg(size[0]!)]), -2n)
    },
  },
})

export const TRAITS: Traits = {
  reduction: 'avg_pool2d _adaptive_avg_pool2d adaptive_avg_pool2d',
}
