/** WGSL building blocks of all quantizers: peaks, scales and codes. */
import { quantizedFn, type DTypeName } from '../dtype'
import { literal } from './strided'

/**
 * `fn over_max(a) = a / max`, correctly rounded: WGSL's own division may be 2.5 ulp off, and a scale that is one ulp
 * off shows as a difference in every comparison. The remainder of `a` is exact, because `max` has at most twelve digits
 * and the quotient is computed in two halves; a tie cannot occur.
 */
export const overMax = (max: number): string => `fn over_max(a: f32) -> f32 {
  let q = a / ${literal(max)};
  let h = bitcast<f32>(bitcast<u32>(q) & 0xfffff000u);
  let rest = (a - h * ${literal(max)}) - (q - h) * ${literal(max)};
  return select(q + rest / ${literal(max)}, q, bitcast<i32>(a) >= 0x7f800000);
}`

/** 2^ceil(log2(s)) for a positive s, on the bits: exact, where CUDA's log2f may round a value just above a power of two down. */
export const CEIL_POW2 = `fn ceil_pow2(s: f32) -> f32 {
  let b = bitcast<u32>(s);
  if (b >= 0x7f800000u || (b & 0x7fffffu) == 0u) { return s; }
  return bitcast<f32>(((b >> 23u) + 1u) << 23u);
}`

/** Magnitudes are ordered like their bits, with NaN above infinity: a NaN makes the whole group NaN, as in amax. */
export const PEAK8 = `fn magnitudes(x: vec4<f32>) -> vec4<i32> { return bitcast<vec4<i32>>(x) & vec4<i32>(0x7fffffff); }
fn largest(x: vec4<i32>) -> i32 { return max(max(x.x, x.y), max(x.z, x.w)); }
fn peak8(x: V8) -> i32 { return largest(max(magnitudes(x.a), magnitudes(x.b))); }`

/** Statements that set `name` to the maximum among four adjacent threads. */
export const largestInQuad = (name: string): string =>
  `  ${name} = max(${name}, quadSwapX(${name}));\n  ${name} = max(${name}, quadSwapY(${name}));`

/** `fn whole(v)`: v rounded half to even, and 0 for NaN, which a device's clamp may map to either end. */
export const WHOLE = `fn whole(v: F32) -> F32 {
  return select(round(v), F32(0.0), (bitcast<U32>(v) & U32(0x7fffffffu)) > U32(0x7f800000u));
}`

/** `fn quant(x, s) -> u32`: the code of clamp(x / s, min, max). NaN stays NaN; an infinite scale gives zeros, and NaN of infinity. */
export function quantFn(min: number, max: number, dtype: DTypeName, wide: boolean): string {
  // The encoding of this dtype saturates by itself.
  if (dtype === 'float8_e4m3fn' && max >= 448 && min <= -448)
    return `${quantizedFn(dtype, wide)}fn quant(x: F32, s: f32) -> U32 { return quantized(x / s, s > 0.0 && bitcast<i32>(s) < 0x7f800000); }`
  return `fn quant(x: F32, s: f32) -> U32 {
  let y = x / s;
  let nan = (bitcast<U32>(y) & U32(0x7fffffffu)) > U32(0x7f800000u);
  return enc_out(bitcast<U32>(select(clamp(y, F32(${literal(min)}), F32(${literal(max)})), y, nan)));
}`
}
