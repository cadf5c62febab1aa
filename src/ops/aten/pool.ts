/** Pooling and resampling: recorded whole where Inductor has a lowering. */
import { dtype as dtypeArg, type Dim } from '../../fx'
import { dimArgs, itemsOf, type DispatchArg, type FakeTensor } from '../fake'
import type { OpCall } from '../op_call'
import { register, type OpDef } from '../registry'
import { addDims, floorDiv, mulDims, productOf, subDims } from '../sym'
import { inOpmath } from './elementwise'
import { iota } from './factory'
import { reshape } from './view'

const list = (c: OpCall, name: string, rank: number, otherwise?: Dim[]): Dim[] => {
  const dims = c.dims(name) ?? []
  if (dims.length === 0 && otherwise) return otherwise
  return dims.length === 1 ? new Array<Dim>(rank).fill(dims[0]!) : dims
}

/** pooling_output_shape for each of the last `rank` dimensions. */
function pooled(c: OpCall, rank: number): Dim[] {
  const x = c.tensor(c.schema.args[0]!.name)
  const kernel = list(c, 'kernel_size', rank)
  const stride = list(c, 'stride', rank, kernel)
  const padding = list(c, 'padding', rank, new Array<Dim>(rank).fill(0))
  const dilation = list(c, 'dilation', rank, new Array<Dim>(rank).fill(1))
  const lead = x.meta.shape.length - rank
  return x.meta.shape.map((d, i) => {
    if (i < lead) return d
    const k = i - lead
    const reach = addDims(mulDims(dilation[k]!, subDims(kernel[k]!, 1)), 1)
    const room = subDims(addDims(d, mulDims(2, padding[k]!)), reach)
    if (!c.bool('ceil_mode')) return addDims(floorDiv(room, stride[k]!), 1)
    const up = addDims(floorDiv(addDims(room, subDims(stride[k]!, 1)), stride[k]!), 1)
    // The last window must start inside the input or its left padding.
    return Number(up) * Number(stride[k]) - Number(stride[k]) >= Number(d) + Number(padding[k]) ? Number(up) - 1 : up
  })
}

for (const rank of [2, 3]) {
  const offsets = `prims._low_memory_max_pool_with_offsets.default`
  register(`aten.max_pool${rank}d`, {
    implicit: (c) =>
      itemsOf(
        c.call(
          `aten.max_pool${rank}d_with_indices.default`,
          ['self', 'kernel_size', 'stride', 'padding', 'dilation', 'ceil_mode'].map((n) => c.get(n)),
        ),
      )![0],
  })
  register(`aten.max_pool${rank}d_with_indices`, {
    decomp: (c) => {
      if (rank !== 2) return undefined
      const kernel = list(c, 'kernel_size', rank)
      const sizes = [kernel, list(c, 'stride', rank, kernel), list(c, 'padding', rank), list(c, 'dilation', rank)].map(
        (d) => dimArgs(d),
      )
      const made = itemsOf(c.call(offsets, [c.tensor('self'), ...sizes, c.bool('ceil_mode')]))!
      return { kind: 'tuple', items: [made[0]!, made[1]!] }
    },
    meta: (c) => {
      const x = c.tensor('self')
      const shape = pooled(c, rank)
      return {
        kind: 'tuple',
        items: [c.fresh(x.meta.dtype, shape, x.meta.device), c.fresh('int64', shape, x.meta.device)],
      }
    },
  })
}
register('prims._low_memory_max_pool_with_offsets', {
  meta: (c) => {
    const x = c.tensor('self')
    const shape = pooled(c, 2)
    return {
      kind: 'tuple',
      items: [c.fresh(x.meta.dtype, shape, x.meta.device), c.fresh('int8', shape, x.meta.device)],
    }
  },
})
for (const rank of [2, 3]) {
  const averaged: OpDef = {
    meta: (c) => c.fresh(c.tensor('self').meta.dtype, pooled(c, rank), c.tensor('self').meta.device),
  }
  register(`aten.avg_pool${rank}d`, averaged)
}

/** One-dimensional pooling is two-dimensional pooling of a height of 1. */
const tall = (dims: readonly Dim[], one: Dim): DispatchArg => dimArgs([one, ...dims])
register('aten.max_pool1d', {
  implicit: (c) => {
    const kernel = list(c, 'kernel_size', 1)
    const made = c.call('aten.max_pool2d_with_indices.default', [
      c.op('aten.unsqueeze.default', c.tensor('self'), -2n),
      tall(kernel, 1),
      tall(list(c, 'stride', 1, kernel), 1),
      tall(list(c, 'padding', 1), 0),
      tall(list(c, 'dilation', 1), 1),
      c.bool('ceil_mode'),
    ])
    return c.op('aten.squeeze.dim', itemsOf(made)![0]!, -2n)
  },
})
register('aten.avg_pool1d', {
  implicit: (c) => {
    const kernel = list(c, 'kernel_size', 1)
    const out = c.op(
      'aten.avg_pool2d.default',
      c.op('aten.unsqueeze.default', c.tensor('self'), -2n),
      tall(kernel, 1),
      tall(list(c, 'stride', 1, kernel), 1),
      tall(list(c, 'padding', 1), 0),
      c.bool('ceil_mode'),
      c.bool('count_include_pad'),
    )
    return c.op('aten.squeeze.dim', out, -2n)
  },
})
register('aten.adaptive_avg_pool2d', {
  implicit: (c) => {
    const size = list(c, 'output_size', 2)
    return size.every((d) => d === 1)
      ? c.op('aten.mean.dim', c.tensor('self'), [-1n, -2n], true)
      : c.op('aten._adaptive_avg_pool2d.default', c.tensor('self'), dimArgs(size))
  },
})
register('aten._adaptive_avg_pool2d', {
  meta: (c) => {
    const x = c.tensor('self')
    return c.fresh(x.meta.dtype, [...x.meta.shape.slice(0, -2), ...list(c, 'output_size', 2)], x.meta.device)
  },
})

/** upsample_nearest2d: rows and columns picked by index. */
register('aten.upsample_nearest2d.vec', {
  implicit: (c) => {
    const x = c.tensor('input')
    const given = c.dims('output_size')
    const factors = (itemsOf(c.get('scale_factors')) ?? []).map(Number)
    const ends = x.meta.shape.slice(-2)
    const size = given ?? ends.map((d, i) => Math.floor(Number(d) * factors[i]!))
    const indices = ends.map((d, i) => {
      const index = c.call('aten.arange.default', [dimArgs(size)[i]!], {
        dtype: dtypeArg('float32'),
        device: x.meta.device!,
      })
      const scale = given ? Number(d) / Number(size[i]) : 1 / factors[i]!
      const near = c.op('aten.mul.Tensor', c.op('aten.add.Tensor', index, 0), scale)
      const whole = c.op('prims.convert_element_type.default', near, dtypeArg('int64'))
      return i === 0 ? c.op('aten.unsqueeze.default', whole, -1n) : whole
    })
    return c.op('aten._unsafe_index.Tensor', x, [null, null, ...indices])
  },
})

/** Padding by reflection or by repetition picks indices too; the last dimension comes first in `padding`. */
const picked = (pick: (c: OpCall, index: FakeTensor, size: Dim) => FakeTensor): OpDef => ({
  decomp: (c) => inOpmath(c, [c.tensor('self')], (x) => pickedOf(c, x, pick)),
})
function pickedOf(c: OpCall, x: FakeTensor, pick: (c: OpCall, index: FakeTensor, size: Dim) => FakeTensor): FakeTensor {
  const padding = c.dims('padding')!
  const rank = padding.length / 2
  const lead = x.meta.shape.length - rank
  const indices = Array.from({ length: rank }, (_, i) => {
    const size = x.meta.shape[lead + i]!
    const [left, right] = [padding[2 * (rank - 1 - i)]!, padding[2 * (rank - 1 - i) + 1]!]
    const length = addDims(size, addDims(left, right))
    return pick(c, iota(c, length, 'int64', x.meta.device!, BigInt(subDims(0, left))), size)
  })
  return indices.reduce(
    (out, index, i) => c.op('aten._unsafe_index.Tensor', out, [...new Array<DispatchArg>(lead + i).fill(null), index]),
    x,
  )
}
for (const rank of [1, 2, 3]) {
  register(
    `aten.reflection_pad${rank}d`,
    picked((c, index, size) => {
      const last = BigInt(subDims(size, 1))
      const near = c.op('aten.sub.Tensor', last, c.op('aten.abs.default', index))
      return c.op('aten.sub.Tensor', last, c.op('aten.abs.default', near))
    }),
  )
  register(
    `aten.replication_pad${rank}d`,
    picked((c, index, size) => c.op('aten.clamp.default', index, 0n, BigInt(subDims(size, 1)))),
  )
}

register('aten.pixel_shuffle', {
  implicit: (c) => {
    const x = c.tensor('self')
    const f = c.dim('upscale_factor')
    const [channels, h, w] = x.meta.shape.slice(-3) as [Dim, Dim, Dim]
    const lead = x.meta.shape.slice(0, -3)
    const [n, out] = [lead.length, floorDiv(channels, mulDims(f, f))]
    const split = c.op('aten.view.default', x, dimArgs([...lead, out, f, f, h, w]))
    const order = [...lead.map((_, i) => i), n, n + 3, n + 1, n + 4, n + 2]
    return reshape(c, c.op('aten.permute.default', split, order.map(BigInt)), [
      ...lead,
      out,
      mulDims(h, f),
      mulDims(w, f),
    ])
  },
})
register('aten.pixel_unshuffle', {
  implicit: (c) => {
    const x = c.tensor('self')
    const f = c.dim('downscale_factor')
    const [channels, h, w] = x.meta.shape.slice(-3) as [Dim, Dim, Dim]
    const lead = x.meta.shape.slice(0, -3)
    const n = lead.length
    const [rows, columns] = [floorDiv(h, f), floorDiv(w, f)]
    const split = c.op('aten.view.default', x, dimArgs([...lead, channels, rows, f, columns, f]))
    const order = [...lead.map((_, i) => i), n, n + 2, n + 4, n + 1, n + 3]
    const many = productOf([channels, f, f])
    return reshape(c, c.op('aten.permute.default', split, order.map(BigInt)), [...lead, many, rows, columns])
  },
})
