/** Shapes of those of sgl_kernel's operators that return a tensor: SGLang registers the same as fakes. */
import { register } from '../registry'

register('sgl_kernel.fp8_scaled_mm sgl_kernel.int8_scaled_mm sgl_kernel.fp8_blockwise_scaled_mm', {
  meta: (c) => {
    const [a, b] = [c.tensor('mat_a').meta, c.tensor('mat_b').meta]
    return c.fresh(c.dtype('out_dtype') ?? a.dtype, [a.shape[0]!, b.shape[1]!], a.device)
  },
})
