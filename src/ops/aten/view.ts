/** Views: the same storage under another shape. transpose, t and the like become permute. */
import { memoryFormat, type Dim } from '../../fx'
import { dimArg, dimArgs, itemsOf, type DispatchArg, type FakeTensor } from '../fake'
import { wrapDim, type OpCall } from '../op_call'
import { itemSize } from '../promote'
import { register } from '../registry'
import { isContiguous, listText, sizeRepr, stridesOf, viewStrides } from '../strides'
import { addDims, floorDiv, isOne, mulDims, productOf, sameDim, subDims } from '../sym'
import { runtimeError, TorchError } from '../torch_error'

/** Sizes with a -1 filled in. @throws TorchError RuntimeError when the count cannot come out */
export function inferSize(size: readonly Dim[], shape: readonly Dim[]): Dim[] {
  const total = productOf(shape)
  const at = size.indexOf(-1)
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
    const stride = viewStrides(x.meta, shape)
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
    return reshape(c, x, [...shape.slice(0, start), productOf(shape.slice(start, end + 1)), ...shape.slice(end + 1)])
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
      throw runtimeError(
        `permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired ordering of ` +
          `dimensions i.e. input.dim() = ${rankOf(x)} is not equal to len(dims) = ${dims.length}`,
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
register('aten.mT aten.adjoint', { implicit: (c) => transpose(c, c.tensor('self'), -2, -1) })
const movedim = (c: OpCall, from: readonly number[], to: readonly number[]): FakeTensor => {
  const x = c.tensor('self')
  const rank = rankOf(x)
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
    // An expanded leading dimension of size 1 keeps a whole step.
    return c.view(x, {
      shape,
      stride: stride.map((s, i) => (i < lead && isOne(shape[i]!) ? leadStep(shape, stride, i) : s)),
    })
  },
})
const leadStep = (shape: readonly Dim[], stride: readonly Dim[], i: number): Dim =>
  i + 1 < shape.length ? mulDims(shape[i + 1]!, stride[i + 1]!) : 1
register('aten.expand_as', {
  decomp: (c) => c.op('aten.expand.default', c.tensor('self'), dimArgs(c.tensor('other').meta.shape)),
})
register('aten.broadcast_to', { implicit: (c) => c.op('aten.expand.default', c.tensor('self'), c.get('size')) })

register('aten.select.int', {
  meta: (c) => {
    const x = c.tensor('self')
    if (rankOf(x) === 0) throw new TorchError('IndexError', 'select() cannot be applied to a 0-dim tensor.')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const size = x.meta.shape[dim]!
    const index = c.dim('index')
    if (typeof size === 'number' && typeof index === 'number' && (index >= size || index < -size))
      throw new TorchError(
        'IndexError',
        `select(): index ${index} out of range for tensor of size ${listText(x.meta.shape)} at dimension ${dim}`,
      )
    return c.view(x, {
      shape: x.meta.shape.filter((_, i) => i !== dim),
      stride: strides(x).filter((_, i) => i !== dim),
      storageOffset: offset(x, dim, typeof index === 'number' && index < 0 ? addDims(size, index) : index),
    })
  },
})
const offset = (x: FakeTensor, dim: number, by: Dim): Dim =>
  addDims(x.meta.storageOffset ?? 0, mulDims(strides(x)[dim]!, by))

/** `x[start:end:step]` along one dimension, clamped as Python does. */
function sliced(c: OpCall, x: FakeTensor, dim: number, start: Dim | null, end: Dim | null, step: Dim): FakeTensor {
  const size = x.meta.shape[dim]!
  const clamp = (v: Dim): Dim => {
    if (typeof v === 'number' && typeof size === 'number') return Math.min(Math.max(v < 0 ? v + size : v, 0), size)
    if (typeof v === 'number' && v < 0) return addDims(size, v)
    // A number past a symbolic size can only be "to the end".
    return typeof v === 'number' && v > 2 ** 53 ? size : v
  }
  const from = clamp(start ?? 0)
  let to = clamp(end ?? size)
  if (typeof from === 'number' && typeof to === 'number' && to < from) to = from
  const count = subDims(to, from)
  const shape = x.meta.shape.map((d, i) =>
    i === dim ? (step === 1 ? count : floorDiv(addDims(count, subDims(step, 1)), step)) : d,
  )
  const stride = strides(x).map((d, i) => (i === dim ? mulDims(d, step) : d))
  return c.view(x, { shape, stride, storageOffset: offset(x, dim, from) })
}
register('aten.slice.Tensor', {
  meta: (c) => {
    const x = c.tensor('self')
    if (rankOf(x) === 0) throw runtimeError('slice() cannot be applied to a 0-dim tensor.')
    const step = c.dim('step')
    if (typeof step === 'number' && step <= 0) throw runtimeError('slice step must be positive')
    const edge = (name: string): Dim | null => (c.has(name) ? c.dim(name) : null)
    return sliced(c, x, wrapDim(c.int('dim'), rankOf(x)), edge('start'), edge('end'), step)
  },
})
register('aten.narrow', {
  implicit: (c) => {
    const x = c.tensor('self')
    const [start, length] = [c.dim('start'), c.dim('length')]
    const size = x.meta.shape[wrapDim(c.int('dim'), rankOf(x))]!
    const from = typeof start === 'number' && start < 0 ? addDims(start, size) : start
    if (typeof from === 'number' && typeof length === 'number' && typeof size === 'number' && from + length > size)
      throw runtimeError(`start (${from}) + length (${length}) exceeds dimension size (${size}).`)
    return c.op('aten.slice.Tensor', x, c.get('dim'), dimArg(from), dimArg(addDims(from, length)))
  },
})

function pieces(c: OpCall, x: FakeTensor, dim: number, sizes: readonly Dim[]): DispatchArg {
  let at: Dim = 0
  return sizes.map((size) => {
    const from = at
    at = addDims(at, size)
    const shape = x.meta.shape.map((d, i) => (i === dim ? size : d))
    return c.view(x, { shape, stride: strides(x), storageOffset: offset(x, dim, from) })
  })
}
register('aten.split.Tensor', {
  meta: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const size = x.meta.shape[dim]!
    const each = c.dim('split_size')
    const whole = floorDiv(size, each)
    if (typeof whole !== 'number')
      throw new TorchError(
        'NotImplementedError',
        `Fusescope cannot split a symbolic size ${size} into pieces of ${each}`,
      )
    const sizes: Dim[] = new Array<Dim>(whole).fill(each)
    const rest = subDims(size, mulDims(each, whole))
    if (rest !== 0 || sizes.length === 0) sizes.push(rest)
    return pieces(c, x, dim, sizes)
  },
})
register('aten.split_with_sizes', {
  meta: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const sizes = c.dims('split_sizes')!
    const sum = sizes.reduce(addDims, 0)
    const size = x.meta.shape[dim]!
    if (typeof sum === 'number' && typeof size === 'number' && sum !== size)
      throw new TorchError('ValueError', `Split sizes add up to ${sum} but got the tensor's size of ${size}`)
    return pieces(c, x, dim, sizes)
  },
})
register('aten.split.sizes', {
  implicit: (c) => c.call('aten.split_with_sizes.default', [c.tensor('self'), c.get('split_size'), c.get('dim')]),
})
register('aten.chunk', {
  implicit: (c) => {
    const x = c.tensor('self')
    const size = x.meta.shape[wrapDim(c.int('dim'), rankOf(x))]!
    const chunks = c.int('chunks')
    const each = floorDiv(addDims(size, chunks - 1), chunks)
    return c.call('aten.split.Tensor', [
      x,
      dimArg(typeof size === 'string' ? exactly(size, chunks, each) : each),
      c.get('dim'),
    ])
  },
})
/** A symbolic size that the count divides splits evenly. */
const exactly = (size: Dim, chunks: number, rounded: Dim): Dim => {
  const each = floorDiv(size, chunks)
  return sameDim(mulDims(each, chunks), size) ? each : rounded
}
register('aten.unbind.int', {
  meta: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), rankOf(x))
    const size = x.meta.shape[dim]!
    if (typeof size !== 'number') throw runtimeError(`Cannot unbind the symbolic size ${size}`)
    return Array.from({ length: size }, (_, i) =>
      c.view(x, {
        shape: x.meta.shape.filter((_d, j) => j !== dim),
        stride: strides(x).filter((_d, j) => j !== dim),
        storageOffset: offset(x, dim, i),
      }),
    )
  },
})

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
    const [m, n] = [Number(x.meta.shape[a]), Number(x.meta.shape[b])]
    const size = Math.max(by >= 0 ? Math.min(m, n - by) : Math.min(m + by, n), 0)
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
    return c.op(
      'prims.rev.default',
      x,
      c.dims('dims')!.map((d) => BigInt(wrapDim(Number(d), rankOf(x)))),
    )
  },
})
