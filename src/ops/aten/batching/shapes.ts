/**
 * Batching rules of views, reductions and joins: the batch dimension moves to the front, and other dimensions are counted after it.
 */
import { dimArg, dimArgs, isFake, itemsOf, rankOf, shapeOf, type DispatchArg, type FakeTensor } from '../../fake'
import { productOf } from '../../sym'
import { TorchError } from '../../torch_error'
import { unsupported, type BatchedCall, type Batching } from '../../batched_call'

type Rule = (b: BatchedCall) => DispatchArg

/** Operators on the last dimensions, which the batch dimension does not affect. */
const trailing: Rule = (b) => b.wrap(b.again({ self: b.front(b.call.tensor('self')) }))

/** Operators with one `dim`. */
const oneDim: Rule = (b) => {
  const self = b.call.tensor('self')
  if (rankOf(self) === 0) throw unsupported(`${b.target} of scalars`)
  return b.wrap(b.again({ self: b.front(self), dim: b.dim(b.call.int('dim', -1), rankOf(self)) }))
}

const shifted = (b: BatchedCall, dims: readonly number[], rank: number): bigint[] => dims.map((d) => b.dim(d, rank))

/** Operators with a list of dimensions; None and an empty list mean all dimensions. */
const manyDims: Rule = (b) => {
  const self = b.call.tensor('self')
  const given = itemsOf(b.call.get('dim'))?.map(Number) ?? (b.call.has('dim') ? [b.call.int('dim')] : [])
  return b.wrap(b.again({ self: b.front(self), dim: shifted(b, allOr(given, self), rankOf(self)) }))
}

const allOr = (dims: readonly number[], self: FakeTensor): readonly number[] => {
  if (rankOf(self) === 0) throw unsupported('reductions of scalars')
  return dims.length > 0 ? dims : shapeOf(self).map((_, i) => i)
}

/** `sum.default` reduces the dimensions of each batch element, which needs another overload. */
const total =
  (name: string): Rule =>
  (b) => {
    const self = b.call.tensor('self')
    const dims = shifted(b, allOr([], self), rankOf(self))
    return b.wrap(b.call.call(name, [b.front(self), dims], b.call.has('dtype') ? { dtype: b.call.get('dtype') } : {}))
  }

const flattened =
  (name: string): Rule =>
  (b) => {
    const self = b.call.tensor('self')
    if (rankOf(self) === 0) throw unsupported(`${b.target} of scalars`)
    const flat =
      rankOf(self) === 1
        ? b.front(self)
        : b.op('aten.reshape.default', b.front(self), dimArgs([b.size, productOf(shapeOf(self))]))
    return b.wrap(b.op(name, flat, 1n))
  }

const permute: Rule = (b) => {
  const self = b.call.tensor('self')
  const dims = b.call.dims('dims')!.map(Number)
  return b.wrap(b.op('aten.permute.default', b.front(self), [0n, ...shifted(b, dims, rankOf(self))]))
}

const transpose: Rule = (b) => {
  const self = b.call.tensor('self')
  const [first, second] = shifted(b, [b.call.int('dim0'), b.call.int('dim1')], rankOf(self)) as [bigint, bigint]
  return b.wrap(b.op('aten.transpose.int', b.front(self), first, second))
}

const view: Rule = (b) =>
  b.wrap(b.op('aten.view.default', b.front(b.call.tensor('self')), dimArgs([b.size, ...b.call.dims('size')!])))

const expand: Rule = (b) => {
  const self = b.call.tensor('self')
  const sizes = b.call.dims('size')!
  const missing = sizes.length - rankOf(self)
  const shape = [b.size, ...new Array<number>(Math.max(missing, 0)).fill(1), ...shapeOf(self)]
  const value = missing > 0 ? b.op('aten.view.default', b.front(self), dimArgs(shape)) : b.front(self)
  return b.wrap(b.op('aten.expand.default', value, dimArgs([b.size, ...sizes])))
}

const repeat: Rule = (b) => {
  const self = b.call.tensor('self')
  const repeats = b.call.dims('repeats')!
  let value = b.front(self)
  for (let i = rankOf(self); i < repeats.length; i++) value = b.op('aten.unsqueeze.default', value, 1n)
  return b.wrap(b.op('aten.repeat.default', value, dimArgs([1, ...repeats])))
}

const squeeze =
  (name: string): Rule =>
  (b) => {
    const self = b.call.tensor('self')
    const given = itemsOf(b.call.get('dim'))?.map(Number) ?? [b.call.int('dim')]
    const out = b.wrap(b.op(name, b.front(self), shifted(b, given, rankOf(self))))
    return out
  }

/** `squeeze()` reshapes to the sizes that are not 1. */
const squeezeAll: Rule = (b) => {
  const rest = shapeOf(b.call.tensor('self')).filter((d) => d !== 1)
  return b.wrap(b.op('aten.view.default', b.front(b.call.tensor('self')), dimArgs([b.size, ...rest])))
}

const unsqueeze: Rule = (b) => {
  const self = b.call.tensor('self')
  return b.wrap(b.op('aten.unsqueeze.default', b.front(self), b.dim(b.call.int('dim'), rankOf(self) + 1)))
}

const clone: Rule = (b) => {
  const self = b.call.tensor('self')
  if (b.call.memoryFormat() === 'contiguous_format') return b.wrap(b.again({ self: b.front(self) }))
  const { value, dim } = b.physical(self)
  return b.wrap(b.again({ self: value }), dim!)
}

/** A new tensor has the batch as its first dimension. */
const factory: Rule = (b) =>
  b.wrap(b.again({ self: b.front(b.call.tensor('self')), size: dimArgs([b.size, ...b.call.dims('size')!]) }))

/** Both batches come first; `other` may have none. */
const zerosOfTangent: Rule = (b) => {
  const [self, other] = [b.call.tensor('self'), b.call.tensor('other')]
  if (!b.isBatched(self)) return b.wrap(b.again({ other: b.physical(other).value }), b.physical(other).dim!)
  return b.wrap(b.again({ self: b.front(self), other: b.front(other), self_num_batch_dims: 1n }))
}

/** Expands a tensor without a batch to one with a batch. */
export const withBatch = (b: BatchedCall, t: FakeTensor): FakeTensor =>
  b.isBatched(t) ? b.front(t) : b.op('aten.expand.default', t, dimArgs([b.size, ...shapeOf(t)]))

const cat: Rule = (b) => {
  const tensors = b.call.tensors('tensors')
  const values = tensors.map((t) => withBatch(b, t))
  return b.wrap(b.op('aten.cat.default', values, b.dim(b.call.int('dim'), rankOf(tensors[0]!))))
}

const stack: Rule = (b) => {
  const tensors = b.call.tensors('tensors')
  if (!tensors.every((t) => b.isBatched(t))) throw unsupported('stack of tensors without a batch')
  const values = tensors.map((t) => {
    const { value, dim } = b.physical(t)
    return moved(b, value, dim!)
  })
  return b.wrap(b.op('aten.stack.default', values, b.dim(b.call.int('dim'), rankOf(tensors[0]!) + 1)))
}

/** movedim to the front, recorded even if it changes nothing. */
export function moved(b: BatchedCall, value: FakeTensor, dim: number): FakeTensor {
  const order = shapeOf(value).map((_, i) => i)
  order.splice(dim, 1)
  return b.op('aten.permute.default', value, dimArgs([dim, ...order]))
}

const gather: Rule = (b) => {
  const [self, index] = [b.call.tensor('self'), b.call.tensor('index')]
  if (!b.isBatched(self) || !b.isBatched(index) || rankOf(self) === 0) throw unsupported(`${b.target} of one batch`)
  return b.wrap(b.again({ self: b.front(self), dim: b.dim(b.call.int('dim'), rankOf(self)), index: b.front(index) }))
}

/** A table whose rows all elements of the batch share. */
const embedding: Rule = (b) => {
  const [weight, indices] = [b.call.tensor('weight'), b.call.tensor('indices')]
  if (b.isBatched(weight)) throw unsupported(`${b.target} with a batch of weights`)
  const { value, dim } = b.physical(indices)
  return b.wrap(b.again({ indices: value }), dim!)
}

const layerNorm: Rule = (b) => {
  if (b.isBatched(b.call.get('weight')) || b.isBatched(b.call.get('bias')))
    throw unsupported(`${b.target} with a batch of weights`)
  return b.wrap(b.again({ input: b.front(b.call.tensor('input')) }))
}

/** rms_norm_composite writes the epsilon in place. */
const rmsNorm: Rule = (b) => {
  const x = b.call.tensor('input')
  if (x.meta.dtype !== 'float32') throw unsupported(`${b.target} of ${x.meta.dtype}`)
  const sizes = b.call.dims('normalized_shape')!
  const dims = sizes.map((_, i) => dimArg(rankOf(x) - sizes.length + i))
  const mean = b.op('aten.mean.dim', b.op('aten.pow.Tensor_Scalar', x, 2n), dims, true)
  const norm = b.op('aten.rsqrt.default', b.op('aten.add_.Scalar', mean, b.call.number('eps') ?? 2 ** -23))
  const out = b.op('aten.mul.Tensor', x, norm)
  const weight = b.call.get('weight')
  return isFake(weight) ? b.op('aten.mul.Tensor', out, weight) : out
}

const refuseRandom: Rule = () => {
  throw new TorchError(
    'RuntimeError',
    "vmap: called random operation while in randomness error mode. Please either use the 'same' or 'different' randomness flags on vmap or perform the randomness operation out of vmap",
  )
}

export const BATCHING: Batching = {
  'sum.dim_IntList mean.dim nansum amax amin var.correction std.correction var_mean.correction any.dims all.dims':
    manyDims,
  'linalg_vector_norm logsumexp flip': manyDims,
  'sum.default': total('aten.sum.dim_IntList'),
  'mean.default': total('aten.mean.dim'),
  'any.default': flattened('aten.any.dim'),
  'all.default': flattened('aten.all.dim'),
  '_softmax _log_softmax softmax.int log_softmax.int cumsum cumprod topk sort.default argsort.default': oneDim,
  'max.dim min.dim prod.dim_int any.dim all.dim glu median.dim mode kthvalue cummax cummin': oneDim,
  'argmax argmin': (b) => (b.call.has('dim') ? oneDim(b) : refuse(b)),
  'select.int slice.Tensor split.Tensor split_with_sizes unbind.int chunk': oneFirst,
  permute,
  'transpose.int': transpose,
  t: (b) => (rankOf(b.call.tensor('self')) === 2 ? turned(b) : refuse(b)),
  'view _unsafe_view': view,
  expand,
  repeat,
  'squeeze.dim squeeze.dims': squeeze('aten.squeeze.dims'),
  'squeeze_.dim squeeze_.dims': squeeze('aten.squeeze_.dims'),
  'squeeze.default': squeezeAll,
  unsqueeze,
  clone,
  'tril triu': trailing,
  'new_zeros new_ones new_full new_empty': factory,
  _new_zeros_with_same_feature_meta: zerosOfTangent,
  cat,
  stack,
  gather,
  embedding,
  native_layer_norm: layerNorm,
  rms_norm: rmsNorm,
  'rand_like randn_like randint_like bernoulli native_dropout multinomial': refuseRandom,
}

/** `dim` with a default of 0. */
function oneFirst(b: BatchedCall): DispatchArg {
  const self = b.call.tensor('self')
  return b.wrap(b.again({ self: b.front(self), dim: b.dim(b.call.int('dim'), rankOf(self)) }))
}

const turned = (b: BatchedCall): DispatchArg =>
  b.wrap(b.op('aten.transpose.int', b.front(b.call.tensor('self')), 1n, 2n))

function refuse(b: BatchedCall): never {
  throw unsupported(b.target)
}
