/** Derivatives of reductions, normalizations and softmax. */
import {
  inPlace,
  unsupportedDerivative,
  type BackwardCall,
  type Derivative,
  type Derivatives,
  type Formula,
} from '../../derivative'
import { dimArg, dimArgs, isFake, itemsOf, rankOf, shapeOf, type DispatchArg, type FakeTensor } from '../../fake'
import { wrapDim } from '../../op_call'
import { productOf } from '../../sym'

const self = (fn: Formula): { self: Formula } => ({ self: fn })
export const expanded = (g: BackwardCall, x: FakeTensor): FakeTensor =>
  g.op('expand.default', x, dimArgs(shapeOf(g.self)))

/** The reduced dimensions, counted from the start; all of them for None and []. */
function reduced(g: BackwardCall): number[] {
  const given = g.c.get('dim')
  const list = given === null ? [] : (itemsOf(given) ?? [given])
  const rank = rankOf(g.self)
  return list.length === 0
    ? Array.from({ length: rank }, (_, i) => i)
    : list.map((d) => wrapDim(Number(d as bigint), rank))
}

export const isWhole = (g: BackwardCall): boolean => {
  const given = g.c.get('dim')
  return given === null || itemsOf(given)?.length === 0
}

/** The gradient with the reduced dimensions put back, as sizes of 1. */
export function restored(g: BackwardCall, x: FakeTensor): FakeTensor {
  if (g.c.bool('keepdim') || rankOf(g.self) === 0) return x
  const given = itemsOf(g.c.get('dim'))
  if (given?.length === 1) return g.op('unsqueeze.default', x, given[0]!)
  return reduced(g)
    .sort((a, b) => a - b)
    .reduce((out, d) => g.op('unsqueeze.default', out, BigInt(d)), x)
}

export const count = (g: BackwardCall): DispatchArg => {
  const shape = shapeOf(g.self)
  return dimArg(productOf(isWhole(g) ? shape : reduced(g).map((d) => shape[d]!)))
}

const meanBackward: Formula = (g) => g.div(expanded(g, isWhole(g) ? g.grad : restored(g, g.grad)), count(g))

/** scale_grad_by_count: the gradient shared among the elements that equal the extremum. */
const extremum: Formula = (g) => {
  const shape = shapeOf(g.self).map((d, i) => (reduced(g).includes(i) ? 1n : dimArg(d)))
  const kept = (x: FakeTensor): FakeTensor =>
    g.c.bool('keepdim') || isWhole(g) ? x : g.op('reshape.default', x, shape)
  const mask = g.op('eq.Tensor', kept(g.result), g.self)
  const grad = kept(g.grad)
  const ties = g.op('sum.dim_IntList', mask, g.c.get('dim'), true)
  return g.mul(g.div(grad, ties), mask)
}

/** The same of one of aminmax's results. */
export function extremumAt(g: BackwardCall, result: FakeTensor, given: FakeTensor): FakeTensor {
  const shape = shapeOf(g.self).map((d, i) => (reduced(g).includes(i) ? 1n : dimArg(d)))
  const kept = (x: FakeTensor): FakeTensor => (g.c.bool('keepdim') ? x : g.op('reshape.default', x, shape))
  const grad = kept(given)
  const mask = g.op('eq.Tensor', g.self, kept(result))
  const ties = g.op('sum.dim_IntList', mask, reduced(g).map(BigInt), true)
  return g.mul(g.div(grad, ties), mask)
}

/** The gradient written at the chosen indices. */
const atIndices: Derivative = self((g) => {
  const rank = rankOf(g.self)
  if (rank === 0) return g.grad
  const keep = g.c.schema.args.every((a) => a.name !== 'keepdim') || g.c.bool('keepdim')
  const dim = g.c.get('dim') ?? -1n
  const widened = (x: FakeTensor): FakeTensor => (keep ? x : g.op('unsqueeze.default', x, dim))
  const [grad, indices] = [widened(g.grad), widened(g.resultAt(1))]
  const zeros = g.op('new_zeros.default', grad, dimArgs(shapeOf(g.self)))
  return g.op('scatter.src', zeros, dim, indices, grad)
})

const wholeExtremum = `
  equal = self == result
  unknown = isnan(self)
  mask = in_place('logical_or.default', equal, logical_and(unknown, isnan(result)))
  mask * (grad / sum(mask))`

/** @param late true to restore the gradient's dimensions after the mean is taken, as std's derivative does */
function varBackward(g: BackwardCall, grad: FakeTensor, late = false): FakeTensor {
  const given = g.c.get('correction')
  const correction = given === null ? 1 : Number(given as bigint)
  const n = count(g)
  if (typeof n !== 'bigint') throw unsupportedDerivative(`${g.c.schema.name} of a symbolic number of elements`)
  const factor = 2 / (Number(n) - correction)
  if (g.c.get('dim') === null || rankOf(g.self) === 0) {
    const centered = g.op('sub.Tensor', g.self, g.op('mean.default', g.self))
    return g.mul(g.mul(grad, factor), centered)
  }
  const widened = (): FakeTensor => (rankOf(g.self) <= 1 ? grad : restored(g, grad))
  const early = late ? null : widened()
  const centered = g.op('sub.Tensor', g.self, g.op('mean.dim', g.self, g.c.get('dim'), true))
  return g.mul(g.mul(early ?? widened(), factor), centered)
}

export function stdBackward(g: BackwardCall, grad: FakeTensor): FakeTensor {
  const variance = g.div(grad, g.mul(g.result, 2n))
  const masked = inPlace(g.c, 'masked_fill.Scalar', variance, g.op('eq.Scalar', g.result, 0n), 0n)
  return varBackward(g, masked, true)
}

/** Which of the affine operands need a gradient. */
const affine = (g: BackwardCall): boolean[] =>
  ['input', 'weight', 'bias'].map((name) => g.needs(name) && isFake(g.c.get(name)))

const layerNorm: Formula = (g) => {
  const given = [g.grad, ...['input', 'normalized_shape'].map((name) => g.c.get(name))]
  const rest = [g.resultAt(1), g.resultAt(2), g.c.get('weight'), g.c.get('bias'), affine(g)]
  return itemsOf(g.c.call('aten.native_layer_norm_backward.default', [...given, ...rest])) as (FakeTensor | null)[]
}

const groupNorm: Formula = (g) => {
  if (g.again) throw unsupportedDerivative('group_norm in torch.func')
  const given = [g.grad, g.tensor('input'), g.resultAt(1), g.resultAt(2)]
  const rest = ['weight', 'N', 'C', 'HxW', 'group'].map((name) => g.c.get(name))
  const made = g.c.call('aten.native_group_norm_backward.default', [...given, ...rest, affine(g)])
  return itemsOf(made) as (FakeTensor | null)[]
}

export const DERIVATIVES: Derivatives = {
  'aten.sum.default': 'expand(grad, sizes(self))',
  'aten.sum.dim_IntList': self((g) => expanded(g, restored(g, g.grad))),
  'aten.mean.default aten.mean.dim': self(meanBackward),
  'aten.amax aten.amin': self(extremum),
  'aten.max.dim aten.min.dim aten.sort aten.topk aten.kthvalue aten.median.dim aten.nanmedian.dim aten.mode': atIndices,
  'aten.max.default aten.min.default': wholeExtremum,
  'aten.var.correction': self((g) => varBackward(g, g.grad)),
  'aten.var_mean.correction': self((g) => {
    const [variance, mean] = [g.gradOf(0), g.gradOf(1)]
    const first = variance && varBackward(g, variance)
    if (!mean) return first
    const second = g.div(expanded(g, restored(g, mean)), count(g))
    return first ? g.op('add.Tensor', first, second) : second
  }),
  'aten.std.correction': self((g) => stdBackward(g, g.grad)),
  'aten.logsumexp': self((g) => {
    const [grad, result] = [restored(g, g.grad), restored(g, g.result)]
    return g.mul(grad, g.op('exp.default', g.op('sub.Tensor', g.self, result)))
  }),
  'aten.cumsum': self((g) => {
    const dim = g.c.get('dim')
    const grad = g.grad.meta.dtype === g.self.meta.dtype ? g.grad : null
    if (!grad) throw unsupportedDerivative('cumsum with a dtype')
    const flipped = g.op('flip.default', grad, [dim])
    return g.op('flip.default', g.op('cumsum.default', flipped, dim), [dim])
  }),
  'aten._softmax aten._safe_softmax': '_softmax_backward_data(grad, result, dim, self.dtype)',
  'aten._log_softmax': '_log_softmax_backward_data(grad, result, dim, self.dtype)',
  'aten.native_dropout': {
    input: (g) => {
      const p = g.c.number('p')!
      const scale = g.c.get('train') === false ? 1 : p === 1 ? 0 : 1 / (1 - p)
      return g.op('native_dropout_backward.default', g.grad, g.resultAt(1), scale)
    },
  },
  'aten.native_layer_norm': { 'input, weight, bias': layerNorm },
  'aten.native_group_norm': { 'input, weight, bias': groupNorm },
}
