/** torch_npu's product of quantized matrices. */
import { KernelRefusal, numel, tensorArg } from '../kernel'
import { attr, BIAS, matrix, RESULT, rows, scale } from '../kernels/product_params'
import { scaledMm } from '../kernels/scaled_mm'
import { inNamespace, type Kernels } from '../operator'

/**
 * npu_quant_matmul(x1, x2, scale, *, offset, pertoken_scale, bias, output_dtype) of torch_npu: out = x1 @ x2 * scale
 * [1 or n], times pertoken_scale [m], rounded to int8 where output_dtype is left out. MX operands have their shared
 * exponents as scales, [m, k / 32] and [k / 32, n]; where only `scale` is given and its rows are those of x1, they are
 * x1's, which is how vLLM-Ascend's graphs here call it, and the result is bfloat16.
 */
export const npuQuantMatmul = scaledMm({
  name: 'npu_quant_matmul',
  functional: true,
  params: [
    { ...rows('x1'), aliases: ['a'] },
    { ...matrix('x2'), aliases: ['b'] },
    scale('scale', 's'),
    { name: 'offset', kind: 'in', optional: true },
    { ...scale('pertoken_scale'), optional: true },
    BIAS,
    attr('output_dtype'),
    RESULT,
  ],
  names(call) {
    if (call.tensors['offset']) throw new KernelRefusal('an `offset` is not handled')
    const [x1, s] = [tensorArg(call, 'x1'), tensorArg(call, 'scale')]
    const ofX1 =
      !call.tensors['pertoken_scale'] && s.dtype === 'uint8' && s.shape[0] === x1.shape[0] && numel(s.shape) > 1
    return {
      a: 'x1',
      b: 'x2',
      scaleA: ofX1 ? 'scale' : 'pertoken_scale',
      scaleB: ofX1 ? null : 'scale',
      out: 'result',
      dtype: 'output_dtype',
      otherwise: ofX1 ? 'bfloat16' : 'int8',
    }
  },
})

export const KERNELS: Kernels = inNamespace('npu', [npuQuantMatmul])
