/** The scales and codes of vLLM's dynamic quantizers: FP8 and int8, with one scale per row or group. */
import { DTYPES, dtypeInfo, type DTypeName } from '../dtype'
import { KernelRefusal, numel, tensorArg, type KernelCall, type AttrValue, type Counterfactual } from '../kernel'
import { FP8_MAX, FP8_MIN_SCALE, int8, overMax, saturated } from '../expr/codes'
import { type Expr, load, number, where } from '../expr/expr'
import { larger, smaller } from '../expr/functions'
import type { RowQuant } from '../kernels/row_spec'

/** Largest code value and smallest scale of each quantized dtype: vLLM csrc/quantization/utils.cuh, fused_kernels/quant_conversions.cuh. */
const LIMITS: Partial<Record<DTypeName, { max: number; minScale: number }>> = {
  float8_e4m3fn: { max: FP8_MAX, minScale: FP8_MIN_SCALE },
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

function limitsOf(call: KernelCall, out: string): { max: number; minScale: number; dtype: DTypeName } {
  const { dtype } = tensorArg(call, out)
  const found = LIMITS[dtype]
  if (!found) throw new KernelRefusal(`\`${out}\` must be float8_e4m3fn or int8, found ${DTYPES[dtype].name}`)
  return { ...found, dtype }
}

/** scale_ub limits the peak: a single float32. */
export function requireScaleUb(call: KernelCall): void {
  const ub = call.tensors['scale_ub']
  if (ub && numel(ub.shape) !== 1)
    throw new KernelRefusal(`\`scale_ub\` must hold one value, found shape [${ub.shape.join(', ')}]`)
}

export function dynamicQuant(call: KernelCall, { out, kind, groupSize, scales }: Dynamic): RowQuant {
  const { max, minScale, dtype } = limitsOf(call, out)
  const over = overMax(max)
  const byFactor = (by: (key: Expr) => Expr): Pick<RowQuant, 'by' | 'code'> => ({
    by: (key) => [by(key)],
    code: (x, f) => int8(x.times(f!).f32()),
  })
  if (kind === 'plain int8') {
    const inverse = (peak: Expr): Expr => where(peak.eq(0), 0, number(max).over(peak).f32())
    // The key of a row is its peak, from which both the scale and its inverse are computed.
    return { groupSize, scales, key: (peak) => peak, scale: over, ...byFactor(inverse) }
  }
  const eps = unfusedEps(call)
  const limited = (peak: Expr): Expr => (call.tensors['scale_ub'] ? smaller(peak, load('scale_ub')) : peak)
  return {
    groupSize,
    scales,
    key: (peak) => (eps === undefined ? larger(over(limited(peak)), minScale) : over(larger(peak, Math.fround(eps)))),
    ...(dtype === 'int8'
      ? byFactor((s) => number(1).over(s).f32())
      : { code: (x, s) => saturated(dtype, x.over(s!).f32(), max) }),
  }
}

/** The dtype an attribute names (`float8_e4m3fn`, `torch.float8_e4m3fn`). Throws KernelRefusal. */
export function dtypeAttr(call: KernelCall, name: string): DTypeName {
  const found = dtypeInfo(String(call.attrs[name]))
  if (!found) throw new KernelRefusal(`the dtype ${String(call.attrs[name])} of \`${name}\` is not supported`)
  return found.name
}

const AS_UNFUSED_EPS = 'as_unfused_eps'

/** The lower bound of the scales, if the replaced quantization bounds the group's maximum by its `eps`. */
export function boundDifference(unfused: readonly Readonly<Record<string, AttrValue>>[]): Counterfactual[] {
  const eps = unfused.find((a) => typeof a['eps'] === 'number')?.['eps']
  if (eps === undefined) return []
  const text = `bounds its scale by 1/(448*512) from below, the unfused one bounds the group's maximum by ${String(eps)}`
  return [{ id: 'eps', text, attrs: { [AS_UNFUSED_EPS]: eps } }]
}

/** The unfused bound that a counterfactual sets; undefined: the kernel's own. */
export const unfusedEps = (call: KernelCall): number | undefined => {
  const eps = call.attrs[AS_UNFUSED_EPS]
  return typeof eps === 'number' ? eps : undefined
}
