/** Joining and indexing: cat, stack, embedding, index, gather, pad. */
import { dtype as dtypeArg, type Dim } from '../../fx'
import { dimArgs, isFake, itemsOf, type DispatchArg, type FakeTensor } from '../fake'
import { commonDevice, wrapDim, type OpCall } from '../op_call'
import { elementwiseDtype } from '../promote'
import { register } from '../registry'
import { broadcastShapes, contiguousStrides, physicalOrder, sizeRepr, stridesOf } from '../strides'
import { addDims, isZero, subDims } from '../sym'
import { runtimeError } from '../torch_error'
import { cast } from './elementwise'

const empty1d = (t: FakeTensor): boolean => t.meta.shape.length === 1 && isZero(t.meta.shape[0]!)

register('aten.cat.default', {
  decomp: (c) => {
    const all = c.tensors('tensors')
    const dim = c.int('dim')
    const kept = all.filter((t) => !empty1d(t) && !(dim < t.meta.shape.length && isZero(t.meta.shape.at(dim) ?? 1)))
    if (kept.length === 1) {
      const dtype = elementwiseDtype(all)
      return dtype === kept[0]!.meta.dtype ? c.op('aten.clone.default', kept[0]!) : cast(c, kept[0]!, dtype)
    }
    if (kept.length > 1 && kept.length < all.length) return c.op('aten.cat.default', kept, c.get('dim'))
    // One tensor over and over: broadcast it instead.
    if (kept.length > 1 && kept.every((t) => t === kept[0])) {
      const x = kept[0]!
      const at = wrapDim(dim, x.meta.shape.length)
      const shape = [...x.meta.shape.slice(0, at), kept.length, ...x.meta.shape.slice(at)]
      const wide = c.op('aten.expand.default', c.op('aten.unsqueeze.default', x, BigInt(at)), dimArgs(shape))
      return c.op('aten.clone.default', c.op('aten.flatten.using_ints', wide, BigInt(at), BigInt(at + 1)))
    }
    return undefined
  },
  meta: (c) => {
    const all = c.tensors('tensors')
    const kept = all.filter((t) => !empty1d(t))
    if (kept.length === 0) throw runtimeError('torch.cat(): expected a non-empty list of Tensors')
    const first = kept[0]!
    const dim = wrapDim(c.int('dim'), first.meta.shape.length)
    const shape = [...first.meta.shape]
    for (const [n, t] of kept.slice(1).entries()) {
      if (t.meta.shape.length !== shape.length)
        throw runtimeError(
          `Number of dimensions of tensors must match.  Expected ${shape.length}-D tensors, but got ${t.meta.shape.length}-D for tensor number ${n + 1} in the list`,
        )
      for (const [i, d] of t.meta.shape.entries())
        if (i === dim) shape[i] = addDims(shape[i]!, d)
        else if (typeof d === 'number' && typeof shape[i] === 'number' && d !== shape[i])
          throw runtimeError(
            `Sizes of tensors must match except in dimension ${dim}. Expected ${shape[i]} in dimension ${i} but got ${d} for tensor number ${n + 1} in the list`,
          )
    }
    return c.fresh(elementwiseDtype(all), shape, commonDevice(all))
  },
})
register('aten.concat aten.concatenate', {
  implicit: (c) => c.call('aten.cat.default', [c.get('tensors'), c.get('dim')]),
})
register('aten.stack', {
  decomp: (c) => {
    const all = c.tensors('tensors')
    const first = all[0]
    if (!first) throw runtimeError('stack expects a non-empty TensorList')
    const rank = first.meta.shape.length
    const dim = wrapDim(c.int('dim'), rank + 1)
    const odd = all.findIndex((t) => String(t.meta.shape) !== String(first.meta.shape))
    if (odd >= 0)
      throw runtimeError(
        `stack expects each tensor to be equal size, but got ${sizeRepr(first.meta.shape)} at entry 0 and ${sizeRepr(all[odd]!.meta.shape)} at entry ${odd}`,
      )
    if (dim < rank) {
      const shape = [...first.meta.shape.slice(0, dim), all.length, ...first.meta.shape.slice(dim)]
      return c.op('aten.view.default', c.op('aten.cat.default', all, BigInt(dim)), dimArgs(shape))
    }
    return c.op(
      'aten.cat.default',
      all.map((t) => c.op('aten.unsqueeze.default', t, BigInt(dim))),
      c.get('dim'),
    )
  },
})

register('aten.embedding', {
  meta: (c) => {
    const [w, i] = [c.tensor('weight'), c.tensor('indices')]
    return c.fresh(w.meta.dtype, [...i.meta.shape, ...w.meta.shape.slice(1)], w.meta.device)
  },
})
register('aten.index.Tensor', {
  meta: (c) => {
    const x = c.tensor('self')
    const list = itemsOf(c.get('indices')) ?? []
    const at = list.map((t, i) => (isFake(t) ? i : -1)).filter((i) => i >= 0)
    const picked = broadcastShapes(list.filter(isFake).map((t) => t.meta.shape))
    const rest = x.meta.shape.filter((_, i) => !at.includes(i))
    // Indices side by side leave their dimensions in place; apart, they go first.
    const together = at.every((d, i) => i === 0 || d === at[i - 1]! + 1)
    const before = together ? (at[0] ?? 0) : 0
    const shape = [...rest.slice(0, before), ...picked, ...rest.slice(before)]
    // Laid out as self is, the picked dimensions having no step (restride_src).
    const strides = stridesOf(x.meta)
    const kept = x.meta.shape.map((_, i) => i).filter((i) => !at.includes(i))
    const steps = kept.map((i) => strides[i]!)
    const stride = [...steps.slice(0, before), ...picked.map(() => 0), ...steps.slice(before)]
    const order = x.meta.shape.some(isZero) ? [] : physicalOrder([{ ...x.meta, shape, stride }])
    const packed = contiguousStrides(order.map((i) => shape[i]!))
    const laid = order.length === 0 ? contiguousStrides(shape) : shape.map((_, i) => packed[order.indexOf(i)]!)
    return c.fresh(x.meta.dtype, shape, x.meta.device, laid)
  },
})
register('aten.index_select', {
  decomp: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dim'), x.meta.shape.length)
    const picked = c.op('aten.index.Tensor', x, [...new Array<DispatchArg>(dim).fill(null), c.tensor('index')])
    return c.op('aten.contiguous.default', picked)
  },
})
register('aten.gather', {
  meta: (c) => c.fresh(c.tensor('self').meta.dtype, c.tensor('index').meta.shape, c.tensor('self').meta.device),
})

register('aten.constant_pad_nd', {
  meta: (c) => {
    const x = c.tensor('self')
    const pad = c.dims('pad')!
    const shape = x.meta.shape.map((d, i): Dim => {
      const k = 2 * (x.meta.shape.length - 1 - i)
      return k + 1 < pad.length ? addDims(d, addDims(pad[k]!, pad[k + 1]!)) : d
    })
    return c.fresh(x.meta.dtype, shape, x.meta.device)
  },
})
register('aten.pad', {
  implicit: (c) =>
    c.string('mode') === 'constant'
      ? c.call('aten.constant_pad_nd.default', [c.tensor('self'), c.get('pad'), c.has('value') ? c.get('value') : 0])
      : padBy(c),
})
/** reflect, replicate and their like over the last one to three dimensions. */
function padBy(c: OpCall): DispatchArg | undefined {
  const kind = { reflect: 'reflection', replicate: 'replication' }[c.string('mode') ?? '']
  const pad = c.dims('pad')!
  return kind && c.call(`aten.${kind}_pad${pad.length / 2}d.default`, [c.tensor('self'), c.get('pad')])
}

register('aten.column_stack', {
  implicit: (c) => {
    const all = c.tensors('tensors').map((t) => {
      const rank = t.meta.shape.length
      return rank > 1 ? t : c.op('aten.reshape.default', t, [rank === 0 ? 1n : dimArgs(t.meta.shape)[0]!, 1n])
    })
    return c.op('aten.cat.default', all, 1n)
  },
})
register('aten.dstack', {
  implicit: (c) => {
    const all = c.tensors('tensors').map((t) => c.op('aten.atleast_3d.default', t))
    return c.op('aten.cat.default', all, 2n)
  },
})
register('aten.block_diag', {
  decomp: (c) => {
    const flat = (t: FakeTensor): FakeTensor => c.op('aten.view.default', t, [1n, t.meta.shape.length === 0 ? 1n : -1n])
    const all = c.tensors('tensors').map((t) => (t.meta.shape.length >= 2 ? t : flat(t)))
    const width = all.map((t) => t.meta.shape[1]!).reduce(addDims, 0)
    let before: Dim = 0
    const rows = all.map((t) => {
      const zeros = (columns: Dim): FakeTensor =>
        c.call('aten.zeros.default', [dimArgs([t.meta.shape[0]!, columns])], {
          dtype: dtypeArg(elementwiseDtype(all)),
          device: t.meta.device!,
        }) as FakeTensor
      const left = zeros(before)
      before = addDims(before, t.meta.shape[1]!)
      return c.op('aten.cat.default', [left, t, zeros(subDims(width, before))], 1n)
    })
    return c.op('aten.cat.default', rows)
  },
})
