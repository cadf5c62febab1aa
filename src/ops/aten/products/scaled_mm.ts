/** Products of FP8 matrices with scales. */
import { KernelRefusal, tensorArg } from '../../kernel'
import { attr, BIAS, matrix, rows, scale } from '../../kernels/product_params'
import { scaledMm } from '../../kernels/scaled_mm'
import type { Traits, Kernels, Rules } from '../../operator'
import { runtimeError } from '../../torch_error'

const isFp8 = (dtype: string): boolean => dtype.startsWith('float8') || dtype.startsWith('float4')

/** aten._scaled_mm: the operator of torch.nn.functional.scaled_mm with two scales. */
export const atenScaledMm = scaledMm({
  name: '_scaled_mm',
  functional: true,
  params: [
    { ...rows('self'), aliases: ['input'] },
    matrix('mat2'),
    scale('scale_a'),
    scale('scale_b'),
    BIAS,
    { name: 'scale_result', kind: 'in', optional: true },
    attr('out_dtype'),
    attr('use_fast_accum', false),
    { name: 'result', kind: 'out' },
  ],
  names(call) {
    const { dtype } = tensorArg(call, 'self')
    if (call.tensors['scale_result']) throw new KernelRefusal('a `scale_result` is not handled')
    if (typeof call.attrs['out_dtype'] !== 'string')
      throw new KernelRefusal(`out_dtype is required: an output of ${dtype} would not be scaled`)
    return {
      a: 'self',
      b: 'mat2',
      scaleA: 'scale_a',
      scaleB: 'scale_b',
      out: 'result',
      dtype: 'out_dtype',
    }
  },
})

export const rules = (): Rules => ({
  'aten._scaled_mm': {
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
  },
})

export const KERNELS: Kernels = { 'aten._scaled_mm': atenScaledMm }

export const TRAITS: Traits = {
  matmul: '_scaled_mm',
  e8m0: '_scaled_mm _scaled_mm_v2',
}
