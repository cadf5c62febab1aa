/** Derivatives of views, joins and reads at indices. */
import { dtype, type Dim } from '../../../fx'
import { unsupportedDerivative, type BackwardCall, type Derivatives, type Formula } from '../../derivative'
import { dimArg, dimArgs, itemsOf, rankOf, shapeOf, type DispatchArg, type FakeTensor } from '../../fake'
import { wrapDim } from '../../op_call'
import { sumTo } from '../../sum_to'
import { addDims } from '../../sym'

const self = (fn: Formula): { self: Formula } => ({ self: fn })
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

/** Restores the sizes of 1 that squeeze removed; without dims, all of them. */
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

/** block_diag_backward */
const blocks: Formula = (g) => {
  let [row, column] = [0, 0]
  return g.c.tensors('tensors').map((x) => {
    const shape = shapeOf(x).map(Number)
    const [height, width] = shape.length === 2 ? (shape as [number, number]) : [1, shape[0] ?? 1]
    const rows = g.op('slice.Tensor', g.grad, 0n, BigInt(row), BigInt((row += height)))
    const part = g.op('slice.Tensor', rows, 1n, BigInt(column), BigInt((column += width)))
    return shape.length === 2 ? part : g.op('view.default', part, dimArgs(shape))
  })
}

/** A view written into a copy: the gradient with zeros in its place, and the view of the gradient. */
const scattered = (view: string, overload: string, names: string): Record<string, string> => ({
  self: `${view}_scatter(grad, zeros_like(src), ${names})`,
  src: `${view}.${overload}(grad, ${names})`,
})

export const DERIVATIVES: Derivatives = {
  'aten.view.default aten._unsafe_view aten._reshape_alias': 'reshape(grad, sizes(self))',
  'aten.expand': self((g) => sumTo(g.c, g.grad, shapeOf(g.self))),
  'aten.t': 't(grad)',
  'aten.transpose.int': 'transpose.int(grad, dim0, dim1)',
  'aten.permute': self((g) => {
    const rank = rankOf(g.self)
    const dims = itemsOf(g.c.get('dims'))!.map((d) => wrapDim(Number(d as bigint), rank))
    return g.op(
      'permute.default',
      g.grad,
      dims.map((_, i) => BigInt(dims.indexOf(i))),
    )
  }),
  'aten.unsqueeze': 'squeeze.dim(grad, dim)',
  'aten.squeeze.default aten.squeeze.dim aten.squeeze.dims': self(unsqueezed),
  'aten.select.int': 'select_backward(grad, sizes(self), dim, index)',
  'aten.slice.Tensor': `
    last = 9223372036854775807 if end is None else end
    slice_backward(grad, sizes(self), dim, 0 if start is None else start, last, step)`,
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
  'aten.flip': 'flip(grad, dims)',
  'aten.block_diag': { tensors: blocks },
  'aten.trace': self((g) => {
    if (!g.c.functional) throw unsupportedDerivative('aten.trace.default in torch.func')
    const [rows, columns] = shapeOf(g.self) as [number, number]
    const zeros = zerosLike(g, [rows * columns])
    const options = { dtype: dtype('int64'), device: g.grad.meta.device! }
    const places = g.c.call('aten.arange.start_step', [0n, BigInt(rows * columns), BigInt(columns + 1)], options)
    return g.op('view.default', g.op('index_fill.int_Tensor', zeros, 0n, places, g.grad), dimArgs([rows, columns]))
  }),
  'aten.take': 'put(zeros_like(self), index, grad, True)',
  'aten.put': {
    self: 'grad if accumulate else put(grad, index, zeros_like(source), False)',
    source: 'reshape(take(grad, index), sizes(source))',
  },
  'aten.linalg_cross': {
    other: 'linalg_cross(grad, self, dim=dim)',
    self: 'linalg_cross(other, grad, dim=dim)',
  },
  'aten.channel_shuffle': self((g) =>
    g.op('channel_shuffle.default', g.grad, BigInt(Number(shapeOf(g.grad)[1]) / g.c.int('groups'))),
  ),
  'aten.col2im': 'im2col(grad, kernel_size, dilation, padding, stride)',
  'aten.im2col': self((g) => {
    const window = ['kernel_size', 'dilation', 'padding', 'stride'].map((n) => g.c.get(n))
    return g.op('col2im.default', g.grad, dimArgs(shapeOf(g.self).slice(-2)), ...window)
  }),
  'aten.unfold': 'unfold_backward(grad, sizes(self), dimension, size, step)',
  'aten.diagonal': self((g) => {
    if (!g.c.functional) throw unsupportedDerivative('diagonal in torch.func')
    const places = ['offset', 'dim1', 'dim2'].map((n) => g.c.get(n))
    return g.op('diagonal_scatter.default', zerosLike(g, shapeOf(g.self)), g.grad, ...places)
  }),
  ...Object.fromEntries(
    ['reflection', 'replication'].flatMap((kind) =>
      [1, 2, 3].map((rank) => [`aten.${kind}_pad${rank}d`, `${kind}_pad${rank}d_backward(grad, self, padding)`]),
    ),
  ),
  'aten.roll': self((g) => {
    const reversed = (name: string): DispatchArg[] => [...(itemsOf(g.c.get(name)) ?? [])].reverse()
    return g.op(
      'roll.default',
      g.grad,
      reversed('shifts').map((s) => -(s as bigint)),
      reversed('dims'),
    )
  }),
  'aten.tril': 'tril(grad, diagonal)',
  'aten.triu': 'triu(grad, diagonal)',
  'aten.constant_pad_nd': self((g) => {
    const pad = itemsOf(g.c.get('pad'))!.map((n) => -(n as bigint))
    return g.op('constant_pad_nd.default', g.grad, pad, 0n)
  }),
  'aten.gather': 'scatter_add(new_zeros(grad, sizes(self)), dim, index, grad)',
  'aten.index.Tensor': 'index_put(new_zeros(grad, sizes(self)), indices, grad, True)',
  'aten._unsafe_index.Tensor': '_unsafe_index_put(new_zeros(grad, sizes(self)), indices, grad, True)',
  'aten.index_put': {
    self: 'grad if accumulate else index_put(grad, indices, zeros_like(values), False)',
    values: 'index.Tensor(grad, indices)',
  },
  'aten.index_add': {
    self: 'grad',
    source: 'scaled(expand_as(index_select(grad, dim, index), source), alpha)',
  },
  'aten.index_copy': {
    self: 'index_fill.int_Scalar(grad, dim, index, 0)',
    source: 'expand_as(index_select(grad, dim, index), source)',
  },
  'aten.index_fill.int_Scalar': 'index_fill.int_Scalar(grad, dim, index, 0)',
  'aten.slice_scatter': scattered('slice', 'Tensor', 'dim, start, end, step'),
  'aten.select_scatter': scattered('select', 'int', 'dim, index'),
  'aten.diagonal_scatter': scattered('diagonal', 'default', 'offset, dim1, dim2'),
  'aten.diag_embed': 'diagonal(grad, offset, dim1, dim2)',
  'aten.index_select': 'index_add(new_zeros(grad, sizes(self)), dim, index, grad)',
  'aten.embedding': {
    weight: 'embedding_dense_backward(grad, indices, sizes(weight)[0], padding_idx, scale_grad_by_freq)',
  },
  'aten.scatter.value': 'scatter.value(grad, dim, index, 0)',
  'aten.scatter.src': { self: 'scatter.value(grad, dim, index, 0)', src: 'gather(grad, dim, index)' },
  'aten.scatter_add': { self: 'grad', src: 'gather(grad, dim, index)' },
}
