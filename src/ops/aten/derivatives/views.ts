/** Derivatives of views, joins and reads at indices. */
import { dtype, type Dim } from '../../../fx'
import type { BackwardCall, Derivatives, Formula } from '../../derivative'
import { dimArg, dimArgs, itemsOf, rankOf, shapeOf, type DispatchArg, type FakeTensor } from '../../fake'
import { wrapDim } from '../../op_call'
import { sumTo } from '../../sum_to'
import { addDims } from '../../sym'

const self = (fn: Formula): { self: Formula } => ({ self: fn })
const sizes = (x: FakeTensor): DispatchArg => dimArgs(shapeOf(x))
const reshaped: Formula = (g) => g.op('reshape.default', g.grad, sizes(g.self))
const dimOf = (g: BackwardCall): number => wrapDim(g.c.int('dim'), rankOf(g.self))

const zerosLike = (g: BackwardCall, shape: readonly Dim[]): FakeTensor =>
  g.op('new_zeros.default', g.grad, dimArgs(shape))

/** The gradients of all parts; zeros for an unused part. */
function parts(g: BackwardCall, shapes: readonly (readonly Dim[])[]): FakeTensor[] {
  return shapes.map((shape, i) => g.gradOf(i) ?? zerosLike(g, shape))
}

const joined: Formula = (g) => {
  const shapes = Array.from({ length: g.grads.length }, (_, i) => shapeOf(g.resultAt(i)))
  return g.op('cat.default', parts(g, shapes), BigInt(dimOf(g)))
}

/** The part of the gradient that belongs to each tensor of a cat. */
const separated: Formula = (g) => {
  const tensors = g.c.tensors('tensors')
  const rank = rankOf(g.grad)
  const dim = wrapDim(g.c.int('dim'), rank)
  let from: Dim = 0
  return tensors.map((x) => {
    const size = shapeOf(x)[dim]!
    const to: Dim = addDims(from, size)
    const part = g.op('slice.Tensor', g.grad, BigInt(dim), dimArg(from), dimArg(to))
    from = to
    return part.meta.dtype === x.meta.dtype
      ? part
      : (g.c.call('aten._to_copy.default', [part], { dtype: dtype(x.meta.dtype) }) as FakeTensor)
  })
}

/** Puts the sizes of 1 back that squeeze removed; without names, all of them. */
const unsqueezed: Formula = (g) => {
  const rank = rankOf(g.self)
  const given = g.c.get('dim')
  const named = given === null ? null : (itemsOf(given) ?? [given]).map((d) => wrapDim(Number(d as bigint), rank))
  const shape = shapeOf(g.self)
  let out = g.grad
  for (let i = 0; i < rank; i++)
    if (shape[i] === 1 && (!named || named.includes(i))) out = g.op('unsqueeze.default', out, BigInt(i))
  return out
}

/** A view written into a copy: the gradient with zeros in its place, and the view of the gradient. */
const scattered = (view: string, overload: string, ...names: string[]): Record<string, Formula> => ({
  self: (g) => {
    const zeros = g.op('zeros_like.default', g.tensor('src'))
    return g.op(`${view}_scatter.default`, g.grad, zeros, ...names.map((n) => g.c.get(n)))
  },
  src: (g) => g.op(`${view}.${overload}`, g.grad, ...names.map((n) => g.c.get(n))),
})

export const DERIVATIVES: Derivatives = {
  'aten.view.default aten._unsafe_view aten._reshape_alias': self(reshaped),
  'aten.expand': self((g) => sumTo(g.c, g.grad, shapeOf(g.self))),
  'aten.t': self((g) => g.op('t.default', g.grad)),
  'aten.transpose.int': self((g) => g.op('transpose.int', g.grad, g.c.get('dim0'), g.c.get('dim1'))),
  'aten.permute': self((g) => {
    const rank = rankOf(g.self)
    const dims = itemsOf(g.c.get('dims'))!.map((d) => wrapDim(Number(d as bigint), rank))
    return g.op(
      'permute.default',
      g.grad,
      dims.map((_, i) => BigInt(dims.indexOf(i))),
    )
  }),
  'aten.unsqueeze': self((g) => g.op('squeeze.dim', g.grad, g.c.get('dim'))),
  'aten.squeeze.default aten.squeeze.dim aten.squeeze.dims': self(unsqueezed),
  'aten.select.int': self((g) =>
    g.op('select_backward.default', g.grad, sizes(g.self), g.c.get('dim'), g.c.get('index')),
  ),
  'aten.slice.Tensor': self((g) =>
    g.op(
      'slice_backward.default',
      g.grad,
      sizes(g.self),
      g.c.get('dim'),
      g.c.get('start') ?? 0n,
      g.c.get('end') ?? 9223372036854775807n,
      g.c.get('step'),
    ),
  ),
  'aten.split.Tensor aten.split_with_sizes': self(joined),
  'aten.unbind.int': self((g) => {
    const shapes = Array.from({ length: g.grads.length }, (_, i) => shapeOf(g.resultAt(i)))
    const zeros = (shape: readonly Dim[]): FakeTensor =>
      g.op('expand.default', g.op('new_zeros.default', g.grad, []), dimArgs(shape))
    return g.op(
      'stack.default',
      shapes.map((shape, i) => g.gradOf(i) ?? zeros(shape)),
      g.c.get('dim'),
    )
  }),
  'aten.cat': { tensors: separated },
  'aten.stack': {
    tensors: (g) => {
      const dim = g.c.get('dim')
      return g.c.tensors('tensors').map((_, i) => g.op('select.int', g.grad, dim, BigInt(i)))
    },
  },
  'aten.repeat': self((g) => {
    const [rank, repeats] = [rankOf(g.self), itemsOf(g.c.get('repeats'))!]
    const extra = repeats.length - rank
    let out = g.grad
    for (let i = 0; i < extra; i++) out = g.op('sum.dim_IntList', out, [0n], false)
    const split: DispatchArg[] = []
    const summed: bigint[] = []
    for (let i = 0; i < rank; i++) {
      const n = repeats[extra + i]!
      if (n !== 1n) {
        summed.push(BigInt(split.length))
        split.push(n)
      }
      split.push(dimArg(shapeOf(g.self)[i]!))
    }
    if (summed.length === 0) return out
    return g.op('sum.dim_IntList', g.op('reshape.default', out, split), summed)
  }),
  'aten.flip': self((g) => g.op('flip.default', g.grad, g.c.get('dims'))),
  'aten.roll': self((g) => {
    const reversed = (name: string): DispatchArg[] => [...(itemsOf(g.c.get(name)) ?? [])].reverse()
    return g.op(
      'roll.default',
      g.grad,
      reversed('shifts').map((s) => -(s as bigint)),
      reversed('dims'),
    )
  }),
  'aten.tril': self((g) => g.op('tril.default', g.grad, g.c.get('diagonal'))),
  'aten.triu': self((g) => g.op('triu.default', g.grad, g.c.get('diagonal'))),
  'aten.constant_pad_nd': self((g) => {
    const pad = itemsOf(g.c.get('pad'))!.map((n) => -(n as bigint))
    return g.op('constant_pad_nd.default', g.grad, pad, 0n)
  }),
  'aten.gather': self((g) =>
    g.op('scatter_add.default', zerosLike(g, shapeOf(g.self)), g.c.get('dim'), g.tensor('index'), g.grad),
  ),
  'aten.index.Tensor': self((g) =>
    g.op('index_put.default', zerosLike(g, shapeOf(g.self)), g.c.get('indices'), g.grad, true),
  ),
  'aten._unsafe_index.Tensor': self((g) =>
    g.op('_unsafe_index_put.default', zerosLike(g, shapeOf(g.self)), g.c.get('indices'), g.grad, true),
  ),
  'aten.index_put': {
    self: (g) =>
      g.c.bool('accumulate')
        ? g.grad
        : g.op('index_put.default', g.grad, g.c.get('indices'), g.op('zeros_like.default', g.tensor('values')), false),
    values: (g) => g.op('index.Tensor', g.grad, g.c.get('indices')),
  },
  'aten.index_add': {
    self: (g) => g.grad,
    source: (g) => {
      const source = g.tensor('source')
      const taken = g.op('index_select.default', g.grad, g.c.get('dim'), g.tensor('index'))
      return g.scaled(g.op('expand_as.default', taken, source), g.c.get('alpha'))
    },
  },
  'aten.index_copy': {
    self: (g) => g.op('index_fill.int_Scalar', g.grad, g.c.get('dim'), g.tensor('index'), 0n),
    source: (g) => {
      const taken = g.op('index_select.default', g.grad, g.c.get('dim'), g.tensor('index'))
      return g.op('expand_as.default', taken, g.tensor('source'))
    },
  },
  'aten.index_fill.int_Scalar': self((g) =>
    g.op('index_fill.int_Scalar', g.grad, g.c.get('dim'), g.tensor('index'), 0n),
  ),
  'aten.slice_scatter': scattered('slice', 'Tensor', 'dim', 'start', 'end', 'step'),
  'aten.select_scatter': scattered('select', 'int', 'dim', 'index'),
  'aten.diagonal_scatter': scattered('diagonal', 'default', 'offset', 'dim1', 'dim2'),
  'aten.diag_embed': self((g) => g.op('diagonal.default', g.grad, g.c.get('offset'), g.c.get('dim1'), g.c.get('dim2'))),
  'aten.index_select': self((g) =>
    g.op('index_add.default', zerosLike(g, shapeOf(g.self)), g.c.get('dim'), g.tensor('index'), g.grad),
  ),
  'aten.embedding': {
    weight: (g) =>
      g.op(
        'embedding_dense_backward.default',
        g.grad,
        g.tensor('indices'),
        dimArg(shapeOf(g.tensor('weight'))[0]!),
        g.c.get('padding_idx'),
        g.c.get('scale_grad_by_freq'),
      ),
  },
  'aten.scatter.value': self((g) => g.op('scatter.value', g.grad, g.c.get('dim'), g.tensor('index'), 0n)),
  'aten.scatter.src': {
    self: (g) => g.op('scatter.value', g.grad, g.c.get('dim'), g.tensor('index'), 0n),
    src: (g) => g.op('gather.default', g.grad, g.c.get('dim'), g.tensor('index')),
  },
  'aten.scatter_add': {
    self: (g) => g.grad,
    src: (g) => g.op('gather.default', g.grad, g.c.get('dim'), g.tensor('index')),
  },
}
