/** npu_add_rms_norm, npu_dynamic_mx_quant and their fusion. */
import { dtypeAttr } from '../_C/dynamic'
import { type NormNames, normSpec, normValues } from '../_C/rms_norm'
import { type Float8, quantizedFn } from '../dtype'
import { type Kernel, type KernelCall, KernelRefusal, numberAttr, type OutSpec, type Param, tensorArg } from '../kernel'
import { rowQuantValues } from '../kernels/group_values'
import { storeAsIs } from '../kernels/pointwise'
import { rowKernel } from '../kernels/row_kernel'
import type { RowQuant } from '../kernels/row_spec'
import { plainSource } from '../kernels/source'
import { inNamespace, type Kernels } from '../operator'

/** Element formats of MX: largest exponent and largest value. OCP Microscaling Formats v1.0, table 1. */
const FORMATS = {
  float8_e4m3fn: { emax: 8, max: 448 },
  float8_e5m2: { emax: 15, max: 57344 },
} as const

function formatOf(call: KernelCall): { dtype: Float8; emax: number; max: number } {
  const dtype = dtypeAttr(call, 'dst_type')
  if (dtype !== 'float8_e4m3fn' && dtype !== 'float8_e5m2')
    throw new KernelRefusal(`dst_type must be float8_e4m3fn or float8_e5m2, found ${dtype}`)
  return { dtype, ...FORMATS[dtype] }
}

function mxQuant(call: KernelCall, scales: string): RowQuant {
  const { dtype, emax } = formatOf(call)
  return {
    groupSize: numberAttr(call, 'block_size'),
    scales,
    // The key of a block is its biased exponent plus 127 as a float: 1 to 381, so that it is never negative.
    emit: (shader) => `${quantizedFn(dtype, shader.wide)}fn scale_of(a: f32) -> f32 {
  let b = bitcast<u32>(a);
  return select(f32(max(b >> 23u, 1u) + ${127 - emax}u), a, b > 0x7f800000u);
}
fn is_nan(s: f32) -> bool { return (bitcast<u32>(s) & 0x7fffffffu) > 0x7f800000u; }
fn scale_code(s: f32) -> u32 { return select(u32(clamp(i32(s) - 127, 0, 254)), 0xffu, is_nan(s)); }
fn quant(x: F32, s: f32) -> U32 {
  // x * 2^-e in two factors, because 2^134 is not a float32.
  let k = 254 - i32(s);
  let h = k >> 1u;
  let y = x * bitcast<f32>(u32(h + 127) << 23u) * bitcast<f32>(u32(k - h + 127) << 23u);
  return quantized(select(y, F32(s), is_nan(s)), !is_nan(s));
}`,
  }
}

/** Shared exponents and codes; `key` is the exponent itself. */
function mxValues(call: KernelCall, x: Float32Array, cols: number): { q: Float32Array; scales: Float32Array } {
  const { emax, max } = formatOf(call)
  return rowQuantValues(x, cols, {
    groupSize: numberAttr(call, 'block_size'),
    key: (peak) => (Number.isNaN(peak) ? NaN : exponentOf(Math.max(peak, 2 ** -126)) - emax),
    quant: (v, e) => Math.min(Math.max(v / 2 ** e, -max), max),
    scale: (e) => (Number.isNaN(e) ? 255 : Math.min(Math.max(e + 127, 0), 254)),
  })
}

/** floor(log2(x)) of a normal float32, exactly; 128 for infinity. */
function exponentOf(x: number): number {
  return (new Uint32Array(Float32Array.of(x).buffer)[0]! >>> 23) - 127
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
export const npuAddRmsNorm: Kernel = {
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
  reference(call, memory) {
    const { values, sums, rstd } = normValues(call, memory, SUM)
    memory.write('y', values)
    memory.write('rstd', rstd)
    memory.write('x', sums)
  },
  plan: (call, device) =>
    rowKernel(
      'npu_add_rms_norm',
      call,
      { ...normSpec(call, SUM), keep: 'x', keepsValues: true, rstd: 'rstd', out: 'y', sink: storeAsIs },
      device,
    ),
}

/**
 * Per block of 32 along the last axis: e = floor(log2(amax)) - emax, stored as the biased e8m0 byte e + 127;
 * output = f8(saturate(x / 2^e)). OCP Microscaling Formats (MX) v1.0, section 6.3.
 * Shapes: input [..., d], output [..., d], mxscale [..., ceil(d / block_size)] uint8.
 */
export const npuDynamicMxQuant: Kernel = {
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
  reference(call, memory) {
    const { q, scales } = mxValues(call, memory.read('input'), tensorArg(call, 'input').shape.at(-1) ?? 1)
    memory.write('output', q)
    memory.write('mxscale', scales)
  },
  plan: (call, device) =>
    rowKernel(
      'npu_dynamic_mx_quant',
      call,
      { source: plainSource(call, 'input'), out: 'output', quant: mxQuant(call, 'mxscale') },
      device,
    ),
}

/** npu_add_rms_norm, then npu_dynamic_mx_quant of y; returns the codes, x and the scales. y is never stored. */
export const npuAddRmsNormDynamicMxQuant: Kernel = {
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
  reference(call, memory) {
    const { values, sums, cols } = normValues(call, memory, SUM)
    const { q, scales } = mxValues(call, values, cols)
    memory.write('y', q)
    memory.write('x', sums)
    memory.write('mxscale', scales)
  },
  plan: (call, device) =>
    rowKernel(
      'npu_add_rms_norm_dynamic_mx_quant',
      call,
      { ...normSpec(call, SUM), keep: 'x', keepsValues: true, out: 'y', quant: mxQuant(call, 'mxscale') },
      device,
    ),
}

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
