/** Writing by index: scatter and index_put stay as they are, index_add and its like become index_put. */
import type { Dim } from '../../fx'
import { dtype as dtypeArg, layout } from '../../fx'
import { dimArg, dimArgs, isFake, type DispatchArg, type FakeTensor } from '../fake'
import { wrapDim, type OpCall } from '../op_call'
import { register, type OpDef } from '../registry'
import { broadcastShapes, preservedStrides, stridesOf } from '../strides'
import { floorDiv, addDims, productOf, subDims } from '../sym'
import { TorchError } from '../torch_error'

/** A result like `self`, laid out as a copy of it. */
const likeSelf: OpDef = {
  meta: (c) => {
    const x = c.tensor('self')
    return c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, preservedStrides(x.meta))
  },
}
register(
  `aten.scatter aten.scatter_add aten.scatter_reduce aten.index_put aten.slice_scatter aten.select_scatter
   aten._unsafe_index_put aten.index_reduce aten.diagonal_scatter`,
  likeSelf,
)
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

const added = (put: string): OpDef => ({
  decomp: (c) => {
    if (c.tensor('self').meta.dtype === 'bfloat16' && !c.schema.mutable) return undefined
    if (c.get('alpha') !== 1n && c.get('alpha') !== null) return undefined
    return c.op(put, c.tensor('self'), at(dimOf(c), c.tensor('index')), c.tensor('source'), true)
  },
  meta: likeSelf.meta!,
})
register('aten.index_add', added('aten.index_put.default'))
register('aten.index_add_', { decomp: added('aten.index_put_.default').decomp! })
const copied = (put: string): OpDef => ({
  decomp: (c) => c.op(put, c.tensor('self'), at(dimOf(c), c.tensor('index')), c.tensor('source')),
})
register('aten.index_copy', copied('aten.index_put.default'))
register('aten.index_copy_', copied('aten.index_put_.default'))
const filled = (put: string): OpDef => ({
  decomp: (c) => {
    const x = c.tensor('self')
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
    const shape = x.meta.shape.map((d, i): Dim => (i === dim ? productOf(c.tensor('index').meta.shape) : d))
    const wide = c.op('aten.expand.default', value, dimArgs(shape))
    return c.op(put, x, at(dim, c.tensor('index')), wide)
  },
})
register('aten.index_fill', filled('aten.index_put.default'))
register('aten.index_fill_', filled('aten.index_put_.default'))

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
