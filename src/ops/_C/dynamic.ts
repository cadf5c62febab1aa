/**
 * The scales and codes of vLLM's dynamic quantizers, as definitions and WGSL: FP8 and int8, with one scale per row or
 * group.
 */
import { DTYPES, dtypeInfo, type DTypeName } from '../dtype'
import { KernelRefusal, numel, tensorArg, type KernelCall, type ReferenceMemory } from '../kernel'
import { rowQuantValues } from '../kernels/group_values'
import { overMax, quantFn, WHOLE } from '../kernels/quant_wgsl'
import type { RowQuant } from '../kernels/row_spec'
import type { Shader } from '../kernels/shader'
import { literal } from '../kernels/strided'
import { unfusedEps } from './scale_bound'
import { clampInt8 } from './static_quant'

/** Largest code value and smallest scale of each quantized dtype: vLLM csrc/quantization/utils.cuh, fused_kernels/quant_conversions.cuh. */
const LIMITS: Partial<Record<DTypeName, { max: number; minScale: number }>> = {
  float8_e4m3fn: { max: 448, minScale: Math.fround(1 / (448 * 512)) },
  int8: { max: 127, minScale: 2 ** -23 },
}

export interface Dynamic {
  readonly out: string
  readonly scales: string
  readonly groupSize: number
  /**
   * `bounded`: s = max(min(peak, scale_ub) / max, smallest scale), FP8 divides by s and int8 multiplies by 1 / s
   * (rms_norm_dynamic_per_token_quant and its like); `plain int8`: s = peak / 127, codes x * (127 / peak), zeros for
   * a row of zeros (dynamic_scaled_int8_quant).
   */
  readonly kind: 'bounded' | 'plain int8'
}

function limitsOf(call: KernelCall, spec: Dynamic): { max: number; minScale: number; dtype: DTypeName } {
  const { dtype } = tensorArg(call, spec.out)
  const found = LIMITS[dtype]
  if (!found) throw new KernelRefusal(`\`${spec.out}\` must be float8_e4m3fn or int8, found ${DTYPES[dtype].name}`)
  return { ...found, dtype }
}

/** scale_ub limits the peak: a single float32. */
export function requireScaleUb(call: KernelCall): void {
  const ub = call.tensors['scale_ub']
  if (ub && numel(ub.shape) !== 1)
    throw new KernelRefusal(`\`scale_ub\` must hold one value, found shape [${ub.shape.join(', ')}]`)
}

export function dynamicQuant(call: KernelCall, spec: Dynamic): RowQuant {
  const { max, minScale, dtype } = limitsOf(call, spec)
  return {
    groupSize: spec.groupSize,
    scales: spec.scales,
    emit(shader: Shader) {
      shader.helper(overMax(max))
      const toInt8 = (product: string): string =>
        `${WHOLE}
fn quant(x: F32, s: f32) -> U32 { return enc_out(bitcast<U32>(clamp(whole(${product}), F32(-128.0), F32(127.0)))); }`
      if (spec.kind === 'plain int8') {
        // The key of a row is its peak, from which both the scale and its inverse are computed.
        return `fn scale_of(a: f32) -> f32 { return a; }
fn scale_code(a: f32) -> u32 { return bitcast<u32>(over_max(a)); }
${toInt8('x * select(127.0 / s, 0.0, s == 0.0)')}`
      }
      const ub = call.tensors['scale_ub']
      const most = ub && `load_${shader.bind('scale_ub', ub.dtype, 'read', false).index}(${ub.offset}u)`
      return `fn scale_of(a: f32) -> f32 {
  if (bitcast<u32>(a) > 0x7f800000u) { return a; }
  if (bitcast<u32>(a) == 0x7f800000u) { return ${most ? `max(over_max(${most}), ${literal(minScale)})` : 'a'}; }
  return max(over_max(${most ? `min(a, ${most})` : 'a'}), ${literal(minScale)});
}
fn scale_code(s: f32) -> u32 { return bitcast<u32>(s); }
${dtype === 'int8' ? toInt8('x * (1.0 / s)') : quantFn(-max, max, dtype, shader.wide)}`
    },
  }
}

/** Writes `out` and `scales` for values `x` of rows of `cols`. */
export function dynamicValues(
  call: KernelCall,
  memory: ReferenceMemory,
  spec: Dynamic,
  x: Float32Array,
  cols: number,
): void {
  const { max, minScale, dtype } = limitsOf(call, spec)
  const f = Math.fround
  const ub = call.tensors['scale_ub'] ? memory.read('scale_ub')[0]! : Infinity
  const clamped = (v: number): number => Math.min(Math.max(v, -max), max)
  const eps = unfusedEps(call)
  const bounded = (peak: number): number =>
    eps !== undefined ? f(Math.max(peak, f(eps)) / max) : Math.max(f(Math.min(peak, ub) / max), minScale)
  const { q, scales } =
    spec.kind === 'plain int8'
      ? rowQuantValues(x, cols, {
          groupSize: spec.groupSize,
          key: (peak) => peak,
          quant: (v, peak) => clampInt8(f(v * (peak === 0 ? 0 : f(127 / peak)))),
          scale: (peak) => f(peak / 127),
        })
      : rowQuantValues(x, cols, {
          groupSize: spec.groupSize,
          key: bounded,
          quant: (v, s) => (dtype === 'int8' ? clampInt8(f(v * f(1 / s))) : clamped(f(v / s))),
        })
  memory.write(spec.out, q)
  memory.write(spec.scales, scales)
}

/** The dtype an attribute names (`float8_e4m3fn`, `torch.float8_e4m3fn`). Throws KernelRefusal. */
export function dtypeAttr(call: KernelCall, name: string): DTypeName {
  const found = dtypeInfo(String(call.attrs[name]))
  if (!found) throw new KernelRefusal(`the dtype ${String(call.attrs[name])} of \`${name}\` is not supported`)
  return found.name
}
