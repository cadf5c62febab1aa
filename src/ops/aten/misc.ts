/** Operators that Inductor makes of a few others and that belong to no larger family. */
import { dtype as dtypeArg, type Dim } from '../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor } from '../fake'
import { wrapDim, type OpCall } from '../op_call'
import { register } from '../registry'
import { broadcastShapes } from '../strides'
import { sameDims, subDims } from '../sym'
import { TorchError } from '../torch_error'
import { inOpmath } from './elementwise'
import { iota } from './factory'
import { reshape } from './view'

const rankOf = (t: FakeTensor): number => t.meta.shape.length

register('aten.threshold', {
  decomp: (c) =>
    inOpmath(c, [c.tensor('self')], (x) =>
      c.op('aten.where.ScalarSelf', c.op('aten.le.Scalar', x, c.get('threshold')), c.get('value'), x),
    ),
})
register('aten.hardshrink', {
  decomp: (c) => {
    const x = c.tensor('self')
    const small = c.op('aten.le.Scalar', c.op('aten.abs.default', x), c.get('lambd'))
    return c.op('aten.where.ScalarSelf', small, 0n, x)
  },
})
register('aten.softshrink', {
  decomp: (c) => {
    const x = c.tensor('self')
    const half = x.meta.dtype === 'bfloat16' || x.meta.dtype === 'float16'
    const lambda = half
      ? c.call('aten.scalar_tensor.default', [c.get('lambd')], {
          dtype: dtypeArg(x.meta.dtype),
          device: x.meta.device!,
          pin_memory: false,
        })
      : c.get('lambd')
    const far = c.op(half ? 'aten.gt.Tensor' : 'aten.gt.Scalar', c.op('aten.abs.default', x), lambda)
    const less = c.op('aten.sub.Tensor', x, c.op('aten.mul.Tensor', c.op('aten.sign.default', x), lambda))
    return c.op('aten.where.self', far, less, c.op('aten.mul.Tensor', x, 0n))
  },
})
register('aten.prelu', {
  implicit: (c) => {
    const [x, w] = [c.tensor('self'), c.tensor('weight')]
    let weight = w
    if (rankOf(w) > 0 && rankOf(x) !== 1) {
      const shape = x.meta.shape.map((_, i): Dim => (i === 1 ? w.meta.shape[0]! : 1))
      if (rankOf(x) > 0) weight = reshape(c, w, shape)
    }
    const positive = c.op('aten.gt.Scalar', x, 0n)
    return c.op('aten.where.self', positive, x, c.op('aten.mul.Tensor', weight, x))
  },
})

register('aten.broadcast_tensors', {
  implicit: (c) => {
    const all = c.tensors('tensors')
    const shape = broadcastShapes(all.map((t) => t.meta.shape))
    return all.map((t) => (sameDims(t.meta.shape, shape) ? t : c.op('aten.expand.default', t, dimArgs(shape))))
  },
})
register('aten.meshgrid', {
  implicit: (c) => {
    const all = c.tensors('tensors')
    const xy = c.string('indexing') === 'xy' && all.length >= 2
    const order = xy ? [all[1]!, all[0]!, ...all.slice(2)] : all
    const shape = order.map((t) => t.meta.shape[0] ?? 1)
    const grids = order.map((t, i) => {
      const own = order.map((_, k): Dim => (k === i ? -1 : 1))
      return c.op('aten.expand.default', c.op('aten.view.default', t, dimArgs(own)), dimArgs(shape))
    })
    return xy ? [grids[1]!, grids[0]!, ...grids.slice(2)].map((t) => c.op('aten.transpose.int', t, 0n, 1n)) : grids
  },
})

/** Rolls one dimension: rows picked by an index that starts where the shift says. */
function rollOne(c: OpCall, x: FakeTensor, shift: number, dim: number): FakeTensor {
  const size = x.meta.shape[dim]!
  const start: DispatchArg =
    typeof size === 'number'
      ? BigInt((((size - shift) % size) + size) % size)
      : (c.call('operator.mod', [c.call('operator.sub', [dimArg(size), BigInt(shift)]), dimArg(size)]) as DispatchArg)
  const rows = iota(c, size, 'int64', x.meta.device!)
  const index = c.op('aten.fmod.Scalar', c.op('aten.add.Tensor', rows, start), dimArg(size))
  return c.op('aten.index_select.default', x, BigInt(dim), index)
}
register('aten.roll', {
  decomp: (c) => {
    const x = c.tensor('self')
    const [shifts, dims] = [c.dims('shifts')!.map(Number), c.dims('dims')!.map((d) => wrapDim(Number(d), rankOf(x)))]
    if (dims.length === 0) {
      const flat = rollOne(c, c.op('aten.flatten.using_ints', x), shifts[0]!, 0)
      return c.op('aten.view.default', flat, dimArgs(x.meta.shape))
    }
    return shifts.reduce((out, shift, i) => rollOne(c, out, shift, dims[i]!), x)
  },
})

register('aten.one_hot', {
  implicit: (c) => {
    const x = c.tensor('self')
    const classes = c.int('num_classes')
    if (classes < 0) throw new TorchError('DataDependentOutputException', 'aten._local_scalar_dense.default')
    const holds = (condition: FakeTensor, message: string): void => {
      c.call('aten._assert_async.msg', [c.op('aten.all.default', condition), `one_hot: ${message}`])
    }
    holds(c.op('aten.ge.Scalar', x, 0n), 'Class values must be non-negative.')
    holds(c.op('aten.lt.Scalar', x, BigInt(classes)), 'Class values must be smaller than num_classes.')
    const wide = c.op('aten.unsqueeze.default', x, -1n)
    const hit = c.op('aten.eq.Tensor', wide, iota(c, classes, 'int64', x.meta.device!))
    return c.op('prims.convert_element_type.default', hit, dtypeArg('int64'))
  },
})

const contiguous = (c: OpCall, x: FakeTensor): FakeTensor =>
  c.call('aten.clone.default', [x], {
    memory_format: { kind: 'memory_format', name: 'contiguous_format' },
  }) as FakeTensor
register('aten.diag', {
  implicit: (c) => {
    const x = c.tensor('self')
    return rankOf(x) === 1
      ? c.op('aten.diag_embed.default', x, c.get('diagonal'))
      : contiguous(c, c.op('aten.diagonal.default', x, c.get('diagonal')))
  },
})
register('aten.trace', {
  decomp: (c) => c.op('aten.sum.default', contiguous(c, c.op('aten.diagonal.default', c.tensor('self')))),
})
register('aten.diff', {
  implicit: (c) => {
    if (c.int('n', 1) !== 1 || c.has('prepend') || c.has('append')) return undefined
    const x = c.tensor('self')
    const size = x.meta.shape[wrapDim(c.int('dim', -1), rankOf(x))]!
    const part = (from: Dim, to: Dim): FakeTensor =>
      c.op('aten.slice.Tensor', x, c.get('dim'), dimArg(from), dimArg(to))
    const first = part(0, subDims(size, 1))
    return c.op(x.meta.dtype === 'bool' ? 'aten.logical_xor.default' : 'aten.sub.Tensor', part(1, size), first)
  },
})
register('aten.isin.Tensor_Tensor', {
  decomp: (c) => {
    const [x, y] = [c.tensor('elements'), c.tensor('test_elements')]
    const dims = y.meta.shape.map((_, i) => BigInt(i - rankOf(y)))
    const wide = reshape(c, x, [...x.meta.shape, ...y.meta.shape.map(() => 1)])
    const found = c.op('aten.any.dims', c.op('aten.eq.Tensor', wide, y), dims)
    return c.bool('invert') ? c.op('aten.logical_not.default', found) : found
  },
})
register('aten.kron', {
  implicit: (c) => {
    const [a, b] = [c.tensor('self'), c.tensor('other')]
    const rank = Math.max(rankOf(a), rankOf(b))
    const padded = (t: FakeTensor): Dim[] => [...new Array<Dim>(rank - rankOf(t)).fill(1), ...t.meta.shape]
    const [m, n] = [padded(a), padded(b)]
    const left = reshape(
      c,
      a,
      m.flatMap((d) => [d, 1]),
    )
    const right = reshape(
      c,
      b,
      n.flatMap((d) => [1, d]),
    )
    const shape = m.map((d, i): Dim => Number(d) * Number(n[i]))
    return c.op('aten.view.default', c.op('aten.mul.Tensor', left, right), dimArgs(shape))
  },
})
register('aten.atleast_3d', {
  implicit: (c) => {
    const x = c.maybeTensor('self')
    if (!x) return undefined
    if (rankOf(x) >= 3) return x
    if (rankOf(x) === 2) return c.op('aten.unsqueeze.default', x, -1n)
    if (rankOf(x) === 0) return c.op('aten.reshape.default', x, [1n, 1n, 1n])
    return c.op('aten.unsqueeze.default', c.op('aten.unsqueeze.default', x, 0n), -1n)
  },
})
register('aten.bernoulli.default', {
  decomp: (c) => {
    const x = c.tensor('self')
    const drawn = c.op(
      'aten.lt.Tensor',
      c.call('aten.rand_like.default', [x], { dtype: dtypeArg('float32') }) as FakeTensor,
      x,
    )
    return c.op('prims.convert_element_type.default', drawn, dtypeArg(x.meta.dtype))
  },
})
register('aten.multinomial', {
  meta: (c) => {
    const { shape, device } = c.tensor('self').meta
    return c.fresh('int64', [...shape.slice(0, -1), c.dim('num_samples')], device)
  },
})
register('aten.bucketize.Tensor aten.searchsorted.Tensor', {
  meta: (c) => {
    const x = c.tensor('self')
    return c.fresh(c.bool('out_int32') ? 'int32' : 'int64', x.meta.shape, x.meta.device)
  },
})
register('aten._assert_async', { meta: () => null })
