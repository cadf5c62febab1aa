/** vLLM's products of quantized matrices. */
import { KernelRefusal, tensorArg } from '../kernel'
import { attr, BIAS, fixed, matrix, RESULT, rows, scale } from '../kernels/product_params'
import { scaledMm } from '../kernels/scaled_mm'
import { inNamespace, type Kernels } from '../operator'

/** cutlass_scaled_mm(out, a, b, a_scales, b_scales, bias) of vLLM's `_C`. */
export const cutlassScaledMm = scaledMm({
  name: 'cutlass_scaled_mm',
  functional: false,
  params: [
    { name: 'out', kind: 'out', dtype: 'bfloat16' },
    rows('a'),
    matrix('b'),
    scale('a_scales'),
    scale('b_scales'),
    BIAS,
  ],
  names: fixed({ a: 'a', b: 'b', scaleA: 'a_scales', scaleB: 'b_scales', out: 'out' }),
})

/** vLLM's block-scaled products by Triton and CUTLASS: weights [n, k], their scales [n / 128, k / 128]. */
const blockScaled = ['w8a8_triton_block_scaled_mm_func', 'padded_cutlass'].map((name) =>
  scaledMm({
    name,
    functional: true,
    params: [
      rows('qx'),
      matrix('weight'),
      scale('x_scale'),
      scale('weight_scale'),
      attr('block_size'),
      attr('output_dtype', 'bfloat16'),
      RESULT,
    ],
    names: fixed({
      a: 'qx',
      b: 'weight',
      scaleA: 'x_scale',
      scaleB: 'weight_scale',
      out: 'result',
      dtype: 'output_dtype',
      weights: true,
    }),
  }),
)

/** vLLM's call of DeepGEMM: the same, into a given tensor. */
const fp8GemmNt = scaledMm({
  name: 'fp8_gemm_nt_op',
  functional: false,
  params: [
    rows('q_input'),
    scale('input_scale'),
    matrix('weight'),
    scale('weight_scale'),
    { name: 'output', kind: 'out', dtype: 'bfloat16' },
    attr('use_deep_gemm_e8m0', false),
  ],
  names(call) {
    for (const name of ['input_scale', 'weight_scale'])
      if (tensorArg(call, name).dtype === 'int32')
        throw new KernelRefusal(`\`${name}\` packed into int32 is not supported: pass one float32 per block`)
    return {
      a: 'q_input',
      b: 'weight',
      scaleA: 'input_scale',
      scaleB: 'weight_scale',
      out: 'output',
      weights: true,
    }
  },
})

/**
 * The FP8 linear layers of the examples' graphs, whose schema is (a, b, s): weights [n, k] without their own scales,
 * and scales of the activations: one for all, one per row or one per block of k.
 */
const exampleLinears = ['fp8_mm', 'fp8_block_mm'].map((name) =>
  scaledMm({
    name,
    functional: true,
    params: [rows('a'), matrix('b'), scale('s'), RESULT],
    names: fixed({ a: 'a', b: 'b', scaleA: 's', scaleB: null, out: 'result', weights: true }),
  }),
)

export const KERNELS: Kernels = inNamespace('_C', [cutlassScaledMm, ...blockScaled, fp8GemmNt, ...exampleLinears])

export const SCHEMAS = `# vLLM csrc/libtorch_stable/torch_bindings.cpp
2025-05..2026-08 _C::cutlass_scaled_mm(Tensor! out, Tensor a, Tensor b, Tensor a_scales, Tensor b_scales, Tensor? bias) -> ()`
