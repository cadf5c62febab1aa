/** Elements read and written through index tensors. */
import { type FakeTensor, isFake, itemsOf } from '../../fake'
import { type Kernel, KernelRefusal, type Param, tensorArg } from '../../kernel'
import { eachKernel } from '../../kernels/each'
import { dimOf } from '../../kernels/strided'
import type { Families, OpDef, Rules } from '../../operator'
import { broadcastShapes, contiguousStrides, physicalOrder, preservedStrides, stridesOf } from '../../strides'
import { isZero } from '../../sym'
import { broadcastIndex } from '../elementwise/elementwise_kernel'
import { checkIndices } from './index_checks'

/** A result like `self`, with the layout of a copy of it. */
const likeSelf: OpDef = {
  meta: (c) => {
    const x = c.tensor('self')
    return c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, preservedStrides(x.meta))
  },
}

export const RESULT: Param = { name: 'result', kind: 'out' }

export const SELF: Param = { name: 'self', kind: 'in', rows: true, aliases: ['input'] }

/**
 * self with values written (or added) at indices along one dimension: the lowered form of aten.index_put with one index
 * tensor. Of several writes to one position, the last wins.
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
  js(call, read) {
    const { shape } = tensorArg(call, 'self')
    const d = dimOf(call.attrs['dim'], shape.length)
    const [x, index] = [read('self'), read('index')]
    const count = tensorArg(call, 'index').shape[0]!
    const from = tensorArg(call, 'values').shape
    const to = shape.map((n, k) => (k === d ? count : n))
    const flat = broadcastIndex(from, to)
    const values = flatReader(read('values'), from)
    return (at) => {
      let v = x(...at)
      for (let i = 0; i < count; i++) {
        const asked = index(i)
        if ((asked < 0 ? asked + shape[d]! : asked) !== at[d]) continue
        const put = values(flat(to.reduce((sum, n, k) => sum * n + (k === d ? i : at[k]!), 0)))
        v = call.attrs['accumulate'] === true ? v + put : put
      }
      return [v]
    }
  },
  wgsl(call, at, n) {
    const { shape } = tensorArg(call, 'self')
    const d = dimOf(call.attrs['dim'], shape.length)
    const values = tensorArg(call, 'values').shape
    const lead = shape.length - values.length
    const place = values.map((size, k) => (size === 1 ? '0u' : k + lead === d ? 'r' : `i${k + lead}`))
    const own = shape.map((_, k) => `i${k}`)
    return `  var v_result = ${at('self', own)};
  for (var r = 0u; r < ${n('entries', tensorArg(call, 'index').shape[0]!)}; r++) {
    let asked = i32(${at('index', ['r'])});
    if (u32(select(asked, asked + ${shape[d]}, asked < 0)) != i${d}) { continue; }
    v_result ${call.attrs['accumulate'] === true ? '+=' : '='} ${at('values', place)};
  }`
  },
})

/** Elements by their row-major number. */
function flatReader(read: (...index: number[]) => number, shape: readonly number[]): (i: number) => number {
  return (i) => {
    const index = new Array<number>(shape.length)
    for (let d = shape.length - 1; d >= 0; d--) {
      index[d] = i % shape[d]!
      i = Math.floor(i / shape[d]!)
    }
    return read(...index)
  }
}

export const rules = (): Rules => ({
  'aten.index.Tensor': {
    meta: (c) => {
      const x = c.tensor('self')
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
  'aten.index_put aten.slice_scatter aten.select_scatter aten.diagonal_scatter': likeSelf,
  'aten._unsafe_index_put': {
    decomp: (c) => {
      const more = c.bool('accumulate') ? [true] : []
      return c.op('aten.index_put.default', c.tensor('self'), c.get('indices'), c.tensor('values'), ...more)
    },
  },
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

export const FAMILIES: Families = {
  view: 'index',
}
