/** SGLang's products of quantized matrices. */
import { attr, BIAS, fixed, matrix, RESULT, rows, scale } from '../kernels/product_params'
import { scaledMm } from '../kernels/scaled_mm'
import { inNamespace, type Kernels, type Rules } from '../operator'

/** fp8_scaled_mm, int8_scaled_mm and, without a bias, fp8_blockwise_scaled_mm of `sgl_kernel`: b is [k, n]. */
export const sglScaledMms = ['fp8_scaled_mm', 'int8_scaled_mm', 'fp8_blockwise_scaled_mm'].map((name) =>
  scaledMm({
    name,
    functional: true,
    params: [
      rows('mat_a'),
      matrix('mat_b'),
      scale('scales_a'),
      scale('scales_b'),
      attr('out_dtype', 'bfloat16'),
      ...(name === 'fp8_blockwise_scaled_mm' ? [] : [BIAS]),
      RESULT,
    ],
    names: fixed({
      a: 'mat_a',
      b: 'mat_b',
      scaleA: 'scales_a',
      scaleB: 'scales_b',
      out: 'result',
      dtype: 'out_dtype',
    }),
  }),
)

/** SGLang registers the same shapes as fakes. */
export const rules = (): Rules => ({
  'sgl_kernel.fp8_scaled_mm sgl_kernel.int8_scaled_mm sgl_kernel.fp8_blockwise_scaled_mm': {
    meta: (c) => {
      const [a, b] = [c.tensor('mat_a').meta, c.tensor('mat_b').meta]
      return c.fresh(c.dtype('out_dtype') ?? a.dtype, [a.shape[0]!, b.shape[1]!], a.device)
    },
  },
})

export const KERNELS: Kernels = inNamespace('sglang', [...sglScaledMms])

export const SCHEMAS = `# SGLang sgl-kernel/csrc/common_extension.cc
2025-05..2026-06 sgl_kernel::fp8_scaled_mm(Tensor mat_a, Tensor mat_b, Tensor scales_a, Tensor scales_b, ScalarType out_dtype, Tensor? bias) -> Tensor
2025-05..2026-06 sgl_kernel::int8_scaled_mm(Tensor mat_a, Tensor mat_b, Tensor scales_a, Tensor scales_b, ScalarType out_dtype, Tensor? bias) -> Tensor
2025-05..2026-06 sgl_kernel::fp8_blockwise_scaled_mm(Tensor mat_a, Tensor mat_b, Tensor scales_a, Tensor scales_b, ScalarType out_dtype) -> Tensor`
