/** The backward operators of pooling, batch normalization, PReLU, GLU and embedding bags (torch/_decomp/decompositions.py). */
import { dtype } from '../../../fx'
import { dimArgs, isFake, rankOf, shapeOf, type DispatchArg, type FakeTensor } from '../../fake'
import { formula, python } from '../../formula/formula'
import { freshLike, suggestedFormat } from '../../memory_format'
import { wrapDim, type OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { computationDtype } from '../../promote'
import { productOf } from '../../sym'
import { cast } from '../elementwise/elementwise_rule'

/** A gradient with the metadata of the input. */
const likeInput: OpDef = {
  meta: (c) => freshLike(c, c.tensor('self').meta.dtype, shapeOf(c.tensor('self')), c.tensor('self')),
}

/** Each gradient is added at the position of its maximum; narrow floats accumulate as float32. */
function maxPool2dBackward(c: OpCall): FakeTensor {
  const batched = rankOf(c.tensor('self')) === 4
  const whole = (name: string): FakeTensor =>
    batched ? c.tensor(name) : c.op('aten.unsqueeze.default', c.tensor(name), 0n)
  const [x, grad, indices] = [whole('self'), whole('grad_output'), whole('indices')]
  const wide = /^b?float16$/.test(grad.meta.dtype) ? 'float32' : grad.meta.dtype
  const rows = productOf(shapeOf(x).slice(0, 2))
  const flat = (t: FakeTensor): FakeTensor =>
    c.op('aten.reshape.default', t, dimArgs([rows, productOf(shapeOf(t).slice(2))]))
  const zeros = c.call('aten.full.default', [dimArgs([rows, productOf(shapeOf(x).slice(2))]), 0n], {
    dtype: dtype(wide),
    layout: { kind: 'layout', name: 'strided' },
    device: grad.meta.device ?? null,
    pin_memory: false,
  }) as FakeTensor
  const values = flat(grad)
  const places = flat(indices)
  const sums = c.op('aten.scatter_add.default', zeros, 1n, places, cast(c, values, wide))
  const shaped = cast(c, c.op('aten.reshape.default', sums, dimArgs(shapeOf(x))), grad.meta.dtype)
  const format = { memory_format: { kind: 'memory_format', name: suggestedFormat(x.meta) } } as const
  const out = c.call('aten.contiguous.default', [shaped], format) as FakeTensor
  return batched ? out : c.op('aten.squeeze.dim', out, 0n)
}

/** `channel`: one number for each channel in the rank of the input; `norm`: one element's share of a channel. */
const batchNormBackward = python(
  `grad = wide(grad_out)
   x = wide(input)
   w = wide(weight)
   old_mean = wide(running_mean)
   old_var = wide(running_var)
   new_mean = wide(save_mean)
   new_invstd = wide(save_invstd)
   invstd = new_invstd if train else rsqrt(old_var + eps)
   mean = channel(new_mean if train else old_mean)
   total = sum.dim_IntList(grad, axes())
   dot = sum.dim_IntList(grad * (x - mean), axes())
   grad_mean = channel(total * norm())
   projection = channel(dot * norm() * (invstd * invstd))
   scale = channel(invstd) * 1.0 if w is None else channel(invstd * w)
   grad_input = (grad - (x - mean) * projection - grad_mean) * scale if train else grad * scale
   like = input if weight is None else weight
   grad_input = cast(grad_input, input.dtype)
   grad_weight = cast(dot * invstd, like.dtype) if output_mask[1] else None
   grad_input, grad_weight, cast(total, like.dtype) if output_mask[2] else None`,
  {
    wide: (c, x) => (isFake(x) ? cast(c, x, computationDtype(c.tensor('input').meta.dtype)) : null),
    channel: (c, t) => {
      let out = t as FakeTensor
      for (let axis = 0; axis < rankOf(c.tensor('input')); axis++)
        if (axis !== 1) out = c.op('aten.unsqueeze.default', out, BigInt(axis))
      return out
    },
    norm: (c) => 1 / Number(productOf(shapeOf(c.tensor('input')).filter((_, i) => i !== 1))),
    axes: (c) => shapeOf(c.tensor('input')).flatMap((_, i) => (i === 1 ? [] : [BigInt(i)])),
  },
)

const gluBackward = formula(
  `first = narrow(self, d, 0, half)
   gate = sigmoid(narrow(self, d, half, half))
   slope = (1.0 - gate) * gate * first * grad_output
   cat([gate * grad_output, slope], d)`,
  { cpp: false },
)

export const rules = (): Rules => ({
  'aten.avg_pool2d_backward aten.avg_pool3d_backward aten._adaptive_avg_pool2d_backward': likeInput,
  'aten._adaptive_avg_pool3d_backward aten.adaptive_max_pool2d_backward aten.adaptive_max_pool3d_backward': likeInput,
  'aten.max_pool3d_with_indices_backward': likeInput,
  'aten.max_pool2d_with_indices_backward': { ...likeInput, decomp: maxPool2dBackward },
  'aten.native_batch_norm_backward': { decomp: batchNormBackward },
  'aten._prelu_kernel': { decomp: python('where(self > 0, self, weight * self)') },
  'aten._prelu_kernel_backward': {
    decomp: python(
      `first = where(self > 0, grad_output, weight * grad_output)
       first, where(self > 0, 0.0, self * grad_output)`,
    ),
  },
  'aten.glu_backward': {
    decomp: (c) => {
      const x = c.tensor('self')
      const d = wrapDim(c.int('dim'), rankOf(x))
      const names: Record<string, DispatchArg> = { d: BigInt(d), half: BigInt(Number(shapeOf(x)[d]) / 2) }
      return gluBackward(c, (name) => names[name])
    },
  },
  'aten._embedding_bag_backward': {
    meta: (c, grad) => c.fresh(grad.meta.dtype, [c.dim('num_weights'), ...shapeOf(grad).slice(1)], grad.meta.device),
  },
})
