/** npu_add_rms_norm, npu_dynamic_mx_quant and their fusion. */
import { dtypeAttr } from '../_C/dynamic'
import { type NormNames, normSpec } from '../_C/rms_norm'
import { bitsOf } from '../dtype'
import { E5M2_MAX, FP8_MAX, saturated } from '../expr/codes'
import { type Expr, fn, where } from '../expr/expr'
import { isnan } from '../expr/functions'
import { type Kernel, type KernelCall, KernelRefusal, numberAttr, type OutSpec, type Param, tensorArg } from '../kernel'
import { rowKernel } from '../kernels/row_kernel'
import type { RowQuant } from '../kernels/row_spec'
import { plainSource } from '../kernels/source'
import { WGSL_NAN } from '../expr/primitives'
import { inNamespace, type Kernels } from '../operator'

/** Element formats of MX: largest exponent and largest value. OCP Microscaling Formats v1.0, table 1. */
const FORMATS = {
  float8_e4m3fn: { emax: 8, max: FP8_MAX },
  float8_e5m2: { emax: 15, max: E5M2_MAX },
} as const

function formatOf(call: KernelCall): { dtype: keyof typeof FORMATS; emax: number; max: number } {
  const dtype = dtypeAttr(call, 'dst_type')
  if (dtype !== 'float8_e4m3fn' && dtype !== 'float8_e5m2')
    throw new KernelRefusal(`dst_type must be float8_e4m3fn or float8_e5m2, found ${dtype}`)
  return { dtype, ...FORMATS[dtype] }
}

/** floor(log2(x)) of a normal float32, exactly; 128 for infinity. Below the smallest normal number, its exponent. */
const exponent = fn(
  'exponent($0)',
  (x) => (Number.isNaN(x) ? NaN : Math.max(bitsOf(x!) >>> 23, 1) - 127),
  WGSL_NAN,
  `fn exponent(x: F32) -> F32 {
  let e = F32(max(I32(bitcast<U32>(x) >> U32(23u)), I32(1)) - I32(127));
  return bitcast<F32>(select(bitcast<U32>(e), U32(0x7fc00000u), nan_at(x) == U32(1u)));
}`,
)

const factor = (name: string, part: string, of: (k: number) => number): ((e: Expr) => Expr) =>
  fn(
    `${name}($0)`,
    (e) => 2 ** of(-e!),
    WGSL_NAN,
    `fn ${name}(e: F32) -> F32 {
  let k = -I32(e);
  return bitcast<F32>(select(bitcast<U32>((${part} + I32(127)) << U32(23u)), U32(0x7fc00000u), nan_at(e) == U32(1u)));
}`,
  )

/** 2^-e, and NaN if e is NaN, computed as a product because 2^134 is not a float32. */
const FACTORS = [
  factor('half_power', '(k >> U32(1u))', (k) => Math.floor(k / 2)),
  factor('other_power', '(k - (k >> U32(1u)))', (k) => k - Math.floor(k / 2)),
]

/** Blocks with the exponent of their largest value less the format's, stored as the biased e8m0 byte. */
function mxQuant(call: KernelCall, scales: string): RowQuant {
  const { dtype, emax, max } = formatOf(call)
  return {
    groupSize: numberAttr(call, 'block_size'),
    scales,
    key: (peak) => exponent(peak).minus(emax),
    scale: (e) => where(isnan(e), 255, where(e.lt(-127), 0, e.plus(127))),
    by: (e) => FACTORS.map((power) => power(e)),
    code: (x, half, other) => saturated(dtype, x.times(half!).times(other!), max),
  }
}

function scaleOut(call: KernelCall, shape: readonly number[]): OutSpec {
  const block = numberAttr(call, 'block_size')
  if (!Number.isInteger(block) || block <= 0) throw new KernelRefusal(`block_size must be positive, found ${block}`)
  return { shape: [...shape.slice(0, -1), Math.ceil((shape.at(-1) ?? 1) / block)], dtype: 'uint8' }
}

const BLOCK: Param = { name: 'block_size', kind: 'attr', default: 32 }
const DST: Param = { name: 'dst_type', kind: 'attr', default: 'float8_e4m3fn' }
const SUM: NormNames = { input: 'x1', residual: 'x2', weight: 'gamma', epsilon: 'epsilon', roundSum: true }
const SUM_PARAMS: readonly Param[] = [
  { name: 'x1', kind: 'in', rows: true, aliases: ['input'] },
  { name: 'x2', kind: 'in', rows: true, aliases: ['residual'] },
  { name: 'gamma', kind: 'in', sample: 'weight', aliases: ['weight'] },
]
// vLLM-Ascend spells the fused operator's argument `epsilion`.
const EPSILON: Param = { name: 'epsilon', kind: 'attr', default: 1e-6, aliases: ['epsilion', 'eps'] }

/**
 * x = T(x1 + x2); rstd = 1 / sqrt(mean(x^2) + epsilon); y = T(T(x * rstd) * gamma). torch_npu documents
 * y = x * rstd * gamma; the roundings to T, the inputs' dtype, are those of vLLM's fused_add_rms_norm.
 * Shapes: x1, x2, y, x [..., d], gamma [d], rstd [..., 1] float32.
 */
export const npuAddRmsNorm: Kernel = rowKernel({
  name: 'npu_add_rms_norm',
  functional: true,
  params: [
    ...SUM_PARAMS,
    EPSILON,
    { name: 'y', kind: 'out' },
    { name: 'rstd', kind: 'out' },
    { name: 'x', kind: 'out' },
  ],
  outputs(call) {
    const { shape, dtype } = tensorArg(call, 'x1')
    return { y: { shape, dtype }, rstd: { shape: [...shape.slice(0, -1), 1], dtype: 'float32' }, x: { shape, dtype } }
  },
  rows: (call) => ({ ...normSpec(call, SUM), keep: 'x', keepsValues: true, rstd: 'rstd', out: 'y' }),
})

/**
 * Per block of 32 along the last axis: e = floor(log2(amax)) - emax, stored as the biased e8m0 byte e + 127;
 * output = f8(saturate(x / 2^e)). OCP Microscaling Formats (MX) v1.0, section 6.3.
 * Shapes: input [..., d], output [..., d], mxscale [..., ceil(d / block_size)] uint8.
 */
export const npuDynamicMxQuant: Kernel = rowKernel({
  name: 'npu_dynamic_mx_quant',
  functional: true,
  params: [
    { name: 'input', kind: 'in', rows: true, aliases: ['x'] },
    { name: 'axis', kind: 'attr', default: -1 },
    { name: 'round_mode', kind: 'attr', default: 'rint' },
    DST,
    BLOCK,
    { name: 'scale_alg', kind: 'attr', default: 0 },
    { name: 'output', kind: 'out' },
    { name: 'mxscale', kind: 'out' },
  ],
  outputs(call) {
    const { shape } = tensorArg(call, 'input')
    const axis = numberAttr(call, 'axis')
    if (axis !== -1 && axis !== shape.length - 1)
      throw new KernelRefusal(`only blocks along the last axis are handled, found axis ${axis}`)
    if (call.attrs['round_mode'] !== 'rint')
      throw new KernelRefusal(`only round_mode 'rint' is handled, found ${String(call.attrs['round_mode'])}`)
    return { output: { shape, dtype: formatOf(call).dtype }, mxscale: scaleOut(call, shape) }
  },
  rows: (call) => ({ source: plainSource(call, 'input'), out: 'output', quant: mxQuant(call, 'mxscale') }),
})

/** npu_add_rms_norm, then npu_dynamic_mx_quant of y; returns the codes, x and the scales. y is never stored. */
export const npuAddRmsNormDynamicMxQuant: Kernel = rowKernel({
  name: 'npu_add_rms_norm_dynamic_mx_quant',
  functional: true,
  params: [
    ...SUM_PARAMS,
    EPSILON,
    { name: 'round_mode', kind: 'attr', default: 'rint' },
    DST,
    BLOCK,
    { name: 'y', kind: 'out' },
    { name: 'x', kind: 'out' },
    { name: 'mxscale', kind: 'out' },
  ],
  outputs(call) {
    const { shape, dtype } = tensorArg(call, 'x1')
    return { y: { shape, dtype: formatOf(call).dtype }, x: { shape, dtype }, mxscale: scaleOut(call, shape) }
  },
  rows: (call) => ({
    ...normSpec(call, SUM),
    keep: 'x',
    keepsValues: true,
    out: 'y',
    quant: mxQuant(call, 'mxscale'),
  }),
})

export const KERNELS: Kernels = inNamespace('npu', [npuAddRmsNorm, npuDynamicMxQuant, npuAddRmsNormDynamicMxQuant])

export const SCHEMAS = `# torch_npu op_plugin/config/op_plugin_functions.yaml
2025-05..2026-08 npu::npu_add_rms_norm(Tensor x1, Tensor x2, Tensor gamma, float epsilon=1e-06) -> (Tensor, Tensor, Tensor)
2026-03..2026-08 npu::npu_add_rms_norm_dynamic_mx_quant(Tensor x1, Tensor x2, Tensor gamma, *, Tensor? beta=None, float epsilon=1e-06, int scale_alg=0, str round_mode="rint", int dst_type=296) -> (Tensor, Tensor, Tensor, Tensor)
# vLLM-Ascend (proposal) npu_ops.py
npu::npu_add_rms_norm_dynamic_mx_quant(Tensor x1, Tensor x2, Tensor gamma, *, Tensor? beta=None, float epsilion=1e-06, int scale_alg=0, str round_mode="rint", ScalarType? dst_type=None) -> (Tensor, Tensor, Tensor, Tensor)
# torch_npu op_plugin/config/op_plugin_functions.yaml
2026-06..2026-08 npu::npu_dynamic_mx_quant(Tensor input, *, int axis=-1, str round_mode="rint", int dst_type=296, int block_size=32, int? scale_alg=0, float dst_type_max=0.0, float max_low_bound=0.0) -> (Tensor, Tensor)
2026-03..2026-05 npu::npu_dynamic_mx_quant(Tensor input, *, int axis=-1, str round_mode="rint", int dst_type=296, int block_size=32, int? scale_alg=0, float dst_type_max=0.0) -> (Tensor, Tensor)
2025-12..2026-02 npu::npu_dynamic_mx_quant(Tensor input, *, int axis=-1, str round_mode="rint", int dst_type=296, int block_size=32, int? scale_alg=0) -> (Tensor, Tensor)
2025-11..2025-11 npu::npu_dynamic_mx_quant(Tensor input, *, int axis=-1, str round_mode="rint", int dst_type=296, int block_size=32) -> (Tensor, Tensor)`
