/**
 * The conversions of convert.ts in WGSL, on one value or four at a time. All of it works on the bits and without
 * branches: an implementation may flush subnormals and may assume that no NaN or infinity occurs, but only in float
 * arithmetic; and a branch costs a GPU both of its ways.
 */
import type { DTypeName } from './dtypes'

/** Helpers every shader starts with: `m / 2^shift` to nearest, ties to even, for shift from 1 to 25. */
export const WGSL_NUMERICS = /* wgsl */ `fn rne(m: u32, shift: u32) -> u32 {
  return (m + ((1u << (shift - 1u)) - 1u) + ((m >> shift) & 1u)) >> shift;
}
`

/** Text written for one lane type: `F32`, `U32` and `I32` become f32 or vec4<f32>, and so on; also as constructors. */
export function lanes(text: string, wide: boolean): string {
  return text.replace(/\b([FUI])32\b/g, (_, t: string) =>
    wide ? `vec4<${t.toLowerCase()}32>` : `${t.toLowerCase()}32`,
  )
}

/**
 * Code of a magnitude below the format's largest, subnormals kept: see encodeSmall in convert.ts. A subnormal is rounded
 * by adding the power of two whose last place is the format's smallest value.
 */
function smallEncode(mantissa: number, bias: number): string {
  const drop = 23 - mantissa
  const firstNormal = (128 - bias) << 23
  const magic = (127 + 24 - bias - mantissa) << 23
  return `let based = mag - U32(${(127 - bias) << 23}u);
  let normal = (based + U32(${2 ** (drop - 1) - 1}u) + ((based >> U32(${drop}u)) & U32(1u))) >> U32(${drop}u);
  let tiny = bitcast<U32>(bitcast<F32>(mag) + bitcast<F32>(U32(${magic}u))) - U32(${magic}u);
  let code = select(tiny, normal, mag >= U32(${firstNormal}u));`
}

/** Bits of a small float that is neither infinite nor NaN: subnormals are whole multiples of the smallest one. */
function smallDecode(mantissa: number, exponent: number, bias: number): string {
  const bits = mantissa + exponent
  return `let mag = c & U32(${2 ** bits - 1}u);
  let sign = (c >> U32(${bits}u)) << U32(31u);
  let normal = (mag << U32(${23 - mantissa}u)) + U32(${(127 - bias) << 23}u);
  let tiny = bitcast<U32>(F32(mag) * ${(2 ** (1 - bias - mantissa)).toExponential()}f);
  let plain = sign | select(tiny, normal, mag >= U32(${2 ** mantissa}u));`
}

const SIGN8 = `let sign = (b >> U32(24u)) & U32(0x80u);
  let mag = b & U32(0x7fffffffu);`

const ENCODE: Readonly<Record<DTypeName, string>> = {
  float32: 'return b;',
  bfloat16: `let rounded = (b + U32(0x7fffu) + ((b >> U32(16u)) & U32(1u))) >> U32(16u);
  return select(rounded, U32(0x7fc0u), (b & U32(0x7fffffffu)) > U32(0x7f800000u));`,
  float16: `let sign = (b >> U32(16u)) & U32(0x8000u);
  let mag = b & U32(0x7fffffffu);
  ${smallEncode(10, 15)}
  let big = select(U32(0x7c00u), U32(0x7e00u), mag > U32(0x7f800000u));
  return sign | select(code, big, mag >= U32(0x477ff000u));`,
  float8_e4m3fn: `${SIGN8}
  ${smallEncode(3, 7)}
  let big = select(U32(0x7eu), U32(0x7fu), mag > U32(0x7f800000u));
  return sign | select(code, big, mag >= U32(0x43e00000u));`,
  float8_e5m2: `${SIGN8}
  ${smallEncode(2, 15)}
  let big = select(U32(0x7cu), U32(0x7fu), mag > U32(0x7f800000u));
  return sign | select(code, big, mag >= U32(0x47700000u));`,
  float8_e8m0fnu: `let e = (b >> U32(23u)) & U32(0xffu);
  let m = b & U32(0x7fffffu);
  let half = select(U32(0x400001u), U32(0x400000u), e > U32(0u));
  return select(e + select(U32(0u), U32(1u), m >= half), U32(0xffu), e == U32(0xffu));`,
  int8: 'return bitcast<U32>(I32(bitcast<F32>(b))) & U32(0xffu);',
  uint8: 'return bitcast<U32>(I32(bitcast<F32>(b))) & U32(0xffu);',
  int32: 'return bitcast<U32>(I32(bitcast<F32>(b)));',
  int64: 'return bitcast<U32>(I32(bitcast<F32>(b)));',
  bool: 'return select(U32(0u), U32(1u), (b & U32(0x7fffffffu)) != U32(0u));',
}

const DECODE: Readonly<Record<DTypeName, string>> = {
  float32: 'return c;',
  bfloat16: 'return c << U32(16u);',
  float16: `${smallDecode(10, 5, 15)}
  let special = ((c & U32(0x8000u)) << U32(16u)) | U32(0x7f800000u) | ((c & U32(0x3ffu)) << U32(13u));
  return select(plain, special, mag >= U32(0x7c00u));`,
  float8_e4m3fn: `${smallDecode(3, 4, 7)}
  return select(plain, sign | U32(0x7fc00000u), mag == U32(0x7fu));`,
  float8_e5m2: `${smallDecode(2, 5, 15)}
  return select(plain, sign | U32(0x7f800000u) | ((c & U32(3u)) << U32(21u)), mag >= U32(0x7cu));`,
  float8_e8m0fnu: `let plain = select(c << U32(23u), U32(0x400000u), c == U32(0u));
  return select(plain, U32(0x7fc00000u), c == U32(0xffu));`,
  int8: 'return bitcast<U32>(F32(bitcast<I32>(c << U32(24u)) >> U32(24u)));',
  uint8: 'return bitcast<U32>(F32(c));',
  int32: 'return bitcast<U32>(F32(bitcast<I32>(c)));',
  int64: 'return bitcast<U32>(F32(bitcast<I32>(c)));',
  bool: 'return bitcast<U32>(F32(c));',
}

/** `fn NAME(b) -> code`: the storage code of the float32 with bits `b`; vec4<u32> to vec4<u32> when wide. */
export const encodeFn = (name: string, dtype: DTypeName, wide: boolean): string =>
  lanes(`fn ${name}(b: U32) -> U32 {\n  ${ENCODE[dtype]}\n}\n`, wide)

/** `fn NAME(b) -> code` for f8e4m3fn and f8e5m2, of values that are no larger than the largest: clamped, and no NaN. */
export function encodeFiniteFn(name: string, dtype: DTypeName, wide: boolean): string {
  const small = dtype === 'float8_e4m3fn' ? smallEncode(3, 7) : smallEncode(2, 15)
  return lanes(`fn ${name}(b: U32) -> U32 {\n  ${SIGN8}\n  ${small}\n  return sign | code;\n}\n`, wide)
}

/** `fn NAME(c) -> bits`: the bits of the float32 that a storage code stands for; vec4<u32> to vec4<u32> when wide. */
export const decodeFn = (name: string, dtype: DTypeName, wide: boolean): string =>
  lanes(`fn ${name}(c: U32) -> U32 {\n  ${DECODE[dtype]}\n}\n`, wide)
