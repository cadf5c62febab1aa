/** Views: the same storage under another shape. transpose, t and the like become permute. */
import { memoryFormat, type Dim } from '../../fx'
import { dimArg, dimArgs, itemsOf, toDim, type DispatchArg, type FakeTensor } from '../fake'
import { wrapDim, type OpCall } from '../op_call'
import { isComplexDtype, itemSize } from '../promote'
import { register, type OpDef } from '../registry'
import { listText, isContiguous, sizeRepr, stridesOf, viewedStrides, viewStrides } from '../strides'
import { addDims, floorDiv, isOne, mulDims, productOf, sameDim } from '../sym'
import { runtimeError, TorchError } from '../torch_error'
import { iota } from './factory'

/** Sizes with a -1 filled in. @throws TorchError RuntimeError when the count cannot come out */
function inferSize(size: readonly Dim[], shape: readonly Dim[]): Dim[] {
  const total = productOf(shape)
  const at = size.indexOf(-1)
  if (at !== size.lastIndexOf(-1)) throw runtimeError('only one dimension can be inferred')
  const invalid = (): TorchError => runtimeError(`shape '${listText(size)}' is invalid for input of size ${total}`)
  if (at < 0) {
    const count = productOf(size)
    if (typeof count === 'number' && typeof total === 'number' && count !== total) throw invalid()
    return [...size]
  }
  const known = productOf(size.filter((_, i) => i !== at))
  const rest = floorDiv(total, known)
  if (typeof rest === 'number' && !sameDim(mulDims(rest, known), total)) throw invalid()
  return size.map((d, i) => (i === at ? rest : d))
}

const rankOf = (t: FakeTensor): number => t.meta.shape.length
const strides = (t: FakeTensor): readonly Dim[] => stridesOf(t.meta)

register('aten.view.default', {
  meta: (c) => {
    const x = c.tensor('self')
    const shape = inferSize(c.dims('size')!, x.meta.shape)
    const exact = viewedStrides(x.meta, shape)
    const stride = exact === undefined ? viewStrides(x.meta, shape) : exact
    if (!stride)
      throw new TorchError(
        'ValueError',
        `Cannot view a tensor with shape ${sizeRepr(x.meta.shape)} and strides (${strides(x).join(', ')}) as a tensor ` +
          `with shape (${shape.join(', ')}${shape.length === 1 ? ',' : ''})!`,
      )
    return c.view(x, { shape, stride })
  },
})
register('aten.view.dtype', {
  decomp: (c) => (c.dtype() === c.tensor('self').meta.dtype ? c.op('aten.alias.default', c.tensor('self')) : undefined),
  meta: (c) => {
    const x = c.tensor('self')
    const [from, to] = [itemSize(x.meta.dtype), itemSize(c.dtype()!)]
    if (from === to) return c.view(x, { dtype: c.dtype()! })
    const last = rankOf(x) - 1
    const resize = (d: Dim): Dim => (from > to ? mulDims(d, from / to) : floorDiv(d, to / from))
    return c.view(x, {
      dtype: c.dtype()!,
      shape: x.meta.shape.map((d, i) => (i === last ? resize(d) : d)),
      stride: strides(x).map((d, i) => (i === last ? d : resize(d))),
    })
  },
})
register('aten._unsafe_view', { decomp: (c) => c.op('aten.view.default', c.tensor('self'), c.get('size')) })
register('aten._reshape_alias', { decomp: (c) => c.op('aten.view.default', c.tensor('self'), c.get('size')) })
register('aten.view_as', {
  implicit: (c) => c.op('aten.view.default', c.tensor('self'), dimArgs(c.tensor('other').meta.shape)),
})

/** reshape: a view where the strides allow it, else a contiguous copy and a view of that. */
export function reshape(c: OpCall, x: FakeTensor, size: readonly Dim[]): FakeTensor {
  const shape = inferSize(size, x.meta.shape)
  if (viewStrides(x.meta, shape)) return c.op('aten.view.default', x, dimArgs(isContiguous(x.meta) ? size : shape))
  const at = size.indexOf(-1)
  if (at >= 0 && typeof shape[at] === 'string') {
    const known = dimArg(productOf(size.filter((_, i) => i !== at)))
    c.call('operator.floordiv', [c.call('aten.sym_numel.default', [x]), known])
  }
  const copy = c.call('aten.clone.default', [x], { memory_format: memoryFormat('contiguous_format') })
  return c.op('aten.view.default', copy, dimArgs(shape))
}
register('aten.reshape', { implicit: (c) => reshape(c, c.tensor('self'), c.dims('shape')!) })
register('aten.reshape_as', {
  implicit: (c) => reshape(c, c.tensor('self'), c.tensor('other').meta.shape),
})
register('aten.flatten.using_ints', {
  implicit: (c) => {
    const x = c.tensor('self')
    const rank = rankOf(x)
    const start = wrapDim(c.int('start_dim'), rank)
    const end = wrapDim(c.int('end_dim'), rank)
    if (start > end) throw runtimeError('flatten() has invalid args: start_dim cannot come after end_dim')
    if (rank === 0) return reshape(c, x, [1])
    if (start === end) return x
    const { shape } = x.meta
    // Multiplied one by one, as C++ does, so that a node made of it has the factors in this order.
    const times = (count: DispatchArg, d: Dim): DispatchArg => c.call('operator.mul', [count, dimArg(d)])
    const count = toDim(shape.slice(start, end + 1).reduce<DispatchArg>(times, 1n))
    return reshape(c, x, [...shape.slice(0, start), count, ...shape.slice(end + 1)])
  },
})
register('aten.ravel', {
  implicit: (c) => reshape(c, c.call('aten.contiguous.default', [c.tensor('self')]) as FakeTensor, [-1]),
})
register('aten.unflatten.int', {
  implicit: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const sizes = inferSize(c.dims('sizes')!, [x.meta.shape[dim]!])
    const { shape } = x.meta
    return c.op('aten.view.default', x, dimArgs([...shape.slice(0, dim), ...sizes, ...shape.slice(dim + 1)]))
  },
})

register('aten.permute', {
  meta: (c) => {
    const x = c.tensor('self')
    const dims = c.dims('dims')!.map((d) => wrapDim(Number(d), rankOf(x)))
    if (dims.length !== rankOf(x))
      throw new TorchError(
        'ValueError',
        `Attempting to permute a tensor of rank ${rankOf(x)}, but received a permutation of length ${dims.length}!`,
      )
    if (new Set(dims).size !== dims.length) throw runtimeError('permute(): duplicate dims are not allowed.')
    return c.view(x, { shape: dims.map((d) => x.meta.shape[d]!), stride: dims.map((d) => strides(x)[d]!) })
  },
})

/** transpose as Inductor has it. */
export function transpose(c: OpCall, x: FakeTensor, dim0: number, dim1: number): FakeTensor {
  const a = wrapDim(dim0, rankOf(x))
  const b = wrapDim(dim1, rankOf(x))
  if (rankOf(x) <= 1 || a === b) return c.op('aten.alias.default', x)
  const perm = x.meta.shape.map((_, i) => BigInt(i === a ? b : i === b ? a : i))
  return c.op('aten.permute.default', x, perm)
}
register('aten.transpose.int', { decomp: (c) => transpose(c, c.tensor('self'), c.int('dim0'), c.int('dim1')) })
register('aten.swapaxes', {
  implicit: (c) => c.op('aten.transpose.int', c.tensor('self'), c.get('axis0'), c.get('axis1')),
})
register('aten.swapdims', {
  implicit: (c) => c.op('aten.transpose.int', c.tensor('self'), c.get('dim0'), c.get('dim1')),
})
register('aten.t', {
  decomp: (c) => {
    const x = c.tensor('self')
    if (rankOf(x) > 2) throw runtimeError(`t() expects a tensor with <= 2 dimensions, but self is ${rankOf(x)}D`)
    return rankOf(x) < 2 ? c.op('aten.alias.default', x) : transpose(c, x, 0, 1)
  },
})
register('aten.numpy_T', {
  implicit: (c) => {
    const x = c.tensor('self')
    return c.op(
      'aten.permute.default',
      x,
      x.meta.shape.map((_, i) => BigInt(rankOf(x) - 1 - i)),
    )
  },
})
/** A matrix, or each of a batch, turned over; a number stays as it is. */
const turned = (called: string, conjugate: boolean, batches = true): OpDef => ({
  implicit: (c) => {
    const x = c.tensor('self')
    if (rankOf(x) === 0) return x
    if (rankOf(x) === 1 || (rankOf(x) > 2 && !batches)) {
      const supported = batches ? 'matrices or batches of matrices.' : 'matrices (2-D tensors).'
      const other = batches || rankOf(x) === 1 ? '' : ' For batches of matrices, consider using tensor.mH'
      throw runtimeError(`tensor.${called} is only supported on ${supported} Got ${rankOf(x)}-D tensor.${other}`)
    }
    const out = transpose(c, x, -2, -1)
    return conjugate && isComplexDtype(x.meta.dtype) ? c.op('aten._conj.default', out) : out
  },
})
register('aten.mT', turned('mT', false))
register('aten.mH', turned('mH', true))
register('aten.adjoint', turned('adjoint()', true))
register('aten.matrix_H', turned('H', true, false))
const movedim = (c: OpCall, from: readonly number[], to: readonly number[]): FakeTensor =>
  movedimOf(c, c.tensor('self'), from, to)
const movedimOf = (c: OpCall, x: FakeTensor, from: readonly number[], to: readonly number[]): FakeTensor => {
  const rank = rankOf(x)
  if (rank === 0) return c.op('aten.alias.default', x)
  const source = from.map((d) => wrapDim(d, rank))
  const target = to.map((d) => wrapDim(d, rank))
  const rest = x.meta.shape.map((_, i) => i).filter((i) => !source.includes(i))
  const order: number[] = x.meta.shape.map((_, i) => (target.includes(i) ? source[target.indexOf(i)]! : rest.shift()!))
  return c.op('aten.permute.default', x, order.map(BigInt))
}
register('aten.movedim.int aten.moveaxis.int', {
  implicit: (c) => movedim(c, [c.int('source')], [c.int('destination')]),
})
register('aten.movedim.intlist aten.moveaxis.intlist', {
  implicit: (c) => movedim(c, c.dims('source')!.map(Number), c.dims('destination')!.map(Number)),
})

register('aten.unsqueeze', {
  meta: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x) + 1)
    const step = dim < rankOf(x) ? mulDims(x.meta.shape[dim]!, strides(x)[dim]!) : 1
    return c.view(x, {
      shape: [...x.meta.shape.slice(0, dim), 1, ...x.meta.shape.slice(dim)],
      stride: [...strides(x).slice(0, dim), step, ...strides(x).slice(dim)],
    })
  },
})
register('aten.squeeze', {
  meta: (c) => {
    const x = c.tensor('self')
    const given = c.schema.name.endsWith('.dims') ? c.dims('dim')! : c.has('dim') ? [c.dim('dim')] : null
    const dims = given?.map((d) => wrapDim(Number(d), rankOf(x)))
    const keep = x.meta.shape.map((d, i) => !(isOne(d) && (!dims || dims.includes(i))))
    return c.view(x, { shape: x.meta.shape.filter((_, i) => keep[i]), stride: strides(x).filter((_, i) => keep[i]) })
  },
})

register('aten.expand', {
  meta: (c) => {
    const x = c.tensor('self')
    const size = c.dims('size')!
    const lead = size.length - rankOf(x)
    if (lead < 0)
      throw runtimeError(
        `expand: the requested shape has too few dimensions! (${size.length} for a tensor of ${rankOf(x)} dimensions)`,
      )
    const stride: Dim[] = []
    const shape = size.map((d, i): Dim => {
      if (i < lead) {
        stride.push(0)
        return d
      }
      const have = x.meta.shape[i - lead]!
      if (d === -1 || sameDim(d, have)) {
        stride.push(strides(x)[i - lead]!)
        return have
      }
      if (!isOne(have) && typeof have === 'number')
        throw runtimeError(`expand: attempting to expand a dimension of length ${have} -> ${d}!`)
      stride.push(0)
      return d
    })
    // A new dimension of size 1 has the step of all that it leads (prims.broadcast_in_dim).
    const step = rankOf(x) === 0 ? 1 : mulDims(x.meta.shape[0]!, strides(x)[0]!)
    return c.view(x, { shape, stride: stride.map((s, i) => (i < lead && isOne(shape[i]!) ? step : s)) })
  },
})
register('aten.expand_as', {
  decomp: (c) => c.op('aten.expand.default', c.tensor('self'), dimArgs(c.tensor('other').meta.shape)),
})
register('aten.broadcast_to', { implicit: (c) => c.op('aten.expand.default', c.tensor('self'), c.get('size')) })

register('aten.as_strided', {
  meta: (c) =>
    c.view(c.tensor('self'), {
      shape: c.dims('size')!,
      stride: c.dims('stride')!,
      ...(c.has('storage_offset') ? { storageOffset: c.dim('storage_offset') } : {}),
    }),
})
register('aten.diagonal', {
  meta: (c) => {
    const x = c.tensor('self')
    const [a, b] = [wrapDim(c.int('dim1'), rankOf(x)), wrapDim(c.int('dim2'), rankOf(x))]
    const by = c.int('offset')
    const rows = by >= 0 ? x.meta.shape[a]! : addDims(x.meta.shape[a]!, by)
    const columns = by >= 0 ? addDims(x.meta.shape[b]!, -by) : x.meta.shape[b]!
    const size: Dim =
      typeof rows === 'number' && typeof columns === 'number'
        ? Math.max(Math.min(rows, columns), 0)
        : sameDim(rows, columns)
          ? rows
          : `Min(${typeof rows === 'number' ? `${rows}, ${columns}` : `${columns}, ${rows}`})`
    const rest = x.meta.shape.map((_, i) => i).filter((i) => i !== a && i !== b)
    return c.view(x, {
      shape: [...rest.map((i) => x.meta.shape[i]!), size],
      stride: [...rest.map((i) => strides(x)[i]!), addDims(strides(x)[a]!, strides(x)[b]!)],
    })
  },
})

register('aten.repeat', {
  meta: (c) => {
    const x = c.tensor('self')
    const repeats = c.dims('repeats')!
    const lead = repeats.length - rankOf(x)
    if (lead < 0)
      throw runtimeError('Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor')
    return c.fresh(
      x.meta.dtype,
      repeats.map((n, i) => mulDims(n, i < lead ? 1 : x.meta.shape[i - lead]!)),
      x.meta.device,
    )
  },
})
register('aten.tile', {
  implicit: (c) => {
    const x = c.tensor('self')
    const dims = itemsOf(c.get('dims')) ?? []
    const pad = new Array<DispatchArg>(Math.max(0, rankOf(x) - dims.length)).fill(1n)
    return c.op('aten.repeat.default', x, [...pad, ...dims])
  },
})

register('aten.flip', {
  decomp: (c) => {
    const x = c.tensor('self')
    if (rankOf(x) === 0) return c.op('aten.clone.default', x)
    return c.op(
      'prims.rev.default',
      x,
      c.dims('dims')!.map((d) => BigInt(wrapDim(Number(d), rankOf(x)))),
    )
  },
})
register('aten.fliplr', { implicit: (c) => c.op('aten.flip.default', c.tensor('self'), [1n]) })
register('aten.flipud', { implicit: (c) => c.op('aten.flip.default', c.tensor('self'), [0n]) })
register('aten.atleast_1d', {
  implicit: (c) => {
    const x = c.maybeTensor('self')
    return x && (rankOf(x) > 0 ? x : c.op('aten.reshape.default', x, [1n]))
  },
})
register('aten.atleast_2d', {
  implicit: (c) => {
    const x = c.maybeTensor('self')
    if (!x || rankOf(x) >= 2) return x ?? undefined
    return rankOf(x) === 1 ? c.op('aten.unsqueeze.default', x, 0n) : c.op('aten.reshape.default', x, [1n, 1n])
  },
})
register('aten.diag_embed', {
  decomp: (c) => {
    const x0 = c.tensor('self')
    const rank = rankOf(x0) + 1
    const [a, b] = [wrapDim(c.int('dim1'), rank), wrapDim(c.int('dim2'), rank)]
    if (a === b) throw runtimeError(`diagonal dimensions cannot be identical ${c.int('dim1')}, ${c.int('dim2')}`)
    const by = c.int('offset')
    if (by !== 0) return undefined
    const size = x0.meta.shape.at(-1)!
    const wide = c.op('aten.unsqueeze.default', x0, BigInt(Math.min(a, b)))
    const moved = movedimOf(c, wide, [rank - 1], [Math.max(a, b)])
    const rows = iota(c, size, 'int64', x0.meta.device!)
    const columns = iota(c, size, 'int64', x0.meta.device!)
    const apart = c.op('aten.unsqueeze.default', columns, -1n)
    const square = c.op('aten.eq.Tensor', rows, apart)
    const own = moved.meta.shape.map((_, i): Dim => (i === a || i === b ? size : 1))
    const hit = reshape(c, square, own)
    if (x0.meta.dtype === 'bool') return c.op('aten.logical_and.default', hit, moved)
    return c.op('aten.where.ScalarOther', hit, moved, 0n)
  },
})
