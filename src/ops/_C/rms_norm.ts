/** RMS normalization: alone, after adding a residual, and fused with each quantization of its result. */
import { KernelRefusal, numberAttr, tensorArg, type Kernel, type KernelCall, type OutSpec, type Param } from '../kernel'
import { type Normed, weightRows } from '../kernels/norm_values'
import { rowKernel } from '../kernels/row_kernel'
import type { RowSpec } from '../kernels/row_spec'
import { addSource, plainSource, type Source } from '../kernels/source'
import { scaleShape, scaleSpec } from './block_quant'
import { dynamicQuant, requireScaleUb, boundDifference } from './dynamic'
import { fp8Sink, int8Sink, requireOneAzp, requireOneScale } from './static_quant'
import { inNamespace, type Kernels } from '../operator'

/** The names an operator gives to the normalized values. */
export interface NormNames {
  readonly input: string
  readonly weight: string
  readonly epsilon: string
  /** Added first, if the call passes it. */
  readonly residual?: string
  /** The sum is rounded to T before it is normalized: see addSource. */
  readonly roundSum: boolean
}

const PLAIN: NormNames = { input: 'input', weight: 'weight', epsilon: 'epsilon', roundSum: true }
const ADDED: NormNames = { ...PLAIN, residual: 'residual' }
/** The sum stays in float32, and the stored residual is rounded: vLLM layernorm_utils.cuh. */
const ADDED_F32: NormNames = { ...ADDED, roundSum: false }

/** Set only by the counterfactual: the definition then rounds the sum, as the unfused pair does. */
const AS_UNFUSED_SUM = 'as_unfused_sum'

const hasResidual = (call: KernelCall, names: NormNames): names is NormNames & { residual: string } =>
  names.residual !== undefined && Boolean(call.tensors[names.residual])

/** The input of a row shader and its norm. */
export function normSpec(call: KernelCall, names: NormNames): Normed {
  const source: Source = hasResidual(call, names)
    ? addSource(call, names.input, names.residual, names.roundSum)
    : plainSource(call, names.input)
  const norm = {
    weight: names.weight,
    rows: weightRows(call, names.weight, source),
    epsilon: numberAttr(call, names.epsilon),
  }
  return { source, norm }
}

/** With a residual, the sum that is normalized is stored too. */
function normRows(call: KernelCall, names: NormNames): Normed & Pick<RowSpec, 'keep' | 'keepsValues' | 'out'> {
  const keep = hasResidual(call, names) ? { keep: `${names.residual}_out`, keepsValues: names.roundSum } : {}
  return { ...normSpec(call, names), ...keep, out: 'result' }
}

const shapeOf = (call: KernelCall): readonly number[] => tensorArg(call, 'input').shape

const INPUT: Param = { name: 'input', kind: 'in', rows: true }
const RESIDUAL: Param = { name: 'residual', kind: 'inout', rows: true }
const WEIGHT: Param = { name: 'weight', kind: 'in', sample: 'weight' }
const SCALE: Param = { name: 'scale', kind: 'in', sample: 'scale' }
const EPSILON: Param = { name: 'epsilon', kind: 'attr', default: 1e-6, aliases: ['eps'] }
const result = (dtype?: Param['dtype']): Param => ({
  name: 'result',
  kind: 'out',
  aliases: ['out'],
  ...(dtype && { dtype }),
})

/**
 * result = T(x * rsqrt(mean(x^2) + epsilon)) * weight, the mean in float32 and the last product in T, the input's dtype.
 * vLLM csrc/layernorm_kernels.cu. Shapes: input [..., d], weight [d] (or broadcastable), result as input.
 */
export const rmsNorm: Kernel = rowKernel({
  name: 'rms_norm',
  params: [result(), INPUT, WEIGHT, EPSILON],
  outputs: (call) => ({ result: { shape: shapeOf(call), dtype: tensorArg(call, 'input').dtype } }),
  rows: (call) => normRows(call, PLAIN),
})

/**
 * residual = T(input + residual); input = rms_norm(residual). vLLM csrc/layernorm_kernels.cu, `fused_add_rms_norm`.
 * Shapes: input and residual [..., d], weight [d].
 */
export const fusedAddRmsNorm: Kernel = rowKernel({
  name: 'fused_add_rms_norm',
  params: [{ name: 'input', kind: 'inout', rows: true }, RESIDUAL, WEIGHT, EPSILON],
  outputs: () => ({}),
  rows: (call) => ({ ...normRows(call, ADDED), out: 'input_out' }),
})

/** rms_norm rounded to T, then static_scaled_fp8_quant. vLLM csrc/layernorm_quant_kernels.cu. */
export const rmsNormStaticFp8Quant: Kernel = rowKernel({
  name: 'rms_norm_static_fp8_quant',
  params: [result('float8_e4m3fn'), INPUT, WEIGHT, SCALE, EPSILON],
  outputs(call) {
    requireOneScale(call)
    return { result: { shape: shapeOf(call), dtype: null } }
  },
  rows: (call) => ({ ...normRows(call, PLAIN), sink: fp8Sink(call) }),
})

/**
 * residual = T(input + residual), rms_norm of it rounded to T, then static_scaled_fp8_quant.
 * vLLM csrc/layernorm_quant_kernels.cu, `fused_add_rms_norm_static_fp8_quant`.
 */
export const fusedAddRmsNormStaticFp8Quant: Kernel = rowKernel({
  name: 'fused_add_rms_norm_static_fp8_quant',
  params: [result('float8_e4m3fn'), INPUT, RESIDUAL, WEIGHT, SCALE, EPSILON],
  outputs(call) {
    requireOneScale(call)
    return { result: { shape: shapeOf(call), dtype: null } }
  },
  rows: (call) => ({ ...normRows(call, ADDED), sink: fp8Sink(call) }),
})

/**
 * The article's int8 pair in one operator: rms_norm rounded to T, then static_scaled_int8_quant. `scale` is unchanged.
 * The article's own bodies are placeholders that write nothing; this implements what their names describe.
 */
export const fusedRmsNormQuantStatic: Kernel = rowKernel({
  name: 'fused_rms_norm_quant_static',
  params: [
    result('int8'),
    INPUT,
    WEIGHT,
    { ...SCALE, kind: 'kept' },
    { name: 'azp', kind: 'in', optional: true },
    EPSILON,
  ],
  outputs(call) {
    requireOneScale(call)
    requireOneAzp(call)
    return { result: { shape: shapeOf(call), dtype: null } }
  },
  rows: (call) => ({ ...normRows(call, PLAIN), sink: int8Sink(call) }),
})

function normThenDynamic(
  name: string,
  params: readonly Param[],
  scales: (call: KernelCall) => OutSpec,
  groupSize: (call: KernelCall) => number,
): Kernel {
  return rowKernel({
    name,
    params,
    outputs(call) {
      requireScaleUb(call)
      return { result: { shape: shapeOf(call), dtype: null }, scale: scales(call) }
    },
    rows: (call) => ({
      ...normRows(call, call.attrs[AS_UNFUSED_SUM] === true ? ADDED : ADDED_F32),
      quant: dynamicQuant(call, { out: 'result', scales: 'scale', groupSize: groupSize(call), kind: 'bounded' }),
    }),
    counterfactuals(call, unfused) {
      const { dtype } = tensorArg(call, 'input')
      const bound = boundDifference(unfused)
      if (!call.tensors['residual'] || dtype === 'float32') return bound
      const text = `does not round the sum of input and residual to ${dtype} before it is normalized`
      return [{ id: 'sum', text, attrs: { [AS_UNFUSED_SUM]: true } }, ...bound]
    },
  })
}

const SCALES: Param = { name: 'scale', kind: 'out', aliases: ['scales'] }
const SCALE_UB: Param = { name: 'scale_ub', kind: 'in', optional: true, sample: 'scale' }
const OPTIONAL_RESIDUAL: Param = { ...RESIDUAL, optional: true }

/**
 * z = input (+ residual, in float32; residual = T(z)); y = T(T(z * rsqrt(mean(z^2) + epsilon)) * weight);
 * s = max(min(amax(row of y), scale_ub) / max, smallest scale); result = y / s for FP8, y * (1 / s) for int8.
 * vLLM csrc/quantization/fused_kernels/fused_layernorm_dynamic_per_token_quant.cu, layernorm_utils.cuh.
 * Shapes: input [..., d], result [..., d], scale [..., 1] float32.
 */
export const rmsNormDynamicPerTokenQuant: Kernel = normThenDynamic(
  'rms_norm_dynamic_per_token_quant',
  [result('float8_e4m3fn'), INPUT, WEIGHT, SCALES, EPSILON, SCALE_UB, OPTIONAL_RESIDUAL],
  (call) => ({ shape: [...shapeOf(call).slice(0, -1), 1], dtype: 'float32' }),
  (call) => Math.max(1, shapeOf(call).at(-1) ?? 1),
)

/** rms_norm_dynamic_per_token_quant with one scale per group of a row. Same sources; scale [..., d / group_size]. */
export const rmsNormPerBlockQuant: Kernel = normThenDynamic(
  'rms_norm_per_block_quant',
  [
    result('float8_e4m3fn'),
    INPUT,
    WEIGHT,
    SCALES,
    EPSILON,
    SCALE_UB,
    OPTIONAL_RESIDUAL,
    { name: 'group_size', kind: 'attr' },
    { name: 'is_scale_transposed', kind: 'attr', default: false },
  ],
  (call) => {
    const group = numberAttr(call, 'group_size')
    if (group <= 0) throw new KernelRefusal(`group_size must be positive, found ${group}`)
    return scaleSpec(scaleShape(shapeOf(call), group), call.attrs['is_scale_transposed'] === true, false)
  },
  (call) => numberAttr(call, 'group_size'),
)

export const KERNELS: Kernels = inNamespace('_C', [
  rmsNorm,
  fusedAddRmsNorm,
  rmsNormStaticFp8Quant,
  fusedAddRmsNormStaticFp8Quant,
  fusedRmsNormQuantStatic,
  rmsNormDynamicPerTokenQuant,
  rmsNormPerBlockQuant,
])

export const SCHEMAS = `# vLLM csrc/libtorch_stable/torch_bindings.cpp
2026-06..2026-08 _C::rms_norm(Tensor! result, Tensor input, Tensor? weight, float epsilon) -> ()
2025-05..2026-06 _C::rms_norm(Tensor! result, Tensor input, Tensor weight, float epsilon) -> ()
# vLLM csrc/cpu/torch_bindings.cpp
2026-06..2026-08 _C::rms_norm(Tensor! out, Tensor input, Tensor? weight, float epsilon) -> ()
2025-05..2026-06 _C::rms_norm(Tensor! out, Tensor input, Tensor weight, float epsilon) -> ()
# vLLM csrc/libtorch_stable/torch_bindings.cpp
2026-06..2026-08 _C::fused_add_rms_norm(Tensor! input, Tensor! residual, Tensor? weight, float epsilon) -> ()
2025-05..2026-06 _C::fused_add_rms_norm(Tensor! input, Tensor! residual, Tensor weight, float epsilon) -> ()
2025-05..2026-08 _C::rms_norm_static_fp8_quant(Tensor! result, Tensor input, Tensor weight, Tensor scale, float epsilon) -> ()
2025-05..2026-08 _C::fused_add_rms_norm_static_fp8_quant(Tensor! result, Tensor input, Tensor! residual, Tensor weight, Tensor scale, float epsilon) -> ()
2025-05..2026-08 _C::rms_norm_dynamic_per_token_quant(Tensor! result, Tensor input, Tensor weight, Tensor! scale, float epsilon, Tensor? scale_ub, Tensor!? residual) -> ()
2025-12..2026-08 _C::rms_norm_per_block_quant(Tensor! result, Tensor input, Tensor weight, Tensor! scale, float epsilon, Tensor? scale_ub, Tensor!? residual, int group_size, bool is_scale_transposed) -> ()`
