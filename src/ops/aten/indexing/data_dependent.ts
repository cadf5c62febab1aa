/** Operators whose result depends on the values of their tensors: one raises like PyTorch, the others have a bounded form. */
import { dtype as dtypeArg } from '../../../fx'
import { dimArgs, type FakeTensor, itemsOf, rankOf } from '../../fake'
import { type OpCall, wrapDim } from '../../op_call'
import type { OpDef, Rules } from '../../operator'
import { productOf, subDims } from '../../sym'
import { TorchError } from '../../torch_error'
import { reshape } from '../views/reshape'

const raises = (error: 'DynamicOutputShapeException' | 'DataDependentOutputException'): OpDef => ({
  meta: (c) => {
    throw new TorchError(error, c.schema.name)
  },
})

/** torch._decomp's isin_sorting: finds many elements in the sorted test elements. */
function bySorting(c: OpCall, x: FakeTensor, y: FakeTensor, invert: boolean): FakeTensor {
  const wanted = c.op('aten.flatten.using_ints', x)
  const [sorted] = itemsOf(c.call('aten.sort.default', [c.op('aten.flatten.using_ints', y)]))! as [FakeTensor]
  const at = c.op('aten.searchsorted.Tensor', sorted, wanted)
  const inside = c.op('aten.lt.Scalar', at, ...dimArgs(sorted.meta.shape))
  const picked = c.op('aten.index.Tensor', sorted, [c.op('aten.where.ScalarOther', inside, at, 0n)])
  const found = c.op('aten.eq.Tensor', picked, wanted)
  return reshape(c, invert ? c.op('aten.logical_not.default', found) : found, x.meta.shape)
}

// oxlint-disable-next-line max-lines-per-function -- a table of rules by operator name
export const rules = (): Rules => ({
  'aten.bincount aten.nonzero aten.masked_select aten.unique_consecutive aten.unique_dim aten.unique_dim_consecutive aten._ctc_loss aten._unique2 aten._unique':
    raises('DynamicOutputShapeException'),
  'aten._local_scalar_dense aten.equal aten.allclose': raises('DataDependentOutputException'),
  'aten.one_hot': {
    implicit: (c, x) => {
      const classes = c.int('num_classes')
      if (classes < 0) throw new TorchError('DataDependentOutputException', 'aten._local_scalar_dense.default')
      const numbersOf = (): FakeTensor => {
        const options = { dtype: dtypeArg(x.meta.dtype), device: x.meta.device! }
        return c.call('aten.arange.default', [BigInt(classes)], options) as FakeTensor
      }
      const compared = (wide: FakeTensor, numbers: FakeTensor): FakeTensor =>
        c.op('prims.convert_element_type.default', c.op('aten.eq.Tensor', wide, numbers), dtypeArg('int64'))
      if (!c.rules.checkedOneHot) {
        // C++ evaluates arguments from the right.
        const numbers = numbersOf()
        return compared(c.op('aten.unsqueeze.default', x, -1n), numbers)
      }
      const holds = (condition: FakeTensor, message: string): void => {
        c.call('aten._assert_async.msg', [c.op('aten.all.default', condition), `one_hot: ${message}`])
      }
      holds(c.op('aten.ge.Scalar', x, 0n), 'Class values must be non-negative.')
      holds(c.op('aten.lt.Scalar', x, BigInt(classes)), 'Class values must be smaller than num_classes.')
      return compared(c.op('aten.unsqueeze.default', x, -1n), numbersOf())
    },
  },
  'aten.ctc_loss': {
    implicit: (c) => {
      const own = c.schema.name.endsWith('.Tensor') ? 'Tensor' : 'default'
      const names = ['log_probs', 'targets', 'input_lengths', 'target_lengths', 'blank', 'zero_infinity']
      return c.call(
        `aten._ctc_loss.${own}`,
        names.map((n) => c.get(n)),
      )
    },
  },
  'aten.isin.Tensor_Tensor': {
    decomp: (c) => {
      const [x, y] = [c.tensor('elements'), c.tensor('test_elements')]
      const [many, few] = [productOf(x.meta.shape), productOf(y.meta.shape)]
      if (
        !(typeof many === 'number' && typeof few === 'number' && few < 10 * many ** 0.145) &&
        !c.bool('assume_unique')
      )
        return bySorting(c, x, y, c.bool('invert'))
      const dims = y.meta.shape.map((_, i) => BigInt(i - rankOf(y)))
      const wide = reshape(c, x, [...x.meta.shape, ...y.meta.shape.map(() => 1)])
      const found = c.op('aten.any.dims', c.op('aten.eq.Tensor', wide, y), dims)
      return c.bool('invert') ? c.op('aten.bitwise_not.default', found) : found
    },
  },
  'aten.isin.Tensor_Scalar': {
    decomp: (c) => c.op(`aten.${c.bool('invert') ? 'ne' : 'eq'}.Scalar`, c.tensor('elements'), c.get('test_element')),
  },
  'aten.bucketize.Tensor aten.searchsorted.Tensor': {
    meta: (c) => {
      const x = c.tensor('self')
      return c.fresh(c.bool('out_int32') ? 'int32' : 'int64', x.meta.shape, x.meta.device)
    },
  },
  /** Segments along `axis`. They share the dimensions of `lengths` before the last one; `offsets` has one more element. */
  'aten.segment_reduce': {
    meta: (c) => {
      const [data, lengths] = [c.tensor('data'), c.maybeTensor('lengths')]
      const axis = wrapDim(c.int('axis'), rankOf(data))
      const offsets = lengths ? null : c.tensor('offsets').meta.shape
      const segments = lengths?.meta.shape ?? [...offsets!.slice(0, -1), subDims(offsets!.at(-1)!, 1)]
      return c.fresh(data.meta.dtype, [...segments, ...data.meta.shape.slice(axis + 1)], data.meta.device)
    },
  },
  'aten.nonzero_static': {
    called: false,
    meta: (c, { meta: { shape, device } }) => c.fresh('int64', [c.dim('size'), shape.length], device),
  },
  'aten.where.default': { implicit: (c) => c.call('aten.nonzero_numpy.default', [c.tensor('condition')]) },
  'aten.nonzero_numpy': {
    implicit: (c) => c.call('aten.unbind.int', [c.call('aten.nonzero.default', [c.tensor('self')]), 1n]),
  },
  'aten.argwhere': { implicit: (c) => c.call('aten.nonzero.default', [c.tensor('self')]) },
})
