/** Functions missing from both JavaScript and WGSL, in both languages. */

/** erf: the Maclaurin series below 3, else 1 minus erfc from a continued fraction; error below 1e-14. */
export function erf(x: number): number {
  const a = Math.abs(x)
  if (Number.isNaN(x)) return x
  if (a > 6) return Math.sign(x)
  if (a < 3) {
    let term = a
    let sum = a
    for (let n = 1; n < 80; n++) {
      term *= (-a * a) / n
      sum += term / (2 * n + 1)
    }
    return (Math.sign(x) * 2 * sum) / Math.sqrt(Math.PI)
  }
  let f = 0
  for (let k = 60; k >= 1; k--) f = k / 2 / (a + f)
  return Math.sign(x) * (1 - Math.exp(-a * a) / Math.sqrt(Math.PI) / (a + f))
}

/** Abramowitz and Stegun 7.1.26, to 1.5e-7; near zero the series, whose relative error is smaller there. */
export const WGSL_ERF = `fn erf(x: F32) -> F32 {
  let a = abs(x);
  let t = 1.0 / (1.0 + 0.3275911 * a);
  let p = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  let far = sign(x) * (1.0 - p * exp(-min(a * a, F32(80.0))));
  let s = x * x;
  let near = x * (1.1283792 + s * (-0.37612639 + s * (0.11283792 + s * (-0.026866171 + s * 0.0052239776))));
  return select(far, near, a < F32(0.5));
}`

/**
 * 0.5 * (1 + tanh(u)) is 1 / (1 + exp(-2 u)), which does not cancel; where exp overflows the result is 0, or the NaN
 * that an infinity gives.
 */
export const WGSL_GELU_TANH = `fn gelu_tanh(x: F32) -> F32 {
  let down = -1.5957691216 * (x + 0.044715 * x * x * x);
  return select(x / (1.0 + exp(clamp(down, F32(-80.0), F32(80.0)))), x * 0.0, down > F32(80.0));
}`

export const WGSL_TANH = `fn tanh_of(x: F32) -> F32 {
  let s = x * x;
  let near = x * (1.0 + s * (-0.33333333 + s * (0.13333333 + s * -0.053968254)));
  let e = exp(-2.0 * clamp(abs(x), F32(0.0), F32(20.0)));
  return select(sign(x) * (1.0 - e) / (1.0 + e), near, abs(x) < F32(0.1));
}`

export const WGSL_POW = `fn pow_of(x: F32, y: F32) -> F32 {
  let odd = abs(y) % 2.0 == F32(1.0);
  let p = pow(abs(x), y);
  let signed = select(p, -p, (x < F32(0.0)) & odd);
  return select(signed, F32(1.0), y == F32(0.0));
}`

/**
 * sin and cos to one or two ulp for |x| up to about 10^4, where WGSL only guarantees 2^-11. Cody and Waite's reduction
 * by pi/2 in three parts, then Cephes' polynomials.
 */
export const WGSL_SIN = `fn sin_at(x: F32, quarter: I32) -> F32 {
  let k = round(x * 0.63661977);
  let r = ((x - k * 1.5703125) - k * 0.00048375129699707) - k * 7.549790126404332e-8;
  let s = r * r;
  let sine = r + r * s * (-0.16666654611 + s * (0.0083321608736 + s * -0.00019515295891));
  let cosine = 1.0 - 0.5 * s + s * s * (0.041666645683 + s * (-0.0013887316255 + s * 0.000024433157118));
  let q = (I32(k) + quarter) & I32(3);
  let v = select(sine, cosine, (q & I32(1)) == I32(1));
  return select(v, -v, q >= I32(2));
}`

export function roundHalfEven(x: number): number {
  const down = Math.floor(x)
  return x - down === 0.5 ? (down % 2 === 0 ? down : down + 1) : Math.round(x)
}

/** Python's and torch's remainder: the sign of the divisor. */
export const remainder = (a: number, b: number): number => {
  const r = a % b
  return r !== 0 && r < 0 !== b < 0 ? r + b : r
}
