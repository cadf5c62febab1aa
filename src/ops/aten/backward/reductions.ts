/** Decompositions of the backward operators of softmax, normalizations, dropout, views and attention. */
import type { DType } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, itemsOf, rankOf, shapeOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { computationDtype, elementwiseDtype } from '../../promote'
import { productOf } from '../../sym'
import { cast, elementwise } from '../elementwise/elementwise_rule'
import { contiguousStrides } from '../../strides'

const mul = (c: OpCall, a: FakeTensor, b: FakeTensor | number | bigint | DispatchArg): FakeTensor =>
  c.op('aten.mul.Tensor', a, b)
const sub = (c: OpCall, a: FakeTensor, b: FakeTensor): FakeTensor => c.op('aten.sub.Tensor', a, b)
const contiguous = (c: OpCall, x: FakeTensor): FakeTensor => c.op('aten.contiguous.default', x)

function softmaxBackward(c: OpCall): FakeTensor {
  const result = elementwiseDtype([c.tensor('grad_output'), c.tensor('output')])
  const wide = computationDtype(result)
  const [grad, output] = [cast(c, c.tensor('grad_output'), wide), cast(c, c.tensor('output'), wide)]
  const product = mul(c, grad, output)
  const sum = c.op('aten.sum.dim_IntList', product, [c.get('dim')], true)
  const out = c.op('prims.fma.default', c.op('aten.neg.default', output), sum, product)
  const input = (c.get('input_dtype') as DType).name
  return cast(c, contiguous(c, grad.meta.dtype === input ? out : cast(c, out, input)), result)
}

function logSoftmaxBackward(c: OpCall): FakeTensor {
  const wide = computationDtype(c.tensor('grad_output').meta.dtype)
  const [grad, output] = [cast(c, c.tensor('grad_output'), wide), cast(c, c.tensor('output'), wide)]
  const probabilities = c.op('aten.exp.default', output)
  const sum = c.op('aten.sum.dim_IntList', grad, [c.get('dim')], true)
  const out = sub(c, grad, mul(c, probabilities, sum))
  return cast(c, out, (c.get('input_dtype') as DType).name)
}

/** x with sizes of 1 at the end, up to a rank. */
const toRank = (c: OpCall, x: FakeTensor, rank: number): FakeTensor => {
  let out = x
  for (let i = rankOf(x); i < rank; i++) out = c.op('aten.unsqueeze.default', out, -1n)
  return out
}

function layerNormBackward(c: OpCall): DispatchArg {
  const input = c.tensor('input')
  const wide = computationDtype(input.meta.dtype)
  const widened = (name: string): FakeTensor | null => {
    const x = c.maybeTensor(name)
    return x && cast(c, contiguous(c, x), wide)
  }
  const [grad, x, weight, bias] = ['grad_out', 'input', 'weight', 'bias'].map(widened)
  const rank = rankOf(input)
  const axis = rank - itemsOf(c.get('normalized_shape'))!.length
  const dims = Array.from({ length: rank }, (_, i) => BigInt(i))
  const [outer, inner] = [dims.slice(0, axis), dims.slice(axis)]
  const n = dimArg(productOf(shapeOf(input).slice(axis)))
  const [mean, rstd] = [toRank(c, c.tensor('mean'), rank), toRank(c, c.tensor('rstd'), rank)]
  const normalized = mul(c, sub(c, x!, mean), rstd)
  const gradNormalized = weight ? mul(c, grad!, weight) : grad!
  const a = mul(c, gradNormalized, n)
  const b = c.op('aten.sum.dim_IntList', gradNormalized, inner, true)
  const product = mul(c, gradNormalized, normalized)
  const projected = mul(c, normalized, c.op('aten.sum.dim_IntList', product, inner, true))
  const difference = sub(c, sub(c, a, b), projected)
  const mask = itemsOf(c.get('output_mask'))!
  const summed = (t: FakeTensor): FakeTensor =>
    outer.length > 0 ? c.op('aten.sum.dim_IntList', t, outer, false) : c.op('aten.clone.default', t)
  const gradInput = mask[0] ? mul(c, c.op('aten.div.Tensor', rstd, n), difference) : null
  const gradWeight =
    mask[1] && weight ? (outer.length > 0 ? summed(mul(c, grad!, normalized)) : mul(c, grad!, normalized)) : null
  const gradBias = mask[2] && bias ? summed(grad!) : null
  const narrow = (t: FakeTensor | null, like: DispatchArg): FakeTensor | null =>
    t && cast(c, t, (like as FakeTensor).meta.dtype)
  return {
    kind: 'tuple',
    items: [narrow(gradInput, input), narrow(gradWeight, c.get('weight')), narrow(gradBias, c.get('bias'))],
  }
}

function groupNormBackward(c: OpCall): DispatchArg {
  const original = c.tensor('input')
  const wide = computationDtype(original.meta.dtype)
  const widen = (name: string): FakeTensor => cast(c, c.tensor(name), wide)
  const [grad, input, mean, rstd] = ['grad_out', 'input', 'mean', 'rstd'].map(widen) as FakeTensor[]
  const gamma = c.has('weight') ? widen('weight') : null
  const [n, channels, size, groups] = ['N', 'C', 'HxW', 'group'].map((k) => c.get(k) as bigint) as bigint[]
  const perGroup = channels! / groups!
  const reshape = (x: FakeTensor, ...shape: bigint[]): FakeTensor => c.op('aten.reshape.default', x, shape)
  const sum = (x: FakeTensor, dim: bigint): FakeTensor => c.op('aten.sum.dim_IntList', x, [dim])
  const unsqueeze = (x: FakeTensor, dim: bigint): FakeTensor => c.op('aten.unsqueeze.default', x, dim)
  const neg = (x: FakeTensor): FakeTensor => c.op('aten.neg.default', x)
  const ds = sum(reshape(mul(c, grad!, input!), n!, channels!, size!), 2n)
  const db = sum(reshape(grad!, n!, channels!, size!), 2n)
  const mask = itemsOf(c.get('output_mask'))!
  const items: (FakeTensor | null)[] = [null, null, null]
  if (mask[0]) {
    const scale = 1 / Number(size! * perGroup)
    const grouped = (x: FakeTensor): FakeTensor =>
      sum(reshape(gamma ? mul(c, x, unsqueeze(gamma, 0n)) : x, n!, groups!, perGroup), 2n)
    const [dsSum, dbSum] = [grouped(ds), grouped(db)]
    const rstdColumn = unsqueeze(rstd!, -1n)
    const factor = gamma
      ? reshape(gamma, 1n, groups!, perGroup)
      : (c.call('aten.ones.default', [[1n, groups!, perGroup]], { device: rstd!.meta.device! }) as FakeTensor)
    const c1 = mul(c, rstdColumn, factor)
    const centered = c.op('aten.addcmul.default', neg(dsSum), dbSum, mean!)
    const c2 = mul(c, mul(c, mul(c, mul(c, centered, rstd!), rstd!), rstd!), scale)
    const c3 = sub(c, mul(c, neg(c2), mean!), mul(c, mul(c, dbSum, rstd!), scale))
    const wide4 = (x: FakeTensor): FakeTensor => reshape(x, n!, groups!, perGroup, size!)
    const [w1, w2, w3] = [unsqueeze(c1, -1n), toRank(c, c2, 4), toRank(c, c3, 4)]
    const first = c.op('aten.add.Tensor', mul(c, wide4(grad!), w1), mul(c, wide4(input!), w2))
    items[0] = c.op('aten.reshape.default', c.op('aten.add.Tensor', first, w3), dimArgs(shapeOf(input!)))
  }
  if (mask[1]) {
    const parts = (x: FakeTensor): FakeTensor => reshape(x, n!, groups!, perGroup)
    const centered = sub(c, parts(ds), mul(c, parts(db), unsqueeze(mean!, -1n)))
    items[1] = reshape(c.op('aten.sum.dim_IntList', mul(c, centered, unsqueeze(rstd!, -1n)), [0n]), channels!)
  }
  if (mask[2]) items[2] = c.op('aten.sum.dim_IntList', db, [0n])
  return { kind: 'tuple', items: items.map((x) => x && cast(c, x, original.meta.dtype)) }
}

function embeddingBackward(c: OpCall): FakeTensor | undefined {
  if (c.bool('scale_grad_by_freq')) return undefined
  const given = c.tensor('grad_output')
  const grad = cast(c, given, computationDtype(given.meta.dtype))
  const indices = cast(c, c.tensor('indices'), 'int64')
  const rows = c.get('num_weights')
  const both = (a: FakeTensor, b: FakeTensor): FakeTensor => c.op('aten.bitwise_and.Tensor', a, b)
  const valid = both(c.op('aten.ge.Scalar', indices, 0n), c.op('aten.lt.Scalar', indices, rows))
  const kept = both(valid, c.op('aten.ne.Scalar', indices, c.get('padding_idx')))
  const mask = toRank(c, kept, rankOf(grad))
  const shape = [rows, ...dimArgs(shapeOf(grad).slice(rankOf(indices)))]
  const zeros = c.op('aten.new_zeros.default', grad, shape)
  const out = c.op('aten._unsafe_masked_index_put_accumulate.default', zeros, mask, [indices], grad)
  return cast(c, out, given.meta.dtype)
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'prims.fma': { meta: (c) => elementwise(c, c.all()) },
  'aten._softmax_backward_data': { decomp: softmaxBackward },
  'aten._log_softmax_backward_data': { decomp: logSoftmaxBackward },
  'aten.native_layer_norm_backward': { decomp: layerNormBackward },
  'aten.native_group_norm_backward': { decomp: groupNormBackward },
  'aten.native_dropout_backward': {
    decomp: (c, grad) => {
      const mask = c.op('aten.type_as.default', c.tensor('mask'), grad)
      return c.op('aten.clone.default', mul(c, grad, mul(c, mask, c.get('scale'))))
    },
  },
  'aten.slice_backward': {
    decomp: (c) => {
      const zeros = c.op('aten.new_zeros.default', c.tensor('grad_output'), c.get('input_sizes'))
      const range = ['dim', 'start', 'end', 'step'].map((name) => c.get(name))
      return c.op('aten.slice_scatter.default', zeros, c.tensor('grad_output'), ...range)
    },
  },
  'aten.select_backward': {
    decomp: (c) => {
      const zeros = c.op('aten.new_zeros.default', c.tensor('grad_output'), c.get('input_sizes'))
      return c.op('aten.select_scatter.default', zeros, c.tensor('grad_output'), c.get('dim'), c.get('index'))
    },
  },
  'aten.embedding_dense_backward': { decomp: embeddingBackward, registered: 'decomp' },
  'aten._unsafe_masked_index_put_accumulate': {
    meta: (c, { meta: { dtype, shape, device, stride } }) => c.fresh(dtype, shape, device ?? null, stride ?? undefined),
  },
  'aten._scaled_dot_product_flash_attention_for_cpu_backward': {
    meta: (c) => ({
      kind: 'tuple',
      items: ['query', 'key', 'value'].map((name) => {
        const x = c.tensor(name).meta
        const [batch, heads, length, size] = x.shape as [number, number, number, number]
        const made = c.fresh(x.dtype, [batch, length, heads, size], x.device ?? null)
        const [s0, s1, s2, s3] = contiguousStrides([batch, length, heads, size]) as [number, number, number, number]
        return c.view(made, { shape: x.shape, stride: [s0, s2, s1, s3] })
      }),
    }),
  },
})
