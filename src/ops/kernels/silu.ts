/**
 * Bit-exact silu and exp: a group's scale is a float32 computed from its largest silu * up, and with an exp that is one
 * ulp off, about one scale in a hundred would differ from PyTorch's.
 */
const f = Math.fround
/** a * b + c rounded once; the product of two float32 is exact in a double. */
const fma = (a: number, b: number, c: number): number => f(a * b + c)

const LOG2_E = f(1.442695040888963)
/** ln 2 in two parts; the first has so few bits that whole multiples of it are exact. */
const LN2 = [0.693145751953125, f(1.428606765330187e-6)] as const
const POLY = [
  0.00019852761761285365, 0.001393043552525345, 0.0083333607763052, 0.041666485369205475, 0.1666666716337204, 0.5,
].map(f)

/**
 * exp in float32 as PyTorch's vectorized CPU kernels compute it: SLEEF's expf (sleefsimdsp.c, `expf_u10`). Its result is
 * within a unit of the last place and not always the nearest float32.
 */
function expf(x: number): number {
  if (Number.isNaN(x)) return x
  if (x > 100) return Infinity
  if (x < -104) return 0
  const q = Math.round(f(x * LOG2_E))
  const s = fma(q, -LN2[1], fma(q, -LN2[0], x))
  const u = POLY.reduce((sum, c) => fma(sum, s, c))
  return f(f(1 + fma(f(s * s), u, s)) * 2 ** q)
}

/** silu in float32 steps. */
export const silu = (x: number): number => f(x / f(1 + expf(-x)))

/**
 * `expf` in WGSL, which does not guarantee a fused multiply-add: the one whose rounding matters, s^2 * u + s, uses
 * Dekker's split. For -87 <= x; infinity above 88.72283.
 */
export const EXP = `fn exact_exp(x: F32) -> F32 {
  let n = bitcast<I32>(x * 1.442695 + 12582912.0) - I32(0x4b400000);
  let q = F32(n);
  let s = (x - q * 0.693145751953125) - q * 1.4286068e-6;
  let u = 0.5 + s * (0.16666667 + s * (0.041666485 + s * (0.008333361 + s * (0.0013930436 + s * 0.00019852762))));
  let p = s * s;
  let y = p * u;
  let ph = bitcast<F32>(bitcast<U32>(p) & U32(0xfffff000u));
  let uh = bitcast<F32>(bitcast<U32>(u) & U32(0xfffff000u));
  let pl = p - ph;
  let ul = u - uh;
  let lost = ((ph * uh - y) + ph * ul + pl * uh) + pl * ul;
  let t = s + y;
  let m = 1.0 + (t + (((s - t) + y) + lost));
  // 2^128 is not a float32, though m * 2^128 may be: use two factors.
  return m * bitcast<F32>((n + I32(126)) * I32(0x800000)) * 2.0;
}`

/**
 * x / (1 + exp(-x)), NaN at -infinity. Above 80, exp(-x) is negligible beside 1; at -89.5 it is infinity, as it is from
 * -88.72283 on. Needs EXP.
 */
export const SILU = 'fn silu(x: F32) -> F32 { return x / (1.0 + exact_exp(clamp(-x, F32(-80.0), F32(89.5)))); }'

/** silu with WGSL's own exp, a few ulp off, for values that are rounded to fewer digits afterwards. */
export const NEAR_SILU = 'fn near_silu(x: F32) -> F32 { return x / (1.0 + exp(-x)); }'
