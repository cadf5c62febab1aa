/** Activation functions that compare with a threshold. */
import { type Dim, dtype as dtypeArg } from '../../../fx'
import { rankOf } from '../../fake'
import type { Rules } from '../../operator'
import { cppName } from '../../promote'
import { runtimeError } from '../../torch_error'
import { reshape } from '../views/reshape'
import { pointwise } from './elementwise_rule'

export const rules = (): Rules => ({
  'aten.threshold': pointwise('self', (c, x) =>
    c.op('aten.where.ScalarSelf', c.op('aten.le.Scalar', x, c.get('threshold')), c.get('value'), x),
  ),
  'aten.hardshrink': {
    decomp: (c) => {
      const x = c.tensor('self')
      const small = c.op('aten.le.Scalar', c.op('aten.abs.default', x), c.get('lambd'))
      return c.op('aten.where.ScalarSelf', small, 0n, x)
    },
  },
  'aten.softshrink': {
    decomp: (c) => {
      const x = c.tensor('self')
      const half = x.meta.dtype === 'bfloat16' || x.meta.dtype === 'float16'
      const lambda = half
        ? c.call('aten.scalar_tensor.default', [c.get('lambd')], {
            dtype: dtypeArg(x.meta.dtype),
            device: x.meta.device!,
            pin_memory: false,
          })
        : c.get('lambd')
      const far = c.op(half ? 'aten.gt.Tensor' : 'aten.gt.Scalar', c.op('aten.abs.default', x), lambda)
      const less = c.op('aten.sub.Tensor', x, c.op('aten.mul.Tensor', c.op('aten.sign.default', x), lambda))
      return c.op('aten.where.self', far, less, c.op('aten.mul.Tensor', x, 0n))
    },
  },
  'aten.prelu': {
    implicit: (c) => {
      const [x, w] = [c.tensor('self'), c.tensor('weight')]
      if (x.meta.dtype !== w.meta.dtype)
        throw runtimeError(
          `prelu: Type promoting not supported. Got ${cppName(x.meta.dtype)} and ${cppName(w.meta.dtype)}`,
        )
      const channels = rankOf(x) > 1 ? x.meta.shape[1]! : 1
      const count = w.meta.shape[0] ?? 1
      if (typeof count === 'number' && count !== 1 && typeof channels === 'number' && count !== channels)
        throw runtimeError(
          `Mismatch of parameter numbers and input channel size. Found parameter numbers = ${count} and channel size = ${channels}.`,
        )
      let weight = w
      if (rankOf(w) > 0 && rankOf(x) !== 1) {
        const shape = x.meta.shape.map((_, i): Dim => (i === 1 ? w.meta.shape[0]! : 1))
        if (rankOf(x) > 0) weight = reshape(c, w, shape)
      }
      const positive = c.op('aten.gt.Scalar', x, 0n)
      return c.op('aten.where.self', positive, x, c.op('aten.mul.Tensor', weight, x))
    },
  },
})
