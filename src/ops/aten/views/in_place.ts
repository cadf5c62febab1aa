/** Operators that change the shape of their argument in place. */
import type { OpDef, Rules } from '../../operator'
import { contiguousStrides } from '../../strides'

const likeView = (view: string): OpDef => ({
  meta: (c, x) => {
    ;(x as { meta: typeof x.meta }).meta = c.op(view, ...c.all()).meta
    return x
  },
})

export const rules = (): Rules => ({
  'aten.t_': likeView('aten.t.default'),
  'aten.transpose_': likeView('aten.transpose.int'),
  'aten.unsqueeze_': likeView('aten.unsqueeze.default'),
  'aten.squeeze_.default': likeView('aten.squeeze.default'),
  'aten.squeeze_.dim': likeView('aten.squeeze.dim'),
  'aten.squeeze_.dims': likeView('aten.squeeze.dims'),
  'aten.as_strided_': likeView('aten.as_strided.default'),
  'aten.resize_': {
    meta: (c, x) => {
      const shape = c.dims('size')!
      ;(x as { meta: typeof x.meta }).meta = { ...x.meta, shape, stride: contiguousStrides(shape) }
      return x
    },
  },
  'aten.swapaxes_ aten.swapdims_': { implicit: (c) => c.call('aten.transpose_.default', c.all()) },
  'aten.detach_': { implicit: (c) => c.tensor('self') },
  'aten.fill_diagonal_': {
    implicit: (c, x) => {
      if (c.bool('wrap') || x.meta.shape.length !== 2) return undefined
      const size = x.meta.shape.map(Number)
      const stride = (x.meta.stride ?? []).map(Number).reduce((a, b) => a + b, 0)
      const diagonal = c.op('aten.as_strided.default', x, [BigInt(Math.min(...size))], [BigInt(stride)])
      c.call('aten.fill_.Scalar', [diagonal, c.get('fill_value')])
      return x
    },
  },
})
