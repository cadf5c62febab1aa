/** Functions of expressions that quantizers use: scales and codes. */
import type { DTypeName } from '../dtype'
import { roundHalfEven } from '../kernels/math'
import { literal } from '../kernels/strided'
import { apply, type Expr, fn } from './expr'

/** Largest f8e4m3fn value. */
export const FP8_MAX = 448
/** Largest f8e5m2 value. */
export const E5M2_MAX = 57344
/** vLLM's min_scaling_factor<float8_e4m3fn>. */
export const FP8_MIN_SCALE = Math.fround(1 / (FP8_MAX * 512))

/**
 * a / max, correctly rounded, of a magnitude: WGSL's own division may be 2.5 ulp off, and a scale that is one ulp off
 * shows as a difference in every comparison. The remainder of `a` is exact, because `max` has at most twelve digits
 * and the quotient is computed in two halves; a tie cannot occur.
 */
export const overMax = (max: number): ((a: Expr) => Expr) =>
  fn(
    'over_max($0)',
    (a) => Math.fround(a! / max),
    `fn over_max(a: F32) -> F32 {
  let q = a / ${literal(max)};
  let h = bitcast<F32>(bitcast<U32>(q) & U32(0xfffff000u));
  let rest = (a - h * ${literal(max)}) - (q - h) * ${literal(max)};
  return select(q + rest / ${literal(max)}, a, bitcast<I32>(a) >= I32(0x7f800000));
}`,
  )

/**
 * 2^ceil(log2(s)) of a positive float32, as vLLM computes it; in WGSL on the bits: exact, where CUDA's log2f may round a
 * value just above a power of two down.
 */
export const ceilPow2 = fn(
  'ceil_pow2($0)',
  (s) => 2 ** Math.ceil(Math.fround(Math.log2(s!))),
  `fn ceil_pow2(s: F32) -> F32 {
  let b = bitcast<U32>(s);
  let up = bitcast<F32>(((b >> U32(23u)) + U32(1u)) << U32(23u));
  return select(up, s, (b >= U32(0x7f800000u)) | ((b & U32(0x7fffffu)) == U32(0u)));
}`,
)

const WHOLE = `fn whole(v: F32) -> F32 {
  return select(round(v), F32(0.0), (bitcast<U32>(v) & U32(0x7fffffffu)) > U32(0x7f800000u));
}`

const int8Of = (x: number): number => Math.min(Math.max(roundHalfEven(x), -128), 127) || 0

/** round_half_even(x) within int8. NaN becomes 0, as a cast of NaN to int does; a device's clamp may map it to either end. */
export const int8 = (x: Expr): Expr =>
  apply(
    {
      wgsl: 'clamp(whole($0), F32(-128.0), F32(127.0))',
      js: int8Of,
      loop(out, n, v) {
        for (let k = 0; k < n; k++) out[k] = int8Of(v[k]!)
      },
      helpers: [WHOLE],
    },
    'float',
    x,
  )

/** Converts a float to int32 like CUDA's `cvt.rni.sat`: rounded half to even, saturated, 0 for NaN. */
export const toInt32 = (x: number): number =>
  Number.isNaN(x) ? 0 : Math.min(Math.max(roundHalfEven(x), -(2 ** 31)), 2 ** 31 - 1) | 0

/** int8(clamp(round_half_even(x) + azp)); CUDA's sum is an int32, which overflows only if x does. */
export const int8WithAzp = fn(
  'clamp(whole($0) + $1, F32(-128.0), F32(127.0))',
  (x, azp) => Math.min(Math.max(toInt32(x!) + azp!, -128), 127),
  WHOLE,
)

const LARGEST: Partial<Record<DTypeName, number>> = { float8_e4m3fn: FP8_MAX, float8_e5m2: E5M2_MAX }

/** `x` within a range, as the last step before it is stored as `dtype`. NaN stays NaN: a tensor of zeros gives 0 * (1 / 0). */
export const saturated = (dtype: DTypeName, x: Expr, max = FP8_MAX, min = -max): Expr =>
  apply(
    {
      // The encoding of a quantizer saturates by itself, for e5m2.
      wgsl: Math.min(max, -min) >= (LARGEST[dtype] ?? Infinity) ? '$0' : 'saturated($0)',
      js: (v) => Math.min(Math.max(v!, min), max),
      loop(out, n, v) {
        for (let k = 0; k < n; k++) {
          const x = v[k]!
          out[k] = x > max ? max : x < min ? min : x
        }
      },
      helpers: [
        `fn saturated(x: F32) -> F32 {
  let nan = (bitcast<U32>(x) & U32(0x7fffffffu)) > U32(0x7f800000u);
  return bitcast<F32>(select(bitcast<U32>(clamp(x, F32(${literal(min)}), F32(${literal(max)}))), U32(0x7fc00000u), nan));
}`,
      ],
    },
    'float',
    x,
  )
