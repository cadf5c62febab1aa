/** Casts and copies: `.to(…)`, `_to_copy`, clone, contiguous, alias. */
import { dtype as dtypeArg, memoryFormat, type Device } from '../../fx'
import type { DispatchArg, FakeTensor } from '../fake'
import type { OpCall } from '../op_call'
import { register } from '../registry'
import { contiguousStrides, isContiguous, preservedStrides, stridesOf } from '../strides'

const sameDevice = (a: Device | null, b: Device | null): boolean =>
  a === null || b === null || (a.type === b.type && (a.index ?? 0) === (b.index ?? 0))

register('prims.convert_element_type', {
  // A prim keeps a dense input's strides to the letter, those of dimensions of size 1 too.
  meta: (c) => {
    const x = c.tensor('a')
    return c.fresh(c.dtype()!, x.meta.shape, x.meta.device, preservedStrides(x.meta))
  },
})
register('prims.device_put', {
  meta: (c) => {
    const x = c.tensor('a')
    return c.fresh(x.meta.dtype, x.meta.shape, c.device(), stridesOf(x.meta))
  },
})

register('aten._to_copy', {
  decomp: (c) => {
    let x = c.tensor('self')
    const [dtype, device, format] = [c.dtype(), c.device(), c.memoryFormat()]
    if (dtype === null && device === null && format === null) return c.op('aten.clone.default', x)
    let converted = false
    const convert = (): void => {
      x = c.op('prims.convert_element_type.default', x, dtypeArg(dtype!))
      converted = true
    }
    if (device !== null && !sameDevice(device, x.meta.device)) {
      if (dtype !== null && device.type === 'cpu') convert()
      x = c.op('prims.device_put.default', x, device)
    }
    if (dtype !== null && !converted) convert()
    if (format === null) return x
    return c.call('aten.clone.default', [x], { memory_format: memoryFormat(format) })
  },
})

function to(c: OpCall, dtype: string | null, device: Device | null): DispatchArg {
  const x = c.tensor('self')
  const format = c.memoryFormat()
  const keeps =
    (dtype === null || dtype === x.meta.dtype) &&
    sameDevice(device, x.meta.device) &&
    !c.bool('copy') &&
    (format === null || format === 'preserve_format' || (format === 'contiguous_format' && isContiguous(x.meta)))
  if (keeps) return x
  return c.call('aten._to_copy.default', [x], {
    ...(dtype === null ? {} : { dtype: dtypeArg(dtype) }),
    ...(device === null || sameDevice(device, x.meta.device) ? {} : { device }),
    ...(format === null ? {} : { memory_format: memoryFormat(format) }),
  })
}
register('aten.to.dtype aten.to.device aten.to.dtype_layout', { implicit: (c) => to(c, c.dtype(), c.device()) })
register('aten.to.other', {
  implicit: (c) => to(c, c.tensor('other').meta.dtype, c.tensor('other').meta.device),
})
register('aten.type_as', {
  implicit: (c) => to(c, c.tensor('other').meta.dtype, c.tensor('other').meta.device),
})

const clone = (c: OpCall, x: FakeTensor): FakeTensor => {
  const format = c.memoryFormat()
  const strides =
    format === null || format === 'preserve_format' ? preservedStrides(x.meta) : contiguousStrides(x.meta.shape)
  return c.fresh(x.meta.dtype, x.meta.shape, x.meta.device, strides)
}
register('aten.clone aten.lift_fresh_copy', { meta: (c) => clone(c, c.tensor('self')) })
register('aten.lift_fresh', { implicit: (c) => c.op('aten.lift_fresh_copy.default', c.tensor('self')) })
register('aten.alias', { meta: (c) => c.view(c.tensor('self'), {}) })
register('aten.detach', { decomp: (c) => c.op('aten.alias.default', c.tensor('self')) })
register('aten.contiguous', {
  implicit: (c) => {
    const x = c.tensor('self')
    const format = c.memoryFormat()
    if ((format === null || format === 'contiguous_format') && isContiguous(x.meta)) return x
    return c.call('aten.clone.default', [x], { memory_format: memoryFormat(format ?? 'contiguous_format') })
  },
})
register('aten.dropout', {
  implicit: (c) => {
    const x = c.tensor('input')
    const p = c.number('p')!
    if (!c.bool('train') || p === 0) return x
    if (p === 1) return c.op('aten.zeros_like.default', x)
    const kept = c.op('aten.gt.Scalar', c.op('aten.rand_like.default', x), p)
    return c.op('aten.mul.Tensor', c.op('aten.mul.Tensor', kept, x), 1 / (1 - p))
  },
})
