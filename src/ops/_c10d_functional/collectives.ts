/**
 * PyTorch's functional collectives: every rank has a tensor of the same shape, so the shapes are known without the
 * others.
 */
import { inNamespace, type Kernels, type Rules, type Traits } from '../operator'
import { addDims, floorDiv, mulDims } from '../sym'
import { functionalAllReduce } from '../vllm/collectives'

export const rules = (): Rules => ({
  '_c10d_functional.all_reduce _c10d_functional.broadcast': {
    meta: (c) => {
      const { dtype, shape, device } = c.tensor('input').meta
      return c.fresh(dtype, shape, device)
    },
  },
  '_c10d_functional.wait_tensor': {
    meta: (c) => {
      const { dtype, shape, device, stride } = c.tensor('tensor').meta
      return c.fresh(dtype, shape, device, stride ?? undefined)
    },
  },
  '_c10d_functional.all_gather_into_tensor': {
    meta: (c) => {
      const { dtype, shape, device } = c.tensor('input').meta
      return c.fresh(dtype, [mulDims(shape[0]!, c.dim('group_size')), ...shape.slice(1)], device)
    },
  },
  '_c10d_functional.all_to_all_single': {
    meta: (c) => {
      const { dtype, shape, device } = c.tensor('input').meta
      const sizes = c.dims('output_split_sizes')!
      return c.fresh(dtype, [sizes.length === 0 ? shape[0]! : sizes.reduce(addDims), ...shape.slice(1)], device)
    },
  },
  '_c10d_functional.reduce_scatter_tensor': {
    meta: (c) => {
      const { dtype, shape, device } = c.tensor('input').meta
      return c.fresh(dtype, [floorDiv(shape[0]!, c.dim('group_size')), ...shape.slice(1)], device)
    },
  },
})

export const KERNELS: Kernels = inNamespace('_c10d_functional', [functionalAllReduce])

export const TRAITS: Traits = {
  passes: 'all_gather_into_tensor all_reduce all_to_all_single reduce_scatter_tensor wait_tensor',
}
