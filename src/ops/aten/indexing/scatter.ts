/** Elements written by an index along one dimension. */
import { dtype as dtypeArg, layout } from '../../../fx'
import { dimArg, dimArgs, type DispatchArg, type FakeTensor, isFake } from '../../fake'
import type { OpCall } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { isComplexDtype, isFloatDtype } from '../../promote'
import { broadcastShapes, isDense, stridesOf } from '../../strides'
import { sameDims } from '../../sym'
import { selfDim } from './gather'
import { runtimeError } from '../../torch_error'
import { checkScatter } from './index_checks'

/** scatter_meta_impl. */
const scattered: OpDef = {
  meta: (c, x) => {
    const source = c.schema.args.some((a) => a.name === 'src') ? c.tensor('src') : null
    checkScatter(x, selfDim(c), c.tensor('index'), source)
    return c.fresh(x.meta.dtype, x.meta.shape, x.meta.device)
  },
}

/** A row-major result with the shape of `self` (`self.new_empty(self.shape)` in torch/_meta_registrations.py). */
const inRows: OpDef = {
  meta: (c, { meta: { dtype, shape, device } }) => c.fresh(dtype, shape, device),
}

/** `[None, …, index]`, with the index at a dimension. */
const at = (dim: number, index: FakeTensor): DispatchArg[] => [...new Array<DispatchArg>(dim).fill(null), index]

/**
 * _index_copy and _index_add of torch/_decomp/decompositions.py: index_put, with a contiguous result unless in place. A
 * scalar is written to as a one-element vector.
 */
function put(c: OpCall, index: FakeTensor, source: FakeTensor, accumulate: boolean): FakeTensor {
  const x = c.tensor('self')
  const scalar = x.meta.shape.length === 0
  const vector = scalar ? c.op('aten.unsqueeze.default', x, 0n) : x
  const indices = at(selfDim(c), index)
  if (c.schema.mutable) {
    const out = c.op('aten.index_put_.default', vector, indices, source, accumulate)
    return scalar ? x : out
  }
  const out = c.op('aten.index_put.default', vector, indices, source, accumulate)
  return scalar ? c.op('aten.squeeze.dim', out, 0n) : c.op('aten.contiguous.default', out)
}

/** [number of indices, rows of the source, dimension]; the first two count as equal if a size is symbolic. */
function rowsOf(c: OpCall): [number, number, number] {
  const dim = selfDim(c)
  const count = c.tensor('index').meta.shape[0] ?? 1
  const given = c.tensor('source').meta.shape[dim] ?? 1
  const known = typeof count === 'number' && typeof given === 'number'
  return known ? [count, given, dim] : [0, 0, dim]
}

const added: OpDef = {
  decomp: (c) => {
    const source = c.tensor('source')
    const [count, given, dim] = rowsOf(c)
    if (count !== given)
      throw runtimeError(`Number of indices (${count}) should be equal to tensor.size(dim) (${given}), for dim=${dim}`)
    if (c.tensor('self').meta.dtype === 'bfloat16' && !c.schema.mutable) return undefined
    const scaled = c.number('alpha') === 1 ? source : c.op('aten.mul.Tensor', source, c.get('alpha'))
    return put(c, c.tensor('index'), scaled, true)
  },
}

const copied: OpDef = {
  decomp: (c) => {
    const index = c.tensor('index')
    const [count, given] = rowsOf(c)
    if (count !== given)
      throw runtimeError(`index_copy_(): Number of indices (${count}) should be equal to source.size(dim) (${given})`)
    const listed = index.meta.shape.length === 0 ? c.op('aten.unsqueeze.default', index, 0n) : index
    return put(c, listed, c.tensor('source'), false)
  },
}

/** torch/_refs' _index_fill: index_copy of the value, restoring the layout of a dense input. */
const filled: OpDef = {
  decomp: (c, x) => {
    const scalar = x.meta.shape.length === 0
    const dim = selfDim(c)
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
    const count = c.call('aten.sym_numel.default', [c.tensor('index')])
    const sizes = vector.meta.shape.map((d, i) => (i === dim ? count : dimArg(d)))
    const wide = c.op('aten.expand.default', value, sizes)
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

/** index_reduce by mean: sums and counts; `prod`, `amax` and `amin` remain a single call. */
const reducedByIndex: OpDef = {
  decomp: (c) => {
    if (c.string('reduce') !== 'mean' || c.schema.mutable) return undefined
    let x = c.tensor('self')
    const dim = selfDim(c)
    const [index, source] = [c.tensor('index'), c.tensor('source')]
    const ones = c.op('aten.ones_like.default', source)
    const count = (self: FakeTensor): FakeTensor => c.op('aten.index_add.default', self, BigInt(dim), index, ones)
    let counts: FakeTensor
    if (c.bool('include_self')) counts = count(c.op('aten.ones_like.default', x))
    else {
      x = c.op('aten.index_fill.int_Scalar', x, BigInt(dim), index, 0n)
      const found = count(c.op('aten.zeros_like.default', x))
      counts = c.op('aten.masked_fill.Scalar', found, c.op('aten.lt.Scalar', found, 1n), 1)
    }
    const sum = c.op('aten.index_add.default', x, BigInt(dim), index, source)
    return isFloatDtype(x.meta.dtype) || isComplexDtype(x.meta.dtype)
      ? c.op('aten.div.Tensor', sum, counts)
      : (c.call('aten.div.Tensor_mode', [sum, counts], { rounding_mode: 'floor' }) as FakeTensor)
  },
}

export const rules = (): Rules => ({
  'aten.scatter aten.scatter_add aten.scatter_reduce': scattered,
  'aten.scatter_ aten.scatter_add_ aten.scatter_reduce_': {
    meta: (c) => {
      c.by(scattered.meta)!
      return c.tensor('self')
    },
  },
  'aten.index_reduce': { ...reducedByIndex, ...inRows },
  'aten.put': {
    decomp: (c) => {
      const [x, index] = [c.tensor('self'), c.tensor('index')]
      const flat = c.op('aten.flatten.using_ints', x)
      const source = c.op('aten.reshape.default', c.tensor('source'), dimArgs(index.meta.shape))
      const out = c.op('aten.index_put.default', flat, [index], source, c.bool('accumulate'))
      return c.op('aten.reshape.default', out, dimArgs(x.meta.shape))
    },
  },
  'aten.masked_scatter': {
    meta: (c, x) => {
      if (!['bool', 'uint8'].includes(c.tensor('mask').meta.dtype)) throw runtimeError('Mask must be bool or uint8')
      const shape = broadcastShapes([x.meta.shape, c.tensor('mask').meta.shape])
      return c.fresh(x.meta.dtype, shape, x.meta.device)
    },
  },
  'aten.index_add': { ...added, ...inRows },
  'aten.index_add_': added,
  'aten.index_copy aten.index_copy_': copied,
  'prims.copy_strided': {
    meta: (c, { meta: { dtype, shape, device } }) => c.fresh(dtype, shape, device, c.dims('stride')!),
  },
  'aten.index_fill aten.index_fill_': filled,
})
