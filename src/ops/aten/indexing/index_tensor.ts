/** Elements read and written through index tensors. */
import { type FakeTensor, isFake, itemsOf } from '../../fake'
import { type Expr, fold, load, where } from '../../expr/expr'
import { type Kernel, KernelRefusal, type Param, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import { dimOf } from '../../kernels/strided'
import { python } from '../../formula/formula'
import type { Traits, OpDef, Rules } from '../../operator'
import { broadcastShapes, contiguousStrides, physicalOrder, preservedStrides, stridesOf } from '../../strides'
import { isZero } from '../../sym'
import { takesAll } from '../views/slice'
import { checkIndices } from './index_checks'

/** A result like `self`, with the layout of a copy of it. */
const likeSelf: OpDef = {
  meta: (c, x) => c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, preservedStrides(x.meta)),
}

export const RESULT: Param = { name: 'result', kind: 'out' }

export const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['input'] }

/**
 * self with values written (or added) at indices along one dimension: the lowered form of aten.index_put with one index tensor. If
 * several writes go to one position, the last wins.
 */
export const indexPutOne: Kernel = eachKernel({
  name: 'index_put',
  params: [
    SELF,
    { name: 'dim', kind: 'attr' },
    { name: 'index', kind: 'in' },
    { name: 'values', kind: 'in' },
    { name: 'accumulate', kind: 'attr', default: false },
    RESULT,
  ],
  outputs(call) {
    const { shape, dtype } = tensorArg(call, 'self')
    const index = tensorArg(call, 'index')
    if (index.shape.length !== 1 || !['int64', 'int32'].includes(index.dtype))
      throw new KernelRefusal(
        `only an index of one dimension is handled, found ${index.dtype}[${index.shape.join(', ')}]`,
      )
    return { result: { shape, dtype } }
  },
  values(call, index) {
    const { shape } = tensorArg(call, 'self')
    const d = dimOf(call.attrs['dim'], shape.length)
    const values = tensorArg(call, 'values').shape
    const lead = shape.length - values.length
    return fold(tensorArg(call, 'index').shape[0]!, [load('self', ...index)], (r, [v]) => {
      const at = values.map((size, k) => (size === 1 ? 0 : k + lead === d ? r : index[k + lead]!))
      const put = load('values', ...at)
      const written = call.attrs['accumulate'] === true ? v!.plus(put) : put
      return [where(fromFront(load('index', r).whole(), shape[d]!).eq(index[d]!), written, v!)]
    })
  },
})

/** An index that may count from the end. */
export const fromFront = (i: Expr, size: number): Expr => where(i.lt(0), i.plus(size), i)

export const rules = (): Rules => ({
  'aten.index.Tensor': {
    meta: (c, x) => {
      const list = itemsOf(c.get('indices')) ?? []
      checkIndices(
        x,
        list.map((t) => (isFake(t) ? t : null)),
      )
      const at = list.map((t, i) => (isFake(t) ? i : -1)).filter((i) => i >= 0)
      const picked = broadcastShapes(list.filter(isFake).map((t) => t.meta.shape))
      const rest = x.meta.shape.filter((_, i) => !at.includes(i))
      // Adjacent index dimensions stay in place; separated ones move to the front.
      const together = at.every((d, i) => i === 0 || d === at[i - 1]! + 1)
      const before = together ? (at[0] ?? 0) : 0
      const shape = [...rest.slice(0, before), ...picked, ...rest.slice(before)]
      // Laid out like self, with stride 0 in the picked dimensions (restride_src).
      const strides = stridesOf(x.meta)
      const kept = x.meta.shape.map((_, i) => i).filter((i) => !at.includes(i))
      const steps = kept.map((i) => strides[i]!)
      const stride = [...steps.slice(0, before), ...picked.map(() => 0), ...steps.slice(before)]
      const order = x.meta.shape.some(isZero) ? [] : physicalOrder([{ ...x.meta, shape, stride }])
      const packed = contiguousStrides(order.map((i) => shape[i]!))
      const laid = order.length === 0 ? contiguousStrides(shape) : shape.map((_, i) => packed[order.indexOf(i)]!)
      return c.fresh(x.meta.dtype, shape, x.meta.device, laid)
    },
  },
  'aten.index_put aten.select_scatter aten.diagonal_scatter aten.as_strided_scatter': likeSelf,
  'aten.slice_scatter': {
    ...likeSelf,
    noop: ([x, source, ...range], valueOf, { wholeSlices }) =>
      takesAll(valueOf(x), range, wholeSlices) ? source : undefined,
  },
  'aten._unsafe_index_put': { decomp: python('index_put(self, indices, values, accumulate)') },
  'aten._unsafe_index.Tensor': {
    meta: (c) => {
      const list = itemsOf(c.get('indices')) ?? []
      checkIndices(
        c.tensor('self'),
        list.map((t) => (isFake(t) ? t : null)),
        true,
      )
      return c.call('aten.index.Tensor', [c.tensor('self'), c.get('indices')]) as FakeTensor
    },
  },
})

export const TRAITS: Traits = {
  view: 'index',
}
