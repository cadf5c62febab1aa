/** Composite operators that few patterns call. */
import { dtype as dtypeArg } from '../../fx'
import { dimArg, dimArgs, itemsOf, type DispatchArg, type FakeTensor } from '../fake'
import { wrapDim } from '../op_call'
import { computationDtype, isFloatDtype } from '../promote'
import { register } from '../registry'
import { broadcastShapes } from '../strides'
import { cast, elementwise, inOpmath } from './elementwise'
import { reduced } from './loss'

register('aten.isclose', {
  implicit: (c) => {
    const [x, y] = [c.tensor('self'), c.tensor('other')]
    if (c.bool('equal_nan')) return undefined
    const equal = c.op('aten.eq.Tensor', x, y)
    const [rtol, atol] = [c.number('rtol')!, c.number('atol')!]
    if (rtol === 0 && atol === 0) return equal
    const float = (t: FakeTensor): FakeTensor => (isFloatDtype(t.meta.dtype) ? t : cast(c, t, 'float32'))
    const [a, b] = [float(x), float(y)]
    const allowed = c.op('aten.add.Scalar', c.op('aten.abs.default', c.op('aten.mul.Scalar', b, rtol)), atol)
    const apart = c.op('aten.abs.default', c.op('aten.sub.Tensor', a, b))
    const finite = c.op('aten.isfinite.default', apart)
    const near = c.op('aten.bitwise_and_.Tensor', finite, c.op('aten.le.Tensor', apart, allowed))
    return c.op('aten.bitwise_or_.Tensor', equal, near)
  },
})
register('aten.kl_div', {
  implicit: (c) => {
    const [x, y] = [c.tensor('self'), c.tensor('target')]
    if (c.bool('log_target')) {
      const apart = c.op('aten.sub.Tensor', y, x)
      return reduced(c, c.op('aten.mul.Tensor', c.op('aten.exp.default', y), apart))
    }
    const product = c.op('aten.mul.Tensor', y, x)
    return reduced(c, c.op('aten.sub.Tensor', c.op('aten.xlogy.Tensor', y, y), product))
  },
})
register('aten.vdot', { implicit: (c) => c.op('aten.dot.default', c.tensor('self'), c.tensor('other')) })
register('aten.cdist', {
  implicit: (c) =>
    c.call('aten._cdist_forward.default', [c.tensor('x1'), c.tensor('x2'), c.get('p'), c.get('compute_mode')]),
})
register('aten._cdist_forward', {
  meta: (c) => {
    const [a, b] = [c.tensor('x1').meta, c.tensor('x2').meta]
    const batch = broadcastShapes([a.shape.slice(0, -2), b.shape.slice(0, -2)])
    return c.fresh(a.dtype, [...batch, a.shape.at(-2)!, b.shape.at(-2)!], a.device)
  },
})

register('aten.igamma aten.igammac', { meta: (c) => elementwise(c, [c.tensor('self'), c.tensor('other')]) })
register('aten.special_zeta.default', {
  meta: (c) => elementwise(c, [c.tensor('self'), c.tensor('other')], 'int_to_float'),
})
register('aten.median.default aten.nanmedian.default', {
  meta: (c) => c.fresh(c.tensor('self').meta.dtype, [], c.tensor('self').meta.device),
})
register('aten.linalg_vecdot', {
  implicit: (c) => {
    const [x, y] = [c.tensor('x'), c.tensor('y')]
    if (x.meta.shape.length === 1 && y.meta.shape.length === 1) return c.op('aten.vdot.default', x, y)
    return c.op('aten.sum.dim_IntList', c.op('aten.mul.Tensor', x, y), [c.get('dim')])
  },
})
register('aten.special_ndtr', {
  implicit: (c) => {
    const x = c.tensor('self')
    const inner = c.op('aten.erf.default', c.op('aten.mul.Scalar', x, Math.SQRT1_2))
    return c.op('aten.mul.Scalar', c.op('aten.add.Scalar', inner, 1n), 0.5)
  },
})
register('aten.msort', {
  implicit: (c) => itemsOf(c.call('aten.sort.default', [c.tensor('self'), 0n]))![0],
})
register('aten.argwhere', { implicit: (c) => c.call('aten.nonzero.default', [c.tensor('self')]) })
register('aten.soft_margin_loss', {
  decomp: (c) =>
    inOpmath(c, [c.tensor('self'), c.tensor('target')], (x, target) => {
      const product = c.op('aten.mul.Tensor', c.op('aten.neg.default', x!), target!)
      return reduced(c, c.op('aten.log1p.default', c.op('aten.exp.default', product)))
    }),
})
register('aten.margin_ranking_loss', {
  implicit: (c) => {
    const sign = c.op('aten.neg.default', c.tensor('target'))
    const apart = c.op('aten.sub.Tensor', c.tensor('input1'), c.tensor('input2'))
    const loss = c.op('aten.add.Scalar', c.op('aten.mul.Tensor', sign, apart), c.get('margin'))
    return reduced(c, c.op('aten.clamp_min_.default', loss, 0n))
  },
})
register('aten.diagflat', {
  implicit: (c) => {
    const flat = c.op('aten.view.default', c.op('aten.contiguous.default', c.tensor('self')), [-1n])
    return c.op('aten.diag_embed.default', flat, c.get('offset'))
  },
})
register('aten.adaptive_avg_pool1d', {
  implicit: (c) => {
    const wide = c.op('aten.unsqueeze.default', c.tensor('self'), -2n)
    const size = c.dims('output_size')!
    return c.op('aten.squeeze.dim', c.op('aten.adaptive_avg_pool2d.default', wide, [1n, dimArg(size[0]!)]), -2n)
  },
})
register('aten.special_entr', {
  decomp: (c) =>
    inOpmath(
      c,
      [c.tensor('self')],
      (x) => {
        const isnan = c.op('aten.isnan.default', x!)
        const positive = c.op('aten.gt.Scalar', x!, 0n)
        const value = c.op('aten.mul.Tensor', c.op('aten.neg.default', x!), c.op('aten.log.default', x!))
        const rest = c.op('aten.where.Scalar', c.op('aten.eq.Scalar', x!, 0n), 0n, -Infinity)
        return c.op('aten.where.self', isnan, x!, c.op('aten.where.self', positive, value, rest))
      },
      'int_to_float',
    ),
})

register('aten.channel_shuffle', {
  implicit: (c) => {
    const x = c.tensor('self')
    const [batch, channels] = x.meta.shape
    const groups = c.int('groups')
    if (typeof channels !== 'number') return undefined
    const split = [dimArg(batch!), BigInt(groups), BigInt(channels / groups), -1n]
    const mixed = c.op('aten.permute.default', c.op('aten.view.default', x, split), [0n, 2n, 1n, 3n])
    return c.op('aten.reshape.default', c.op('aten.contiguous.default', mixed), dimArgs(x.meta.shape))
  },
})
register('aten.renorm', {
  decomp: (c) => {
    const x = c.tensor('self')
    const rank = x.meta.shape.length
    const dim = wrapDim(c.int('dim'), rank)
    const over = x.meta.shape.map((_, i) => BigInt(i)).filter((i) => Number(i) !== dim)
    const wide = computationDtype(x.meta.dtype)
    const options: Record<string, DispatchArg> = wide === x.meta.dtype ? {} : { dtype: dtypeArg(wide) }
    const norm = c.call('aten.linalg_vector_norm.default', [x, c.get('p'), over, true], options) as FakeTensor
    const large = c.op('aten.gt.Scalar', norm, c.get('maxnorm'))
    const inverse = c.op('aten.reciprocal.default', c.op('aten.add.Tensor', norm, 1e-7))
    const factor = c.op('aten.mul.Tensor', inverse, c.get('maxnorm'))
    const scale = cast(c, c.op('aten.where.ScalarOther', large, factor, 1), x.meta.dtype)
    return c.op('aten.contiguous.default', c.op('aten.mul.Tensor', x, scale))
  },
})
register('aten.alpha_dropout', {
  implicit: (c) => (c.bool('train') && c.number('p') !== 0 ? undefined : c.tensor('input')),
})
