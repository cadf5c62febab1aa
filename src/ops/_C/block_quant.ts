/** FP8 quantization in groups with one scale each: the unfused operator, and the one fused with silu_and_mul. */
import {
  KernelRefusal,
  numberAttr,
  numel,
  tensorArg,
  type AttrValue,
  type Kernel,
  type KernelCall,
  type OutSpec,
} from '../kernel'
import { ceilPow2, FP8_MAX, FP8_MIN_SCALE, overMax, saturated } from '../expr/codes'
import { type Expr, load } from '../expr/expr'
import { larger, smaller } from '../expr/functions'
import { rowKernel } from '../kernels/row_kernel'
import { contiguousStrides } from '../strides'
import { boundDifference, unfusedEps } from './dynamic'
import { halved } from './silu_and_mul'
import { plainSource, siluMulSource } from '../kernels/source'
import { inNamespace, type Kernels } from '../operator'

/** [..., d / group] for values of shape [..., d]. */
export function scaleShape(shape: readonly number[], groupSize: number): number[] {
  const d = shape[shape.length - 1] ?? 0
  if (!Number.isInteger(groupSize) || groupSize <= 0 || d % groupSize !== 0)
    throw new KernelRefusal(`the hidden size ${d} must be a multiple of group_size, found ${groupSize}`)
  return [...shape.slice(0, -1), d / groupSize]
}

/**
 * Scales of [..., groups]. If transposed, the tokens are adjacent (stride (1, tokens)); if TMA-aligned, each group
 * starts at a multiple of 16 bytes.
 */
export function scaleSpec(shape: number[], transposed: boolean, aligned: boolean): OutSpec {
  if (!transposed) return { shape, dtype: 'float32' }
  const tokens = numel(shape.slice(0, -1))
  const rows = contiguousStrides(shape.slice(0, -1))
  return { shape, dtype: 'float32', stride: [...rows, aligned ? Math.ceil(tokens / 4) * 4 : tokens] }
}

/** 2^ceil(log2(max(s, 1e-10))), computed in float32 as in vLLM. */
const ue8m0 = (s: Expr): Expr => ceilPow2(larger(s, Math.fround(1e-10)))

/**
 * s = max(amax(|group|), eps) / fp8_max, with scale_ue8m0 rounded up to a power of two; q = f8(clamp(x / s, fp8_min,
 * fp8_max)). vLLM csrc/quantization/w8a8/fp8/per_token_group_quant.cu; its two `dummy_` arguments only tell patterns
 * apart. A NaN makes its group NaN, as torch.amax does (CUDA's fmaxf would skip it).
 * Shapes: input [..., d], output_q [..., d], output_s [..., d / group_size] float32, of any strides.
 */
export const perTokenGroupFp8Quant: Kernel = rowKernel({
  name: 'per_token_group_fp8_quant',
  params: [
    { name: 'input', kind: 'in', rows: true, aliases: ['x'] },
    { name: 'output_q', kind: 'out', dtype: 'float8_e4m3fn' },
    { name: 'output_s', kind: 'out' },
    { name: 'group_size', kind: 'attr' },
    { name: 'eps', kind: 'attr', default: 1e-10 },
    { name: 'fp8_min', kind: 'attr', default: -FP8_MAX },
    { name: 'fp8_max', kind: 'attr', default: FP8_MAX },
    { name: 'scale_ue8m0', kind: 'attr', default: false },
    { name: 'dummy_is_scale_transposed', kind: 'attr', default: false },
    { name: 'dummy_is_tma_aligned', kind: 'attr', default: false },
  ],
  outputs(call) {
    const { shape } = tensorArg(call, 'input')
    return {
      output_q: { shape, dtype: null },
      output_s: scaleSpec(
        scaleShape(shape, numberAttr(call, 'group_size')),
        call.attrs['dummy_is_scale_transposed'] === true,
        call.attrs['dummy_is_tma_aligned'] === true,
      ),
    }
  },
  rows(call) {
    const [min, max, eps] = ['fp8_min', 'fp8_max', 'eps'].map((name) => Math.fround(numberAttr(call, name)))
    return {
      source: plainSource(call, 'input'),
      out: 'output_q',
      quant: {
        groupSize: numberAttr(call, 'group_size'),
        scales: 'output_s',
        apart: true,
        key(peak) {
          const s = overMax(max!)(larger(peak, eps!))
          return call.attrs['scale_ue8m0'] === true ? ue8m0(s) : s
        },
        code: (x, s) => saturated(tensorArg(call, 'output_q').dtype, x.over(s!).f32(), max, min),
      },
    }
  },
})

/** Attributes set only by counterfactuals: they make the fused definition behave like the unfused pair. */
const AS_UNFUSED = { round: 'as_unfused_round', ue8m0: 'as_unfused_ue8m0' } as const

/**
 * v = silu(gate) * up in float32, never rounded to the input's dtype; s = max(amax(|group of v|) / 448, 1 / (448 * 512)),
 * bounded by scale_ub when given; out = f8(clamp(v / s, -448, 448)). No ue8m0.
 * vLLM csrc/quantization/fused_kernels/fused_silu_mul_block_quant.cu.
 * Shapes: input [..., 2 d], out [..., d], scales [..., d / group_size] float32, of any strides.
 */
export const siluAndMulPerBlockQuant: Kernel = rowKernel({
  name: 'silu_and_mul_per_block_quant',
  params: [
    { name: 'out', kind: 'out', aliases: ['result'], dtype: 'float8_e4m3fn' },
    { name: 'input', kind: 'in', rows: true },
    { name: 'scales', kind: 'out' },
    { name: 'group_size', kind: 'attr' },
    { name: 'scale_ub', kind: 'in', optional: true, sample: 'scale' },
    { name: 'is_scale_transposed', kind: 'attr', default: false },
  ],
  outputs(call) {
    const shape = halved(call, 'input')
    return {
      out: { shape, dtype: null },
      scales: scaleSpec(
        scaleShape(shape, numberAttr(call, 'group_size')),
        call.attrs['is_scale_transposed'] === true,
        false,
      ),
    }
  },
  rows(call) {
    const over = overMax(FP8_MAX)
    const eps = unfusedEps(call)
    const bounded = (s: Expr): Expr =>
      larger(call.tensors['scale_ub'] ? smaller(s, load('scale_ub')) : s, FP8_MIN_SCALE)
    return {
      source: siluMulSource(call, 'input', call.attrs[AS_UNFUSED.round] === true),
      out: 'out',
      quant: {
        groupSize: numberAttr(call, 'group_size'),
        scales: 'scales',
        apart: true,
        key(peak) {
          const s = eps === undefined ? bounded(over(peak)) : over(larger(peak, Math.fround(eps)))
          return call.attrs[AS_UNFUSED.ue8m0] === true ? ue8m0(s) : s
        },
        code: (x, s) => saturated(tensorArg(call, 'out').dtype, x.over(s!).f32()),
      },
    }
  },
  counterfactuals: (call, unfused) => blockQuantDifferences(call, unfused),
})

function blockQuantDifferences(
  call: KernelCall,
  unfused: readonly Readonly<Record<string, AttrValue>>[],
): ReturnType<NonNullable<Kernel['counterfactuals']>> {
  const { dtype } = tensorArg(call, 'input')
  const found: ReturnType<NonNullable<Kernel['counterfactuals']>> = []
  if (unfused.some((a) => a['scale_ue8m0'] === true))
    found.push({
      id: 'ue8m0',
      text: 'does not implement ue8m0: the unfused scales are powers of two, its own are not',
      attrs: { [AS_UNFUSED.ue8m0]: true },
    })
  if (dtype !== 'float32')
    found.push({
      id: 'round',
      text: `does not round silu(gate) and the product to ${dtype} before quantizing`,
      attrs: { [AS_UNFUSED.round]: true },
    })
  return [...found, ...boundDifference(unfused)]
}

export const KERNELS: Kernels = inNamespace('_C', [perTokenGroupFp8Quant, siluAndMulPerBlockQuant])

export const SCHEMAS = `# vLLM csrc/libtorch_stable/torch_bindings.cpp
2026-02..2026-08 _C::per_token_group_fp8_quant(Tensor input, Tensor! output_q, Tensor! output_s, int group_size, float eps, float fp8_min, float fp8_max, bool scale_ue8m0, bool dummy_is_scale_transposed, bool dummy_is_tma_aligned) -> ()
# vLLM csrc/torch_bindings.cpp
2025-07..2026-02 _C::per_token_group_fp8_quant(Tensor input, Tensor! output_q, Tensor! output_s, int group_size, float eps, float fp8_min, float fp8_max, bool scale_ue8m0) -> ()
# vLLM csrc/libtorch_stable/torch_bindings.cpp
2026-04..2026-08 _C::silu_and_mul_per_block_quant(Tensor! out, Tensor input, Tensor! scales, int group_size, Tensor? scale_ub=None, bool is_scale_transposed=False) -> ()`
