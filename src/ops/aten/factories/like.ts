/** Factories that take size and options from another tensor. */
import { type Dim, dtype as dtypeArg, layout, memoryFormat } from '../../../fx'
import { dimArgs, type DispatchArg, type FakeTensor } from '../../fake'
import type { OpCall } from '../../op_call'
import { contiguousIn } from '../../memory_format'
import type { Traits, OpDef, Rules } from '../../operator'
import { contiguousStrides, physicalOrder, stridesOf } from '../../strides'
import { allOptions, CPU, type Options, valueIn } from './empty'

const likeDtype = (c: OpCall): string => c.dtype() ?? c.tensor('self').meta.dtype

/** A factory's result with the memory layout of `like`: created in its physical order, then permuted back. */
export function permutedLike(
  c: OpCall,
  like: FakeTensor,
  make: (size: readonly DispatchArg[]) => FakeTensor,
  copies: boolean,
): FakeTensor {
  const { shape } = like.meta
  const format = c.memoryFormat()
  if (format !== null && format !== 'preserve_format') {
    const out = make(dimArgs(shape))
    return format === 'contiguous_format' ? out : contiguousIn(c, out, format)
  }
  const order = physicalOrder([like.meta])
  const plain = order.every((d, i) => d === i) && (copies || c.rules.plainEmptyLike)
  if (plain || (copies && !c.rules.permutedLike)) return make(dimArgs(shape))
  const made = make(dimArgs(order.map((i) => shape[i]!)))
  const back = order.map((_, i) => BigInt(order.indexOf(i)))
  const out = c.op('aten.permute.default', made, back)
  return copies ? c.op('aten.clone.default', out) : out
}

/** full(shape of x, value) with explicit options. */
export function fullLike(
  c: OpCall,
  x: FakeTensor,
  value: DispatchArg,
  dtype = x.meta.dtype,
  shape: readonly Dim[] = x.meta.shape,
): FakeTensor {
  return c.call('aten.full.default', [dimArgs(shape), value], {
    dtype: dtypeArg(dtype),
    layout: layout('strided'),
    device: x.meta.device ?? CPU,
    pin_memory: false,
  }) as FakeTensor
}

const likeFilled = (value: (c: OpCall) => DispatchArg): OpDef => ({
  decomp: (c, x) => {
    const options = allOptions(c, c.dtype() ?? x.meta.dtype, c.device() ?? x.meta.device ?? CPU)
    return permutedLike(c, x, (size) => c.call('aten.full.default', [size, value(c)], options) as FakeTensor, true)
  },
})

const newFilled = (value: (c: OpCall) => DispatchArg): OpDef => ({
  decomp: (c, x) => {
    const options = allOptions(c, c.dtype() ?? x.meta.dtype, c.device() ?? x.meta.device ?? CPU)
    return c.call('aten.full.default', [c.get('size'), value(c)], options)
  },
})

export const rules = (): Rules => ({
  'aten.empty_like': {
    decomp: (c, x) => {
      const options = allOptions(c, c.dtype() ?? x.meta.dtype, c.device() ?? x.meta.device ?? CPU)
      const format = c.memoryFormat()
      const make = (size: readonly DispatchArg[], extra: Options = {}): FakeTensor =>
        c.call('aten.empty.memory_format', [size], { ...options, ...extra }) as FakeTensor
      if (format !== null && format !== 'preserve_format')
        return make(dimArgs(x.meta.shape), { memory_format: memoryFormat(format) })
      return permutedLike(c, x, make, false)
    },
  },
  'aten.zeros_like': likeFilled((c) => valueIn(likeDtype(c), 0n)),
  'aten.ones_like': likeFilled((c) => valueIn(likeDtype(c), 1n)),
  'aten.full_like': likeFilled((c) => c.get('fill_value')),
  'aten.new_zeros': newFilled((c) => valueIn(likeDtype(c), 0n)),
  'aten.new_ones': newFilled((c) => valueIn(likeDtype(c), 1n)),
  'aten.new_full': newFilled((c) => c.get('fill_value')),
  'aten.new_empty': {
    decomp: (c, x) => {
      const options = allOptions(c, c.dtype() ?? x.meta.dtype, c.device() ?? x.meta.device ?? CPU)
      return c.call('aten.empty.memory_format', [c.get('size')], options)
    },
  },
  // Zeros with the layout of `other`, after the batch dimensions of `self`.
  'aten._new_zeros_with_same_feature_meta': {
    meta: (c, x) => {
      const { meta } = c.tensor('other')
      const batch = x.meta.shape.slice(0, c.int('self_num_batch_dims'))
      const strides = stridesOf(meta)
      const each = meta.shape.reduce<number>((n, d, i) => (d === 0 ? 0 : n + (Number(d) - 1) * Number(strides[i])), 1)
      const outer = contiguousStrides(batch).map((s) => Number(s) * each)
      return c.fresh(x.meta.dtype, [...batch, ...meta.shape], x.meta.device, [...outer, ...strides])
    },
  },
  'aten.new_empty_strided': {
    meta: (c, x) => c.fresh(c.dtype() ?? x.meta.dtype, c.dims('size')!, c.device() ?? x.meta.device, c.dims('stride')!),
  },
})

export const TRAITS: Traits = {
  factory: 'empty_like new_empty new_empty_strided zeros_like new_zeros ones_like new_ones full_like new_full',
  unwritten: 'empty_like new_empty new_empty_strided',
}
