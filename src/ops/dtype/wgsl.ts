/**
 * The conversions of convert.ts in WGSL. All of it works on the bits: an implementation may flush subnormals and may
 * assume that no NaN or infinity occurs, but only in float arithmetic.
 */
import type { DTypeName } from './dtypes'

/** Helpers every shader starts with. `small_*` mirror encodeSmall and decodeSmall. */
export const WGSL_NUMERICS = /* wgsl */ `
fn rne(m: u32, shift: u32) -> u32 {
  if (shift > 25u) { return 0u; }
  let kept = m >> shift;
  let rest = m & ((1u << shift) - 1u);
  let half = 1u << (shift - 1u);
  return kept + select(0u, 1u, rest > half || (rest == half && (kept & 1u) == 1u));
}
fn small_encode(mag: u32, mant: u32, bias: u32) -> u32 {
  let e = mag >> 23u;
  let drop = 23u - mant;
  if (e > 127u - bias) {
    let r = mag - ((127u - bias) << 23u);
    return (r + (1u << (drop - 1u)) - 1u + ((r >> drop) & 1u)) >> drop;
  }
  if (e == 0u) { return 0u; }
  return rne((mag & 0x7fffffu) | 0x800000u, drop + 128u - bias - e);
}
// Bits of the float32 with a small float's sign, exponent and mantissa; no infinity or NaN.
fn small_decode(code: u32, mant: u32, expo: u32, bias: u32) -> u32 {
  let sign = (code >> (mant + expo)) << 31u;
  let mag = code & ((1u << (mant + expo)) - 1u);
  if ((mag >> mant) != 0u) { return sign | ((mag << (23u - mant)) + ((127u - bias) << 23u)); }
  if (mag == 0u) { return sign; }
  let top = firstLeadingBit(mag);
  return sign | ((128u + top - bias - mant) << 23u) | ((mag << (23u - top)) & 0x7fffffu);
}
`

const ENCODE: Readonly<Record<DTypeName, string>> = {
  float32: 'return b;',
  bfloat16: `if ((b & 0x7fffffffu) > 0x7f800000u) { return 0x7fc0u; }
  return (b + 0x7fffu + ((b >> 16u) & 1u)) >> 16u;`,
  float16: `let sign = (b >> 16u) & 0x8000u;
  let mag = b & 0x7fffffffu;
  if (mag > 0x7f800000u) { return sign | 0x7e00u; }
  if (mag >= 0x477ff000u) { return sign | 0x7c00u; }
  return sign | small_encode(mag, 10u, 15u);`,
  float8_e4m3fn: `let sign = (b >> 24u) & 0x80u;
  let mag = b & 0x7fffffffu;
  if (mag > 0x7f800000u) { return sign | 0x7fu; }
  if (mag >= 0x43e00000u) { return sign | 0x7eu; }
  return sign | small_encode(mag, 3u, 7u);`,
  float8_e5m2: `let sign = (b >> 24u) & 0x80u;
  let mag = b & 0x7fffffffu;
  if (mag > 0x7f800000u) { return sign | 0x7fu; }
  if (mag >= 0x47700000u) { return sign | 0x7cu; }
  return sign | small_encode(mag, 2u, 15u);`,
  float8_e8m0fnu: `let e = (b >> 23u) & 0xffu;
  let m = b & 0x7fffffu;
  if (e == 0xffu) { return 0xffu; }
  return e + select(0u, 1u, select(m > 0x400000u, m >= 0x400000u, e > 0u));`,
  int8: 'return bitcast<u32>(i32(bitcast<f32>(b))) & 0xffu;',
  uint8: 'return bitcast<u32>(i32(bitcast<f32>(b))) & 0xffu;',
  int32: 'return bitcast<u32>(i32(bitcast<f32>(b)));',
}

const DECODE: Readonly<Record<DTypeName, string>> = {
  float32: 'return c;',
  bfloat16: 'return c << 16u;',
  float16: `if ((c & 0x7c00u) == 0x7c00u) { return ((c & 0x8000u) << 16u) | 0x7f800000u | ((c & 0x3ffu) << 13u); }
  return small_decode(c, 10u, 5u, 15u);`,
  float8_e4m3fn: `if ((c & 0x7fu) == 0x7fu) { return ((c & 0x80u) << 24u) | 0x7fc00000u; }
  return small_decode(c, 3u, 4u, 7u);`,
  float8_e5m2: `if ((c & 0x7cu) == 0x7cu) { return ((c & 0x80u) << 24u) | 0x7f800000u | ((c & 3u) << 21u); }
  return small_decode(c, 2u, 5u, 15u);`,
  float8_e8m0fnu: `if (c == 0xffu) { return 0x7fc00000u; }
  return select(c << 23u, 0x400000u, c == 0u);`,
  int8: 'return bitcast<u32>(f32(bitcast<i32>(c << 24u) >> 24u));',
  uint8: 'return bitcast<u32>(f32(c));',
  int32: 'return bitcast<u32>(f32(bitcast<i32>(c)));',
}

/** `fn NAME(b: u32) -> u32`: the storage code of the float32 with bits `b`. */
export const encodeFn = (name: string, dtype: DTypeName): string =>
  `fn ${name}(b: u32) -> u32 {\n  ${ENCODE[dtype]}\n}\n`

/** `fn NAME(c: u32) -> u32`: the bits of the float32 that a storage code stands for. */
export const decodeFn = (name: string, dtype: DTypeName): string =>
  `fn ${name}(c: u32) -> u32 {\n  ${DECODE[dtype]}\n}\n`
