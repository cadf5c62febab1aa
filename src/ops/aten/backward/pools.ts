/** The backward operators of pooling, batch normalization, PReLU, GLU and embedding bags (torch/_decomp/decompositions.py). */
import { dtype } from '../../../fx'
import { dimArgs, itemsOf, rankOf, shapeOf, type FakeTensor } from '../../fake'
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

/** Each gradient is added where its maximum was; narrow floats accumulate as float32. */
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

function batchNormBackward(c: OpCall): { kind: 'tuple'; items: (FakeTensor | null)[] } {
  const input = c.tensor('input')
  const [shape, rank] = [shapeOf(input), rankOf(input)]
  const wide = computationDtype(input.meta.dtype)
  const widened = (name: string): FakeTensor | null => {
    const x = c.maybeTensor(name)
    return x && cast(c, x, wide)
  }
  const [grad, x, weight, runningMean, runningVar, saveMean, saveInvstd] = [
    'grad_out',
    'input',
    'weight',
    'running_mean',
    'running_var',
    'save_mean',
    'save_invstd',
  ].map(widened)
  const training = c.bool('train')
  const mul = (a: FakeTensor, b: FakeTensor | number): FakeTensor => c.op('aten.mul.Tensor', a, b)
  const sub = (a: FakeTensor, b: FakeTensor): FakeTensor => c.op('aten.sub.Tensor', a, b)
  const channel = (t: FakeTensor): FakeTensor => {
    let out = t
    for (let axis = 0; axis < rank; axis++) if (axis !== 1) out = c.op('aten.unsqueeze.default', out, BigInt(axis))
    return out
  }
  const invstd = training ? saveInvstd! : c.op('aten.rsqrt.default', c.op('aten.add.Tensor', runningVar!, c.get('eps')))
  const mean = channel(training ? saveMean! : runningMean!)
  const norm = 1 / Number(productOf(shape.filter((_, i) => i !== 1)))
  const axes = shape.flatMap((_, i) => (i === 1 ? [] : [BigInt(i)]))
  const total = c.op('aten.sum.dim_IntList', grad!, axes)
  const dot = c.op('aten.sum.dim_IntList', mul(grad!, sub(x!, mean)), axes)
  const gradMean = channel(mul(total, norm))
  const scaledDot = mul(dot, norm)
  const projScale = channel(mul(scaledDot, mul(invstd, invstd)))
  const scale = weight ? channel(mul(invstd, weight)) : mul(channel(invstd), 1)
  const gradInput = training ? mul(sub(sub(grad!, mul(sub(x!, mean), projScale)), gradMean), scale) : mul(grad!, scale)
  const mask = itemsOf(c.get('output_mask'))!
  const narrow = (c.maybeTensor('weight') ?? input).meta.dtype
  return {
    kind: 'tuple',
    items: [
      cast(c, gradInput, input.meta.dtype),
      mask[1] ? cast(c, mul(dot, invstd), narrow) : null,
      mask[2] ? cast(c, total, narrow) : null,
    ],
  }
}

export const rules = (): Rules => ({
  'aten.avg_pool2d_backward aten.avg_pool3d_backward aten._adaptive_avg_pool2d_backward': likeInput,
  'aten._adaptive_avg_pool3d_backward aten.adaptive_max_pool2d_backward aten.adaptive_max_pool3d_backward': likeInput,
  'aten.max_pool3d_with_indices_backward': likeInput,
  'aten.max_pool2d_with_indices_backward': { ...likeInput, decomp: maxPool2dBackward },
  'aten.native_batch_norm_backward': { decomp: batchNormBackward },
  'aten._prelu_kernel': {
    decomp: (c, x) => {
      const positive = c.op('aten.gt.Scalar', x, 0n)
      return c.op('aten.where.self', positive, x, c.op('aten.mul.Tensor', c.tensor('weight'), x))
    },
  },
  'aten._prelu_kernel_backward': {
    decomp: (c) => {
      const [grad, x, weight] = ['grad_output', 'self', 'weight'].map((n) => c.tensor(n)) as [
        FakeTensor,
        FakeTensor,
        FakeTensor,
      ]
      const first = c.op('aten.where.self', c.op('aten.gt.Scalar', x, 0n), grad, c.op('aten.mul.Tensor', weight, grad))
      const positive = c.op('aten.gt.Scalar', x, 0n)
      const second = c.op('aten.where.ScalarSelf', positive, 0, c.op('aten.mul.Tensor', x, grad))
      return { kind: 'tuple', items: [first, second] }
    },
  },
  'aten.glu_backward': {
    decomp: (c) => {
      const [grad, x] = [c.tensor('grad_output'), c.tensor('self')]
      const dim = wrapDim(c.int('dim'), rankOf(x))
      const half = Number(shapeOf(x)[dim]) / 2
      const part = (from: number): FakeTensor => c.op('aten.narrow.default', x, BigInt(dim), BigInt(from), BigInt(half))
      const [first, second] = [part(0), part(half)]
      const gate = c.op('aten.sigmoid.default', second)
      const rest = c.op('aten.mul.Tensor', c.op('aten.rsub.Scalar', gate, 1), gate)
      const slope = c.op('aten.mul.Tensor', c.op('aten.mul.Tensor', rest, first), grad)
      return c.op('aten.cat.default', [c.op('aten.mul.Tensor', gate, grad), slope], BigInt(dim))
    },
  },
  'aten._embedding_bag_backward': {
    meta: (c, grad) => c.fresh(grad.meta.dtype, [c.dim('num_weights'), ...shapeOf(grad).slice(1)], grad.meta.device),
  },
})
