/** Normalizations, taken apart as torch._refs and torch._decomp do. */
import type { DispatchArg, FakeTensor } from '../fake'
import { itemsOf } from '../fake'
import type { OpCall } from '../op_call'
import { computationDtype } from '../promote'
import { register } from '../registry'
import { listText } from '../strides'
import { sameDims } from '../sym'
import { runtimeError } from '../torch_error'
import { cast } from './elementwise'

/** The trailing dimensions that are normalized over. */
function normalizedDims(c: OpCall, x: FakeTensor): bigint[] {
  const shape = c.dims('normalized_shape')!
  const rank = x.meta.shape.length
  const tail = x.meta.shape.slice(rank - shape.length)
  if (shape.length > rank || !sameDims(tail, shape))
    throw runtimeError(
      `Given normalized_shape=${listText(shape)}, expected input with shape [*, ${shape.join(', ')}], but got input of size ${listText(x.meta.shape)}`,
    )
  return shape.map((_, i) => BigInt(rank - shape.length + i))
}

register('aten.layer_norm', {
  implicit: (c) => {
    const out = c.call('aten.native_layer_norm.default', [
      c.tensor('input'),
      c.get('normalized_shape'),
      c.get('weight'),
      c.get('bias'),
      c.get('eps'),
    ])
    return itemsOf(out)![0]
  },
})
register('aten.native_layer_norm', {
  decomp: (c) => {
    const x0 = c.tensor('input')
    const dims = normalizedDims(c, x0)
    const x = cast(c, x0, computationDtype(x0.meta.dtype))
    const [variance, mean] = itemsOf(c.call('aten.var_mean.correction', [x, dims], { correction: 0n, keepdim: true }))!
    const rstd = c.op('aten.rsqrt.default', c.op('aten.add.Tensor', variance!, c.get('eps')))
    let out = c.op('aten.mul.Tensor', c.op('aten.sub.Tensor', x, mean!), rstd)
    if (c.has('weight')) out = c.op('aten.mul.Tensor', out, c.tensor('weight'))
    if (c.has('bias')) out = c.op('aten.add.Tensor', out, c.tensor('bias'))
    return { kind: 'tuple', items: [cast(c, out, x0.meta.dtype), mean as DispatchArg, rstd] }
  },
})

/** torch.finfo(dtype).eps */
const EPS: Readonly<Record<string, number>> = {
  float64: 2 ** -52,
  float32: 2 ** -23,
  float16: 2 ** -10,
  bfloat16: 2 ** -7,
}

register('aten.rms_norm', {
  implicit: (c) => {
    const x0 = c.tensor('input')
    const dims = normalizedDims(c, x0)
    const wide = computationDtype(x0.meta.dtype)
    // The kernel holds eps in the type it computes in.
    const eps = c.has('eps') ? (wide === 'float32' ? Math.fround(c.number('eps')!) : c.number('eps')!) : EPS[wide]!
    const x = cast(c, x0, wide)
    const mean = c.op('aten.mean.dim', c.op('aten.pow.Tensor_Scalar', x, 2n), dims, true)
    const rstd = c.op('aten.rsqrt.default', c.op('aten.add_.Scalar', mean, eps))
    let out = c.op('aten.mul.Tensor', x, rstd)
    if (c.has('weight')) out = c.op('aten.mul.Tensor', out, c.tensor('weight'))
    return cast(c, out, x0.meta.dtype)
  },
})
