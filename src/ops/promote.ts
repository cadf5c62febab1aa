/** Type promotion of elementwise operators, like torch._prims_common.elementwise_dtypes. */
import { isKind } from '../fx'
import { isFake, isSym, type DispatchArg, type FakeTensor } from './fake'
import { isFloatSym } from './sym'
import { TorchError } from './torch_error'

type Category = 0 | 1 | 2 | 3 // bool, int, float, complex

const INTS = ['uint8', 'int8', 'int16', 'int32', 'int64', 'uint16', 'uint32', 'uint64']

export const isComplexDtype = (d: string): boolean => /^b?complex/.test(d)
export const isFloatDtype = (d: string): boolean => d.startsWith('float') || d === 'bfloat16'
export const isIntDtype = (d: string): boolean => INTS.includes(d)

/** Bits and quantized dtypes cast as integers do. */
export const categoryOf = (d: string): Category => (d === 'bool' ? 0 : isComplexDtype(d) ? 3 : isFloatDtype(d) ? 2 : 1)

/** What get_higher_dtype orders. */
const ORDERED =
  'bool uint8,int8 int16 int32 int64 float16,bfloat16 float32 float64 complex32,bcomplex32 complex64 complex128'
    .split(' ')
    .map((level) => level.split(','))

/** get_higher_dtype of torch._prims_common: a dtype that it does not order is above all that it does. @throws TorchError for two such */
export function promoteTypes(a: string, b: string): string {
  if (a === b) return a
  for (const [i, level] of ORDERED.entries()) {
    const [hasA, hasB] = [level.includes(a), level.includes(b)]
    if (hasA) return hasB ? ORDERED[i + 1]![0]! : b
    if (hasB) return a
  }
  throw new TorchError('RuntimeError', 'Unexpected termination!')
}

/** float16 → Half, the name in PyTorch's C++ messages. */
const name = (d: string): string =>
  d
    .replace(/^float8_/, 'Float8_')
    .replace('bfloat16', 'BFloat16')
    .replace(/^float32$/, 'Float')
    .replace(/^float16$/, 'Half')

/** Width in bits of an element. */
export function bits(d: string): number {
  if (d === 'bool') return 8
  const m = /^(?:b?float|u?int|b?complex)(\d+)/.exec(d)
  return m ? Number(m[1]) : 8
}
/** int64 → Long, the C++ name in messages. */
export const cppName = (d: string): string => CPP_NAMES[d] ?? name(d)
const CPP_NAMES: Readonly<Record<string, string>> = {
  bool: 'Bool',
  uint8: 'Byte',
  int8: 'Char',
  int16: 'Short',
  int32: 'Int',
  int64: 'Long',
  float64: 'Double',
  complex32: 'ComplexHalf',
  complex64: 'ComplexFloat',
  complex128: 'ComplexDouble',
}

/** int64 → long int, the C++ type in messages. */
export const cppType = (d: string): string => CPP_TYPES[d] ?? `c10::${cppName(d)}`
const CPP_TYPES: Readonly<Record<string, string>> = {
  bool: 'bool',
  uint8: 'unsigned char',
  int8: 'signed char',
  int16: 'short int',
  int32: 'int',
  int64: 'long int',
  float32: 'float',
  float64: 'double',
  complex64: 'c10::complex<float>',
  complex128: 'c10::complex<double>',
}

export const itemSize = (d: string): number => Math.max(1, bits(d) / 8)

export type Promotion = 'default' | 'int_to_float' | 'complex_to_float' | 'bool_to_long' | 'always_bool'

/** Result dtype of an elementwise operator over tensors and Python numbers. */
export function elementwiseDtype(args: readonly (DispatchArg | undefined)[], kind: Promotion = 'default'): string {
  if (kind === 'always_bool') return 'bool'
  let highest: Category = 0
  for (const a of args) {
    const c = isFake(a) ? categoryOf(a.meta.dtype) : categoryOfNumber(a)
    if (c !== null && c > highest) highest = c
  }
  let result: string
  if (highest === 0) result = 'bool'
  else {
    const pick = (keep: (d: string) => boolean, as = (d: string): string => d): string | null => {
      let zero: string | null = null
      let more: string | null = null
      for (const a of args) {
        if (!isFake(a) || !keep(a.meta.dtype)) continue
        const d = as(a.meta.dtype)
        if (a.meta.shape.length === 0) zero = zero === null ? d : promoteTypes(zero, d)
        else more = more === null ? d : promoteTypes(more, d)
      }
      return more ?? zero
    }
    if (highest === 1) result = pick(isIntDtype) ?? 'int64'
    else if (highest === 2) result = pick(isFloatDtype) ?? 'float32'
    else result = pick((d) => isFloatDtype(d) || isComplexDtype(d), toComplex) ?? 'complex64'
  }
  if (kind === 'int_to_float' && (result === 'bool' || isIntDtype(result))) return 'float32'
  if (kind === 'complex_to_float' && isComplexDtype(result)) return toReal(result)
  if (kind === 'bool_to_long' && result === 'bool') return 'int64'
  return result
}

const COMPLEX: Readonly<Record<string, string>> = {
  float16: 'complex32',
  bfloat16: 'bcomplex32',
  float64: 'complex128',
}
const toComplex = (d: string): string => (isComplexDtype(d) ? d : (COMPLEX[d] ?? 'complex64'))
export const toReal = (d: string): string =>
  isComplexDtype(d) ? (Object.keys(COMPLEX).find((real) => COMPLEX[real] === d) ?? 'float32') : d

function categoryOfNumber(a: DispatchArg | undefined): Category | null {
  if (typeof a === 'boolean') return 0
  if (isSym(a)) return isFloatSym(a) ? 2 : 1
  if (typeof a === 'bigint') return 1
  if (typeof a === 'number') return 2
  if (isKind(a, 'complex')) return 3
  return null
}

/** Dtype of a Python number converted to a tensor. */
export function dtypeOfNumber(a: DispatchArg): string {
  return ['bool', 'int64', 'float32', 'complex64'][categoryOfNumber(a) ?? 2]!
}

/** get_computation_dtype: half precision computes in float32. */
export const computationDtype = (d: string): string => (d === 'bfloat16' || d === 'float16' ? 'float32' : d)

export const dtypeOf = (t: FakeTensor): string => t.meta.dtype
