/** Composite operators that few patterns call. */
import { type FakeTensor } from '../fake'
import { isFloatDtype } from '../promote'
import { register } from '../registry'
import { broadcastShapes } from '../strides'
import { cast } from './elementwise'
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
