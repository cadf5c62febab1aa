/** Decompositions of the backward operators of softmax, normalizations, dropout, views and attention. */
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, isFake, itemsOf, rankOf, shapeOf } from '../../fake'
import type { OpCall } from '../../op_call'
import type { Rules } from '../../operator'
import { computationDtype } from '../../promote'
import { productOf } from '../../sym'
import { cast, elementwise, pointwise } from '../elementwise/elementwise_rule'
import { formula, python, type Formula, type Helpers } from '../../formula/formula'
import { suggestedFormat } from '../../memory_format'
import { contiguousStrides } from '../../strides'

const mul = (c: OpCall, a: FakeTensor, b: FakeTensor | number | bigint | DispatchArg): FakeTensor =>
  c.op('aten.mul.Tensor', a, b)
const sub = (c: OpCall, a: FakeTensor, b: FakeTensor): FakeTensor => c.op('aten.sub.Tensor', a, b)
const contiguous = (c: OpCall, x: FakeTensor): FakeTensor => c.op('aten.contiguous.default', x)

const softmaxBackward = pointwise(
  'grad_output output',
  `product = grad_output * output
   sum = sum.dim_IntList(product, [dim], True)
   out = prims.fma.default(-output, sum, product)
   contiguous(cast(out, input_dtype))`,
)

const logSoftmaxBackward = python(
  `grad = wide(grad_output)
   values = wide(output)
   probabilities = exp(values)
   total = sum.dim_IntList(grad, [dim], True)
   cast(grad - probabilities * total, input_dtype)`,
  { wide: (c, x) => cast(c, x as FakeTensor, computationDtype(c.tensor('grad_output').meta.dtype)) },
)

/** x with sizes of 1 appended, up to a rank. */
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
    // to(…, memory_format=torch.contiguous_format) returns a tensor that is not channels last, such as an expanded one, as it is.
    return x && cast(c, suggestedFormat(x.meta) === 'contiguous_format' ? x : contiguous(c, x), wide)
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

/** `group`: n × groups × channels of a group; `ds`, `db`: sums over the elements of a channel. */
const groupNormBackward = python(
  `grad = wide(grad_out)
   x = wide(input)
   mean_ = wide(mean)
   rstd_ = wide(rstd)
   gamma = wide(weight)
   ds = sum.dim_IntList(reshape(grad * x, [N, C, HxW]), [2])
   db = sum.dim_IntList(reshape(grad, [N, C, HxW]), [2])
   grad_input = of_input(grad, x, mean_, rstd_, gamma, ds, db) if output_mask[0] else None
   grad_weight = of_weight(mean_, rstd_, ds, db) if output_mask[1] else None
   grad_bias = sum.dim_IntList(db, [0]) if output_mask[2] else None
   grad_input = narrow_to(grad_input)
   grad_weight = narrow_to(grad_weight)
   grad_input, grad_weight, narrow_to(grad_bias)`,
  {
    wide: (c, x) => (isFake(x) ? cast(c, x, computationDtype(c.tensor('input').meta.dtype)) : null),
    narrow_to: (c, x) => (isFake(x) ? cast(c, x, c.tensor('input').meta.dtype) : null),
    of_input: (c, ...given) => ofGroups(OF_INPUT, ['grad', 'x', 'mean', 'rstd', 'gamma', 'ds', 'db'], c, given),
    of_weight: (c, ...given) => ofGroups(OF_WEIGHT, ['mean', 'rstd', 'ds', 'db'], c, given),
  },
)

/** A formula of named values and `each`, the number of channels of a group. */
function ofGroups(made: Formula, names: readonly string[], c: OpCall, given: readonly DispatchArg[]): DispatchArg {
  const each = (c.get('C') as bigint) / (c.get('group') as bigint)
  return made(c, (name) => (name === 'each' ? each : given[names.indexOf(name)]))
}

const SHAPES: Helpers = {
  /** The sum of a group's channels. */
  grouped: (c, x, gamma, each) => {
    const weighted = isFake(gamma) ? mul(c, x as FakeTensor, c.op('aten.unsqueeze.default', gamma, 0n)) : x!
    const split = c.op('aten.reshape.default', weighted, [c.get('N'), c.get('group'), each!])
    return c.op('aten.sum.dim_IntList', split, [2n])
  },
  to_rank: (c, x, rank) => toRank(c, x as FakeTensor, Number(rank)),
}

const OF_INPUT = formula(
  `scale = 1 / (HxW * each)
   ds_sum = grouped(ds, gamma, each)
   db_sum = grouped(db, gamma, each)
   column = unsqueeze(rstd, -1)
   factor = ones([1, group, each], device=rstd.device) if gamma is None else reshape(gamma, [1, group, each])
   c1 = column * factor
   centered = addcmul(-ds_sum, db_sum, mean)
   c2 = centered * rstd * rstd * rstd * scale
   c3 = -c2 * mean - db_sum * rstd * scale
   w1 = unsqueeze(c1, -1)
   w2 = to_rank(c2, 4)
   w3 = to_rank(c3, 4)
   by_grad = reshape(grad, [N, group, each, HxW]) * w1
   both = by_grad + reshape(x, [N, group, each, HxW]) * w2
   reshape(both + w3, sizes(x))`,
  { cpp: false, helpers: SHAPES },
)

const OF_WEIGHT = formula(
  `centered = reshape(ds, [N, group, each]) - reshape(db, [N, group, each]) * unsqueeze(mean, -1)
   reshape(sum.dim_IntList(centered * unsqueeze(rstd, -1), [0]), [C])`,
  { cpp: false },
)

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
  'aten._softmax_backward_data': softmaxBackward,
  'aten._log_softmax_backward_data': { decomp: logSoftmaxBackward },
  'aten.native_layer_norm_backward': { decomp: layerNormBackward },
  'aten.native_group_norm_backward': { decomp: groupNormBackward },
  'aten.native_dropout_backward': { decomp: python('clone(grad_output * (type_as(mask, grad_output) * scale))') },
  'aten.slice_backward': {
    decomp: python('slice_scatter(new_zeros(grad_output, input_sizes), grad_output, dim, start, end, step)'),
  },
  'aten.select_backward': {
    decomp: python('select_scatter(new_zeros(grad_output, input_sizes), grad_output, dim, index)'),
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
