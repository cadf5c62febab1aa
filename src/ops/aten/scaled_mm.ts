/** Products of 8-bit floats with scales. PyTorch's fake checks ranks and dtypes, and not whether the sizes go together. */
import { register } from '../registry'
import { runtimeError } from '../torch_error'

const isFp8 = (dtype: string): boolean => dtype.startsWith('float8') || dtype.startsWith('float4')

register('aten._scaled_mm', {
  meta: (c) => {
    const [a, b] = [c.tensor('self').meta, c.tensor('mat2').meta]
    if (a.shape.length !== 2 || b.shape.length !== 2)
      throw runtimeError(`Inputs must be 2D but got self.dim()=${a.shape.length} and mat2.dim()=${b.shape.length}`)
    if (!isFp8(a.dtype) || !isFp8(b.dtype))
      throw runtimeError(
        `Expected both inputs to be fp8 or fp4 types but got self.dtype=torch.${a.dtype} and mat2.dtype=torch.${b.dtype}`,
      )
    return c.fresh(c.dtype('out_dtype') ?? a.dtype, [a.shape[0]!, b.shape[1]!], a.device)
  },
})
