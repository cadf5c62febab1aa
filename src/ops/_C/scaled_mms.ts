/** The operators that multiply quantised matrices: vLLM's, SGLang's, PyTorch's and Ascend's names for one definition. */
import { KernelRefusal, numel, tensorArg, type Kernel, type Param } from '../kernel'
import { scaledMm, type ProductNames } from './scaled_mm'

const BIAS: Param = { name: 'bias', kind: 'in', optional: true }
const rows = (name: string): Param => ({ name, kind: 'in', rows: true })
const matrix = (name: string): Param => ({ name, kind: 'in' })
const scale = (name: string, ...aliases: string[]): Param => ({ name, kind: 'in', sample: 'scale', aliases })
const attr = (name: string, value: Param['default'] = null): Param => ({ name, kind: 'attr', default: value })
const RESULT: Param = { name: 'result', kind: 'out', dtype: 'bfloat16' }
const fixed = (names: ProductNames) => (): ProductNames => names

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

/** vLLM's call of DeepGEMM: as the above, into a tensor that is given. */
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
        throw new KernelRefusal(`\`${name}\` packed into int32 is not handled: give one float32 a block`)
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
 * The FP8 linear layers of the examples' graphs, whose schema is (a, b, s): weights [n, k] without scales of their own,
 * and scales of the activations, one for all, one a row or one a block of k.
 */
const exampleLinears = ['fp8_mm', 'fp8_block_mm'].map((name) =>
  scaledMm({
    name,
    functional: true,
    params: [rows('a'), matrix('b'), scale('s'), RESULT],
    names: fixed({ a: 'a', b: 'b', scaleA: 's', scaleB: null, out: 'result', weights: true }),
  }),
)

export const VLLM_PRODUCTS: readonly Kernel[] = [cutlassScaledMm, ...blockScaled, fp8GemmNt, ...exampleLinears]

/** aten._scaled_mm: torch.nn.functional.scaled_mm's operator of two scales. */
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
      throw new KernelRefusal(`its out_dtype must be said: one of ${dtype} would not be scaled`)
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
