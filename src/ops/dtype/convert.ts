/**
 * Conversions between float32 and the storage dtypes, bit for bit as PyTorch's casts (c10/util/{BFloat16,Half,
 * Float8_e4m3fn,Float8_e5m2,Float8_e8m0fnu}.h): round to nearest, ties to even. All on integers: the WGSL in wgsl.ts
 * does the same steps, so the two devices agree on every input.
 */
import type { DTypeName } from './dtypes'

const scratchF = new Float32Array(1)
const scratchU = new Uint32Array(scratchF.buffer)

/** The bits of `x` rounded to float32. */
export function bitsOf(x: number): number {
  scratchF[0] = x
  return scratchU[0]!
}

export function fromBits(bits: number): number {
  scratchU[0] = bits
  return scratchF[0]!
}

/** `m / 2^shift`, to nearest, ties to even; `m` below 2^31, any shift from 1. */
function shiftRne(m: number, shift: number): number {
  if (shift > 25) return 0
  const kept = m >>> shift
  const rest = m - (kept << shift)
  const half = 1 << (shift - 1)
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept
}

/**
 * A float32's magnitude as a small float with `mantissa` bits and exponent bias `bias`, including subnormals; values
 * past the format's largest continue into the next exponents, for the caller to handle.
 */
function encodeSmall(magnitude: number, mantissa: number, bias: number): number {
  const exponent = magnitude >>> 23
  const drop = 23 - mantissa
  if (exponent > 127 - bias) {
    const rebased = magnitude - ((127 - bias) << 23)
    return shiftRne(rebased, drop)
  }
  // Float32 subnormals are far below the smallest subnormal of every supported format except bfloat16.
  if (exponent === 0) return 0
  return shiftRne((magnitude & 0x7fffff) | 0x800000, drop + (128 - bias - exponent))
}

function encodeBf16(bits: number): number {
  if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fc0
  return (((bits + 0x7fff + ((bits >>> 16) & 1)) >>> 0) >>> 16) & 0xffff
}

function encodeF16(bits: number): number {
  const sign = (bits >>> 16) & 0x8000
  const magnitude = bits & 0x7fffffff
  if (magnitude > 0x7f800000) return sign | 0x7e00
  // 65520 and more rounds to infinity.
  if (magnitude >= 0x477ff000) return sign | 0x7c00
  return sign | encodeSmall(magnitude, 10, 15)
}

function encodeE4m3fn(bits: number): number {
  const sign = (bits >>> 24) & 0x80
  const magnitude = bits & 0x7fffffff
  if (magnitude > 0x7f800000) return sign | 0x7f
  // PyTorch 2.14.1 saturates, infinity included; earlier releases gave NaN beyond 464, the midpoint above 448.
  if (magnitude >= 0x43e00000) return sign | 0x7e
  return sign | encodeSmall(magnitude, 3, 7)
}

function encodeE5m2(bits: number): number {
  const sign = (bits >>> 24) & 0x80
  const magnitude = bits & 0x7fffffff
  if (magnitude > 0x7f800000) return sign | 0x7f
  // 61440, the midpoint above 57344, ties to the even neighbor: infinity.
  if (magnitude >= 0x47700000) return sign | 0x7c
  return sign | encodeSmall(magnitude, 2, 15)
}

/** Unsigned power of two: the sign is dropped, zero becomes 2^-127, infinity and NaN 0xff. */
function encodeE8m0(bits: number): number {
  const exponent = (bits >>> 23) & 0xff
  if (exponent === 0xff) return 0xff
  const mantissa = bits & 0x7fffff
  // For a normal number the bit before the half is the hidden one, so a tie goes up.
  const up = exponent > 0 ? mantissa >= 0x400000 : mantissa > 0x400000
  return up ? exponent + 1 : exponent
}

/** The storage code of `x`, which is first rounded to float32 (integers excepted: those must be in range already). */
export function encode(dtype: DTypeName, x: number): number {
  switch (dtype) {
    case 'float32':
      return bitsOf(x)
    case 'bfloat16':
      return encodeBf16(bitsOf(x))
    case 'float16':
      return encodeF16(bitsOf(x))
    case 'float8_e4m3fn':
      return encodeE4m3fn(bitsOf(x))
    case 'float8_e5m2':
      return encodeE5m2(bitsOf(x))
    case 'float8_e8m0fnu':
      return encodeE8m0(bitsOf(x))
    case 'int8':
    case 'uint8':
      return Math.trunc(x) & 0xff
    case 'int32':
    case 'int64':
      return Math.trunc(x) >>> 0
    case 'bool':
      return x === 0 ? 0 : 1
  }
}

function decodeSmall(code: number, mantissaBits: number, exponentBits: number, bias: number): number {
  const mantissa = code & ((1 << mantissaBits) - 1)
  const exponent = (code >>> mantissaBits) & ((1 << exponentBits) - 1)
  const sign = (code >>> (mantissaBits + exponentBits)) & 1 ? -1 : 1
  if (exponent === 0) return sign * mantissa * 2 ** (1 - bias - mantissaBits)
  return sign * (1 + mantissa / 2 ** mantissaBits) * 2 ** (exponent - bias)
}

/** The value of a storage code. */
export function decode(dtype: DTypeName, code: number): number {
  switch (dtype) {
    case 'float32':
      return fromBits(code)
    case 'bfloat16':
      return fromBits((code << 16) >>> 0)
    case 'float16':
      if ((code & 0x7c00) === 0x7c00) return code & 0x3ff ? NaN : code & 0x8000 ? -Infinity : Infinity
      return decodeSmall(code, 10, 5, 15)
    case 'float8_e4m3fn':
      return (code & 0x7f) === 0x7f ? NaN : decodeSmall(code, 3, 4, 7)
    case 'float8_e5m2':
      if ((code & 0x7c) === 0x7c) return code & 3 ? NaN : code & 0x80 ? -Infinity : Infinity
      return decodeSmall(code, 2, 5, 15)
    case 'float8_e8m0fnu':
      return code === 0xff ? NaN : 2 ** (code - 127)
    case 'int8':
      return (code << 24) >> 24
    case 'uint8':
    case 'bool':
      return code
    case 'int32':
    case 'int64':
      return code | 0
  }
}

/** `x` rounded to `dtype` and back. */
export function roundTo(dtype: DTypeName, x: number): number {
  return decode(dtype, encode(dtype, x))
}

/** The first `n` values rounded to `dtype`. */
export function roundAll(dtype: DTypeName, out: Float64Array, n: number, values: Float64Array): void {
  if (dtype === 'bfloat16') for (let k = 0; k < n; k++) out[k] = fromBits((encodeBf16(bitsOf(values[k]!)) << 16) >>> 0)
  else for (let k = 0; k < n; k++) out[k] = roundTo(dtype, values[k]!)
}

const TABLES = new Map<DTypeName, Float32Array>()

/** Values of all codes of an 8- or 16-bit dtype. */
export function decodeTable(dtype: DTypeName, codes: number): Float32Array {
  let table = TABLES.get(dtype)
  if (!table) {
    table = Float32Array.from({ length: codes }, (_, code) => decode(dtype, code))
    TABLES.set(dtype, table)
  }
  return table
}

/**
 * Distance between two codes of one dtype, in representable values; 0 for equal values, so +0 and -0 are one step
 * apart. Null when just one of them is NaN.
 */
export function codeDistance(dtype: DTypeName, a: number, b: number): number | null {
  const nanA = Number.isNaN(decode(dtype, a))
  if (nanA !== Number.isNaN(decode(dtype, b))) return null
  return nanA ? 0 : Math.abs(ordered(dtype, a) - ordered(dtype, b))
}

function ordered(dtype: DTypeName, code: number): number {
  switch (dtype) {
    case 'int8':
    case 'uint8':
    case 'int32':
    case 'int64':
    case 'bool':
    case 'float8_e8m0fnu':
      return decode(dtype === 'float8_e8m0fnu' ? 'uint8' : dtype, code)
    case 'float32':
      return code >= 0x80000000 ? -(code - 0x80000000) - 1 : code
    case 'float16':
    case 'bfloat16':
      return code & 0x8000 ? -(code & 0x7fff) - 1 : code
    case 'float8_e4m3fn':
    case 'float8_e5m2':
      return code & 0x80 ? -(code & 0x7f) - 1 : code
  }
}
