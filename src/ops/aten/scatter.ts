/** Writing by index: scatter and index_put stay as they are, index_add and its like become index_put. */
import type { Dim } from '../../fx'
import { dtype as dtypeArg, layout } from '../../fx'
import { dimArg, dimArgs, isFake, type DispatchArg, type FakeTensor } from '../fake'
import { wrapDim, type OpCall } from '../op_call'
import { register, type OpDef } from '../registry'
import { broadcastShapes, isDense, preservedStrides, stridesOf } from '../strides'
import { floorDiv, addDims, productOf, sameDims, subDims } from '../sym'
import { TorchError } from '../torch_error'

/** A result like `self`, laid out as a copy of it. */
const likeSelf: OpDef = {
  meta: (c) => {
    const x = c.tensor('self')
    return c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, preservedStrides(x.meta))
  },
}
register('aten.index_put aten.slice_scatter aten.select_scatter aten._unsafe_index_put aten.diagonal_scatter', likeSelf)
/** A result of the shape of `self`, row by row (`self.new_empty(self.shape)` in torch/_meta_registrations.py). */
const inRows: OpDef = {
  meta: (c) => {
    const { dtype, shape, device } = c.tensor('self').meta
    return c.fresh(dtype, shape, device)
  },
}
register('aten.scatter aten.scatter_add aten.scatter_reduce aten.index_reduce', inRows)
register('aten.masked_scatter', {
  meta: (c) => {
    const x = c.tensor('self')
    const shape = broadcastShapes([x.meta.shape, c.tensor('mask').meta.shape])
    return c.fresh(x.meta.dtype, shape, x.meta.device)
  },
})

/** `[None, …, index]`, the index at a dimension. */
const at = (dim: number, index: FakeTensor): DispatchArg[] => [...new Array<DispatchArg>(dim).fill(null), index]
const dimOf = (c: OpCall): number => wrapDim(c.int('dim'), c.tensor('self').meta.shape.length)

/**
 * _index_copy and _index_add of torch/_decomp/decompositions.py: index_put, and rows in memory unless in place. A scalar
 * is written to as a vector of one.
 */
function put(c: OpCall, index: FakeTensor, source: FakeTensor, accumulate: boolean): FakeTensor {
  const x = c.tensor('self')
  const scalar = x.meta.shape.length === 0
  const vector = scalar ? c.op('aten.unsqueeze.default', x, 0n) : x
  const indices = at(dimOf(c), index)
  const more = accumulate ? [true] : []
  if (c.schema.mutable) {
    const out = c.op('aten.index_put_.default', vector, indices, source, ...more)
    return scalar ? x : out
  }
  const out = c.op('aten.index_put.default', vector, indices, source, ...more)
  return scalar ? c.op('aten.squeeze.dim', out, 0n) : c.op('aten.contiguous.default', out)
}

const added: OpDef = {
  decomp: (c) => {
    if (c.tensor('self').meta.dtype === 'bfloat16' && !c.schema.mutable) return undefined
    const source = c.tensor('source')
    const scaled = c.number('alpha') === 1 ? source : c.op('aten.mul.Tensor', source, c.get('alpha'))
    return put(c, c.tensor('index'), scaled, true)
  },
}
register('aten.index_add', { ...added, ...inRows })
register('aten.index_add_', added)
const copied: OpDef = {
  decomp: (c) => {
    const index = c.tensor('index')
    const listed = index.meta.shape.length === 0 ? c.op('aten.unsqueeze.default', index, 0n) : index
    return put(c, listed, c.tensor('source'), false)
  },
}
register('aten.index_copy aten.index_copy_', copied)

register('prims.copy_strided', {
  meta: (c) => {
    const { dtype, shape, device } = c.tensor('a').meta
    return c.fresh(dtype, shape, device, c.dims('stride')!)
  },
})
/** _index_fill of torch/_refs: index_copy of the value, laid out again as a dense input was. */
const filled: OpDef = {
  decomp: (c) => {
    const x = c.tensor('self')
    const scalar = x.meta.shape.length === 0
    const dim = dimOf(c)
    const given = c.get('value')
    const value = isFake(given)
      ? given
      : (c.call('aten.scalar_tensor.default', [given], {
          dtype: dtypeArg(x.meta.dtype),
          layout: layout('strided'),
          device: x.meta.device!,
          pin_memory: false,
        }) as FakeTensor)
    const vector = scalar ? c.op('aten.unsqueeze.default', x, 0n) : x
    const count = productOf(c.tensor('index').meta.shape)
    const wide = c.op('aten.expand.default', value, dimArgs(vector.meta.shape.map((d, i) => (i === dim ? count : d))))
    const write = (name: string): FakeTensor => c.op(name, vector, BigInt(dim), c.tensor('index'), wide)
    if (c.schema.mutable) {
      write('aten.index_copy_.default')
      return x
    }
    const rows = write('aten.index_copy.default')
    const out = scalar ? c.op('aten.clone.default', c.op('aten.squeeze.dim', rows, 0n)) : rows
    return sameDims(stridesOf(out.meta), stridesOf(x.meta)) || !isDense(x.meta)
      ? out
      : c.op('prims.copy_strided.default', out, dimArgs(stridesOf(x.meta)))
  },
}
register('aten.index_fill aten.index_fill_', filled)
register('aten._unsafe_index.Tensor', {
  meta: (c) => c.call('aten.index.Tensor', [c.tensor('self'), c.get('indices')]) as FakeTensor,
})
register('aten.take', {
  decomp: (c) => c.op('aten.index.Tensor', c.op('aten.reshape.default', c.tensor('self'), [-1n]), [c.tensor('index')]),
})
register('aten.take_along_dim', {
  decomp: (c) => {
    const [x, index] = [c.tensor('self'), c.tensor('indices')]
    if (!c.has('dim')) {
      const flat = c.op('aten.reshape.default', x, [-1n])
      return c.op('aten.gather.default', flat, 0n, c.op('aten.reshape.default', index, [-1n]))
    }
    const dim = dimOf(c)
    const shape = (own: FakeTensor): DispatchArg[] => {
      const rest = broadcastShapes([x, index].map((t) => t.meta.shape.map((d, i): Dim => (i === dim ? 1 : d))))
      return dimArgs(rest.map((d, i) => (i === dim ? own.meta.shape[dim]! : d)))
    }
    const indices = c.op('aten.expand.default', index, shape(index))
    const self = c.op('aten.expand.default', x, shape(x))
    const wrapped = c.op('aten.remainder.Scalar', indices, dimArg(x.meta.shape[dim]!))
    return c.op('aten.gather.default', self, BigInt(dim), wrapped)
  },
})
register('aten.unfold', {
  meta: (c) => {
    const x = c.tensor('self')
    const dim = wrapDim(c.int('dimension'), x.meta.shape.length)
    const [size, step] = [c.dim('size'), c.dim('step')]
    const count = addDims(floorDiv(subDims(x.meta.shape[dim]!, size), step), 1)
    const strides = stridesOf(x.meta)
    return c.view(x, {
      shape: [...x.meta.shape.map((d, i): Dim => (i === dim ? count : d)), size],
      stride: [...strides.map((d, i): Dim => (i === dim ? Number(d) * Number(step) : d)), strides[dim]!],
    })
  },
})

for (const [name, error] of [
  ['aten.bincount', 'DynamicOutputShapeException'],
  ['aten.nonzero', 'DynamicOutputShapeException'],
  ['aten.masked_select', 'DynamicOutputShapeException'],
  ['aten._local_scalar_dense', 'DataDependentOutputException'],
] as const)
  register(name, {
    meta: (c) => {
      throw new TorchError(error, c.schema.name)
    },
  })
