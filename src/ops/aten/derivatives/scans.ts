/** Derivatives of products, scans and norms. */
import { dtype, layout } from '../../../fx'
import { inPlace, unsupportedDerivative, type BackwardCall, type Derivatives, type Formula } from '../../derivative'
import { dimArg, dimArgs, rankOf, shapeOf, type DispatchArg, type FakeTensor } from '../../fake'
import { wrapDim } from '../../op_call'
import { productOf } from '../../sym'
import { count, expanded, extremumAt, isWhole, restored, stdBackward } from './reductions'

/** Their C++ writes in place, which a joint trace does not show and torch.func's does. */
const self = (fn: Formula): { self: Formula } => ({
  self: (g) => {
    if (!g.c.functional && g.c.schema.name !== 'aten.linalg_vector_norm.default')
      throw unsupportedDerivative(`${g.c.schema.name} in torch.func`)
    return fn(g)
  },
})
const not = (g: BackwardCall, x: FakeTensor): FakeTensor => g.op('bitwise_not.default', x)
const filled = (g: BackwardCall, x: FakeTensor, mask: FakeTensor, n: number): FakeTensor =>
  g.op('masked_fill.Scalar', x, mask, n)

/** Cumulates from the end. */
function reversed(g: BackwardCall, name: string, x: FakeTensor, dim: bigint, flipped = dim): FakeTensor {
  const made = g.op(`${name}.default`, g.op('flip.default', x, [flipped]), dim)
  return g.op('flip.default', made, [flipped])
}

/** norm_backward; `grad` and `norm` have the dimensions of `x`. */
export function normBackward(
  g: BackwardCall,
  p: number,
  x: FakeTensor,
  [grad, norm]: readonly [FakeTensor, FakeTensor],
  dims: DispatchArg,
): FakeTensor | null {
  const unlessZero = (v: FakeTensor): FakeTensor =>
    inPlace(g.c, 'masked_fill.Scalar', v, g.op('eq.Scalar', norm, 0n), 0n)
  const sign = (): FakeTensor => g.op('sgn.default', x)
  const power = (n: number): FakeTensor => g.op('pow.Tensor_Scalar', g.op('abs.default', x), n)
  if (p === 0) return null
  if (p === 1) return g.mul(sign(), grad)
  if (p === 2) return g.mul(grad, unlessZero(g.div(x, norm)))
  if (!Number.isFinite(p)) {
    if (!g.c.functional) throw unsupportedDerivative(`a norm of order ${p} in torch.func`)
    const size = g.op('abs.default', x)
    const equal = g.op('eq.Tensor', size, norm)
    const mask = g.op('logical_or.default', equal, g.op('isnan.default', size))
    const shared = g.mul(g.div(grad, g.op('sum.dim_IntList', mask, dims, true)), mask)
    return g.mul(sign(), shared)
  }
  if (p < 1) throw unsupportedDerivative(`a norm of order ${p}`)
  const scaled = p < 2 ? g.mul(sign(), power(p - 1)) : g.mul(x, power(p - 2))
  return g.mul(scaled, unlessZero(g.div(grad, g.op('pow.Tensor_Scalar', norm, p - 1))))
}

/** prod_safe_zeros_backward: the product of all other elements. */
function others(g: BackwardCall, grad: FakeTensor, x: FakeTensor, at: number): FakeTensor {
  const [shape, dim] = [shapeOf(x), BigInt(at)]
  if (shape[at] === 1) return grad
  const rest = dimArg(Number(shape[at]) - 1)
  const ones = g.op('new_ones.default', grad, dimArgs(shape.map((d, i) => (i === at ? 1 : d))))
  const scan = (part: FakeTensor): FakeTensor => g.op('cumprod.default', g.op('cat.default', [ones, part], dim), dim)
  const before = scan(g.op('narrow.default', x, dim, 0n, rest))
  const after = scan(g.op('flip.default', g.op('narrow.default', x, dim, 1n, rest), [dim]))
  return g.mul(grad, g.mul(before, g.op('flip.default', after, [dim])))
}

/** cumprod_backward, which takes the first zero of each row apart. */
function cumprod(g: BackwardCall): FakeTensor {
  const shape = shapeOf(g.self)
  const at = wrapDim(g.c.int('dim'), shape.length)
  if (productOf(shape) === 1 || shape[at] === 1) return g.grad
  const dim = BigInt(at)
  const x = g.self
  const product = g.mul(g.result, g.grad)
  const zero = g.op('eq.Scalar', x, 0n)
  const none = g.op('new_zeros.default', g.grad, dimArgs(shape))
  const zeros = g.op('cumsum.default', zero, dim)
  const before = g.op('eq.Scalar', zeros, 0n)
  const early = g.div(reversed(g, 'cumsum', filled(g, product, not(g, before), 0), dim), x)
  const made = g.op('where.self', before, early, none)
  const one = g.op('eq.Scalar', zeros, 1n)
  const [, index] = (g.c.call('aten.max.dim', [one, dim, true]) as { items: readonly FakeTensor[] }).items as [
    FakeTensor,
    FakeTensor,
  ]
  const first = g.op('logical_and.default', one, zero)
  const right = g.op('bitwise_and.Tensor', one, not(g, first))
  const after = g.op('cumprod.default', filled(g, x, not(g, right), 1), dim)
  const grad = filled(g, g.grad, g.op('ne.Scalar', zeros, 1n), 0)
  const last = g.op('relu.default', g.op('sub.Scalar', index, 1n))
  const left = g.op('gather.default', g.result, dim, last)
  const leading = filled(g, left, g.op('eq.Scalar', index, 0n), 1)
  const sum = g.op('sum.dim_IntList', g.mul(after, grad), [dim], true)
  return g.op('where.self', first, g.mul(sum, leading), made)
}

/** logcumsumexp_backward: of the positive and of the negative gradients, by their logarithms. */
function logcumsumexp(g: BackwardCall): FakeTensor {
  const dim = g.c.get('dim') as bigint
  const flipped = BigInt(wrapDim(Number(dim), rankOf(g.self)))
  const options = { dtype: dtype(g.grad.meta.dtype), layout: layout('strided'), device: g.grad.meta.device! }
  const least = g.c.call('aten.scalar_tensor.default', [-3.4028234663852886e38], options) as FakeTensor
  const log = g.op('log.default', g.op('abs.default', g.grad))
  const side = (name: 'gt' | 'lt'): FakeTensor => g.op('where.self', g.op(`${name}.Scalar`, g.grad, 0n), log, least)
  const [up, down] = [side('gt'), side('lt')]
  const part = (x: FakeTensor): FakeTensor => {
    const scanned = reversed(g, 'logcumsumexp', g.op('sub.Tensor', x, g.result), dim, flipped)
    return g.op('exp.default', g.op('add.Tensor', scanned, g.self))
  }
  const first = part(up)
  return g.op('sub.Tensor', first, part(down))
}

/** scatter_reduce_backward of sums and extrema. */
const scatterReduce: Formula = (g) => {
  const [dim, index, source] = [g.c.get('dim'), g.tensor('index'), g.tensor('src')]
  const reduce = g.c.string('reduce')
  const taken = (x: FakeTensor): FakeTensor => g.op('gather.default', x, dim, index)
  if (!g.c.bool('include_self')) throw unsupportedDerivative('scatter_reduce without include_self')
  if (reduce === 'sum') return [g.needs('self') ? g.grad : null, g.needs('src') ? taken(g.grad) : null]
  if (reduce !== 'amax' && reduce !== 'amin') throw unsupportedDerivative(`scatter_reduce with ${reduce}`)
  const value = taken(g.result)
  const chosen = (x: FakeTensor, of: FakeTensor): FakeTensor => g.op('eq.Tensor', x, of)
  const asFloat = (x: FakeTensor): FakeTensor =>
    g.c.call('aten._to_copy.default', [x], { dtype: dtype(g.self.meta.dtype) }) as FakeTensor
  const own = asFloat(chosen(g.self, g.result))
  const ties = g.op('scatter_add.default', own, dim, index, asFloat(chosen(source, value)))
  const shared = g.div(g.grad, ties)
  const first = g.needs('self') ? g.mul(chosen(g.self, g.result), shared) : null
  if (!g.needs('src')) return [first, null]
  const back = taken(shared)
  return [first, g.mul(chosen(source, value), back)]
}

export const DERIVATIVES: Derivatives = {
  'aten.cumprod': self((g) => {
    if (g.grad.meta.dtype !== g.self.meta.dtype) throw unsupportedDerivative('cumprod with a dtype')
    return cumprod(g)
  }),
  'aten.logcumsumexp': self(logcumsumexp),
  'aten.cummax aten.cummin': self((g) => {
    const zeros = g.op('new_zeros.default', g.self, dimArgs(shapeOf(g.self)))
    return g.op('scatter_add.default', zeros, g.c.get('dim'), g.resultAt(1), g.grad)
  }),
  'aten.prod.default': self((g) => {
    if (rankOf(g.self) === 0) return g.grad
    const flat = g.op('view.default', g.self, [-1n])
    return g.op('view.default', others(g, g.grad, flat, 0), dimArgs(shapeOf(g.self)))
  }),
  'aten.prod.dim_int': self((g) => {
    if (rankOf(g.self) === 0) return g.grad
    const dim = wrapDim(g.c.int('dim'), rankOf(g.self))
    const grad = g.c.bool('keepdim') ? g.grad : g.op('unsqueeze.default', g.grad, BigInt(dim))
    return others(g, grad, g.self, dim)
  }),
  'aten.nansum': self((g) => {
    const numbers = g.op('logical_not.default', g.op('isnan.default', g.self))
    return g.mul(expanded(g, restored(g, g.grad)), numbers)
  }),
  'aten.std_mean.correction': self((g) => {
    const [deviation, mean] = [g.gradOf(0), g.gradOf(1)]
    const first = deviation && stdBackward(g, deviation)
    if (!mean) return first
    const second = g.div(expanded(g, restored(g, mean)), count(g))
    return first ? g.op('add.Tensor', first, second) : second
  }),
  'aten.linalg_vector_norm': self((g) => {
    const kept = (x: FakeTensor): FakeTensor => (isWhole(g) ? x : restored(g, x))
    const grad = kept(g.grad)
    return normBackward(g, g.c.number('ord') ?? 2, g.self, [grad, kept(g.result)], g.c.get('dim'))
  }),
  'aten.dist': {
    other: (g) => g.op('neg.default', distance(g)),
    self: (g) => distance(g),
  },
  'aten.aminmax': self((g) => {
    if (g.c.get('dim') === null) throw unsupportedDerivative('aminmax without dim')
    const [low, high] = [0, 1].map((i) => g.gradOf(i) && extremumAt(g, g.resultAt(i), g.gradOf(i)!))
    return low && high ? g.op('add.Tensor', low, high) : (low ?? high ?? null)
  }),
  'aten.scatter_reduce.two': { 'self, src': scatterReduce },
}

function distance(g: BackwardCall): FakeTensor {
  const p = g.c.number('p') ?? 2
  const moved = g.op('sub.Tensor', g.self, g.tensor('other'))
  return normBackward(g, p, moved, [g.grad, g.result], null) ?? g.op('zeros_like.default', moved)
}
