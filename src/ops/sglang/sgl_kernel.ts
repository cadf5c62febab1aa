/**
 * Operators of SGLang that equal vLLM's under other names: same formulas, different argument names. Its attention and its
 * products of quantized matrices.
 */
import { perTokenGroupFp8Quant } from '../_C/block_quant'
import { fusedAddRmsNorm, rmsNorm } from '../_C/rms_norm'
import { staticScaledFp8Quant } from '../_C/static_quant'
import { type Kernel, KernelRefusal, type Param } from '../kernel'
import { inNamespace, type Kernels, type Rules } from '../operator'
import { attr, BIAS, fixed, matrix, RESULT, rows, scale } from '../kernels/product_params'
import { scaledMm } from '../kernels/scaled_mm'
import { unifiedAttentionWithOutput } from '../vllm/attention'

/** Allows the next kernel to start before this one has finished; does not affect results. */
const ENABLE_PDL: Param = { name: 'enable_pdl', kind: 'attr', optional: true }

const alias = (params: readonly Param[], names: Readonly<Record<string, string>>): Param[] =>
  params.map((p) => (names[p.name] ? { ...p, aliases: [...(p.aliases ?? []), names[p.name]!] } : p))

/** output = RMSNorm(input) * weight, as `_C.rms_norm`. */
export const rmsnorm: Kernel = {
  ...rmsNorm,
  name: 'rmsnorm',
  params: [...alias(rmsNorm.params, { result: 'output' }), ENABLE_PDL],
}

/** residual += input; input = RMSNorm(residual) * weight, as `_C.fused_add_rms_norm`. */
export const fusedAddRmsnorm: Kernel = {
  ...fusedAddRmsNorm,
  name: 'fused_add_rmsnorm',
  params: [...fusedAddRmsNorm.params, ENABLE_PDL],
}

/** As vLLM's per_token_group_fp8_quant: sgl-kernel csrc/gemm/per_token_group_quant_8bit.cu. */
export const sglPerTokenGroupQuantFp8: Kernel = {
  ...perTokenGroupFp8Quant,
  name: 'sgl_per_token_group_quant_fp8',
  params: perTokenGroupFp8Quant.params.filter((p) => !p.name.startsWith('dummy_')),
}

/** output_q = f8(clamp(input / output_s, -448, 448)), as `_C.static_scaled_fp8_quant`, if the scale is given. */
export const sglPerTensorQuantFp8: Kernel = {
  ...staticScaledFp8Quant,
  name: 'sgl_per_tensor_quant_fp8',
  params: [
    ...alias(
      staticScaledFp8Quant.params.filter((p) => p.kind !== 'attr'),
      { result: 'output_q', scale: 'output_s' },
    ),
    { name: 'is_static', kind: 'attr' },
  ],
  outputs(call) {
    if (call.attrs['is_static'] !== true)
      throw new KernelRefusal('a scale that is measured (`is_static=False`) is not implemented')
    return staticScaledFp8Quant.outputs(call)
  },
}

/** fp8_scaled_mm, int8_scaled_mm and, without a bias, fp8_blockwise_scaled_mm of `sgl_kernel`: b is [k, n]. */
const sglScaledMms = ['fp8_scaled_mm', 'int8_scaled_mm', 'fp8_blockwise_scaled_mm'].map((name) =>
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

export const KERNELS: Kernels = inNamespace('sglang', [
  rmsnorm,
  fusedAddRmsnorm,
  sglPerTensorQuantFp8,
  sglPerTokenGroupQuantFp8,
  ...sglScaledMms,
  { ...unifiedAttentionWithOutput, name: 'attention_with_output' },
])

export const SCHEMAS = `# SGLang sgl-kernel/csrc/common_extension.cc
2025-05..2026-06 sgl_kernel::rmsnorm(Tensor! output, Tensor input, Tensor weight, float eps, bool enable_pdl) -> ()
2025-05..2026-06 sgl_kernel::fused_add_rmsnorm(Tensor! input, Tensor! residual, Tensor weight, float eps, bool enable_pdl) -> ()
2026-01..2026-02 sgl_kernel::sgl_per_tensor_quant_fp8(Tensor input, Tensor! output_q, Tensor! output_s, bool is_static) -> ()
2025-05..2025-12 sgl_kernel::sgl_per_tensor_quant_fp8(Tensor input, Tensor output_q, Tensor output_s, bool is_static) -> ()
# SGLang (proposal) fusions.py
sgl_kernel::sgl_per_tensor_quant_fp8(Tensor input, Tensor! output_q, Tensor output_s, bool is_static) -> ()
# SGLang sgl-kernel/csrc/common_extension.cc
2025-06..2025-09 sgl_kernel::sgl_per_token_group_quant_fp8(Tensor input, Tensor output_q, Tensor output_s, int group_size, float eps, float fp8_min, float fp8_max, bool scale_ue8m0) -> ()
2025-05..2025-05 sgl_kernel::sgl_per_token_group_quant_fp8(Tensor input, Tensor output_q, Tensor output_s, int group_size, float eps, float fp8_min, float fp8_max) -> ()
# SGLang (proposal) fusions.py
sgl_kernel::sgl_per_token_group_quant_fp8(Tensor input, Tensor! output_q, Tensor! output_s, int group_size, float eps, float fp8_min, float fp8_max, bool scale_ue8m0) -> ()
# SGLang sgl-kernel/csrc/common_extension.cc
2025-05..2026-06 sgl_kernel::fp8_scaled_mm(Tensor mat_a, Tensor mat_b, Tensor scales_a, Tensor scales_b, ScalarType out_dtype, Tensor? bias) -> Tensor
2025-05..2026-06 sgl_kernel::int8_scaled_mm(Tensor mat_a, Tensor mat_b, Tensor scales_a, Tensor scales_b, ScalarType out_dtype, Tensor? bias) -> Tensor
2025-05..2026-06 sgl_kernel::fp8_blockwise_scaled_mm(Tensor mat_a, Tensor mat_b, Tensor scales_a, Tensor scales_b, ScalarType out_dtype) -> Tensor`
