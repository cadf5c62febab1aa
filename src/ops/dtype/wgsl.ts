/**
 * The conversions of convert.ts in WGSL, on one value or four at a time. They work on bits and without branches: an
 * implementation may flush subnormals and assume the absence of NaN and infinity, but only in float arithmetic; and a
 * branch costs a GPU both sides.
 */
import type { DTypeName } from './dtypes'

/**
 * Instantiates text for one lane type: `F32`, `U32` and `I32` become f32 or vec4<f32>, and so on, including
 * constructors.
 */
export function lanes(text: string, wide: boolean): string {
  return text.replace(/\b([FUI])32\b/g, (_, t: string) =>
    wide ? `vec4<${t.toLowerCase()}32>` : `${t.toLowerCase()}32`,
  )
}

/**
 * `bits >> n` of an I32 whose low n bits are 0, in the low 22 bits of the result; the bits above contain SHIFTED. CPU
 * adapters shift a vector lane by lane, which costs ten times as much as these three steps.
 */
const shifted = (bits: string, n: number): string =>
  `bitcast<U32>(F32(${bits}) * ${(2 ** -n).toExponential()}f + 12582912.0)`
const SHIFTED = 0x4b400000

/**
 * Code of a magnitude no larger than the format's largest, subnormals kept: see encodeSmall in convert.ts. Adding the
 * power of two whose last place is the value's place in the format rounds it, and leaves the rounded digits in the low bits.
 */
function smallEncode(mantissa: number, bias: number): string {
  const drop = 23 - mantissa
  return `let power = max(mag & I32(0x7f800000), I32(${(128 - bias) << 23}));
  let digits = bitcast<I32>(bitcast<F32>(mag) + bitcast<F32>(power + I32(${drop << 23})));
  let code = ${shifted('power', drop)} + bitcast<U32>(digits - power) - U32(${SHIFTED + (drop << 23) + ((128 - bias) << mantissa)}u);`
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

const SIGN8 = `let sign = select(U32(0u), U32(0x80u), bitcast<I32>(b) < I32(0));
  let mag = bitcast<I32>(b & U32(0x7fffffffu));`

/** Codes of an 8-bit float; infinity gets the code of the largest value, whose bits are `largest`. */
const saturating = (mantissa: number, bias: number, largest: number): string => `${SIGN8}
  let bounded = min(mag, I32(${largest}));
  ${smallEncode(mantissa, bias).replaceAll('mag', 'bounded')}
  return sign | select(code, U32(0x7fu), mag > I32(0x7f800000));`

/** Rounds `b` to bfloat16's precision, half to even. */
const ROUND_BF16 = `let odd = bitcast<U32>(min(bitcast<I32>(b & U32(0x10000u)), I32(1)));
  let nan = bitcast<I32>(b & U32(0x7fffffffu)) > I32(0x7f800000);
  let rounded = select((b + U32(0x7fffu) + odd) & U32(0xffff0000u), U32(0x7fc00000u), nan);`

const ENCODE: Readonly<Record<DTypeName, string>> = {
  float32: 'return b;',
  bfloat16: `${ROUND_BF16}
  return ${shifted('bitcast<I32>(rounded)', 16)} & U32(0xffffu);`,
  float16: `let sign = (b >> U32(16u)) & U32(0x8000u);
  let mag = bitcast<I32>(b & U32(0x7fffffffu));
  ${smallEncode(10, 15)}
  let big = select(U32(0x7c00u), U32(0x7e00u), mag > I32(0x7f800000));
  return sign | select(code, big, mag >= I32(0x477ff000));`,
  // PyTorch's cast saturates, infinity included.
  float8_e4m3fn: saturating(3, 7, 0x43e00000),
  float8_e5m2: `${SIGN8}
  ${smallEncode(2, 15)}
  let big = select(U32(0x7cu), U32(0x7fu), mag > I32(0x7f800000));
  return sign | select(code, big, mag >= I32(0x47700000));`,
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
  bfloat16: 'return c * U32(0x10000u);',
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

/**
 * `fn NAME(b) -> code`: the storage code of the float32 with bits `b`; vec4<u32> to vec4<u32> when wide. 8-bit floats are handled
 * lane by lane, so that values stay in a CPU's registers.
 * @param quantizes true if larger values get the code of the dtype's largest value
 */
export function encodeFn(name: string, dtype: DTypeName, wide: boolean, quantizes = false): string {
  const one = wide && (dtype === 'float8_e4m3fn' || dtype === 'float8_e5m2')
  const body = quantizes && dtype === 'float8_e5m2' ? saturating(2, 15, 0x47600000) : ENCODE[dtype]
  if (!one) return lanes(`fn ${name}(b: U32) -> U32 {\n  ${body}\n}\n`, wide)
  const each = ['x', 'y', 'z', 'w'].map((l) => `${name}_lane(b.${l})`).join(', ')
  const lane = encodeFn(`${name}_lane`, dtype, false, quantizes)
  return `${lane}fn ${name}(b: vec4<u32>) -> vec4<u32> { return vec4<u32>(${each}); }\n`
}

/** `fn NAME(c) -> bits`: the bits of the float32 for a storage code; vec4<u32> to vec4<u32> when wide. */
export const decodeFn = (name: string, dtype: DTypeName, wide: boolean): string =>
  lanes(`fn ${name}(c: U32) -> U32 {\n  ${DECODE[dtype]}\n}\n`, wide)

/** `fn NAME(x) -> x`, of lane types: rounded to a storage dtype and back. */
export function roundFn(dtype: DTypeName, name = 'round_T'): string {
  if (dtype === 'float32') return `fn ${name}(x: F32) -> F32 { return x; }`
  if (dtype === 'bfloat16')
    return `fn ${name}(x: F32) -> F32 {\n  let b = bitcast<U32>(x);\n  ${ROUND_BF16}\n  return bitcast<F32>(rounded);\n}`
  return `fn ${name}_code(b: U32) -> U32 {\n  ${ENCODE[dtype]}\n}
fn ${name}_bits(c: U32) -> U32 {\n  ${DECODE[dtype]}\n}
fn ${name}(x: F32) -> F32 { return bitcast<F32>(${name}_bits(${name}_code(bitcast<U32>(x)))); }`
}
