/** Functional collectives: every rank has a tensor of the same shape, so the shapes are known without the others. */
import { register } from '../registry'
import { floorDiv, mulDims } from '../sym'

register('_c10d_functional.all_reduce _c10d_functional.broadcast', {
  meta: (c) => {
    const { dtype, shape, device } = c.tensor('input').meta
    return c.fresh(dtype, shape, device)
  },
})

register('_c10d_functional.wait_tensor', {
  meta: (c) => {
    const { dtype, shape, device, stride } = c.tensor('tensor').meta
    return c.fresh(dtype, shape, device, stride ?? undefined)
  },
})

register('_c10d_functional.all_gather_into_tensor', {
  meta: (c) => {
    const { dtype, shape, device } = c.tensor('input').meta
    return c.fresh(dtype, [mulDims(shape[0]!, c.dim('group_size')), ...shape.slice(1)], device)
  },
})

register('_c10d_functional.reduce_scatter_tensor', {
  meta: (c) => {
    const { dtype, shape, device } = c.tensor('input').meta
    return c.fresh(dtype, [floorDiv(shape[0]!, c.dim('group_size')), ...shape.slice(1)], device)
  },
})
