/** Generates inputs: seeded, with the same value for an element regardless of the number of rows. */
import { DTYPES, encode, type DTypeName } from '../../ops/dtype'
import type { TensorView } from '../../ops/kernel'
import { codesOf, eachElement, setLong } from '../device/host'
import type { Distribution } from '../types'

const TABLE = 65536

/** murmur3's finalizer: 32 well-mixed bits from a counter. */
function mix(i: number, seed: number): number {
  let h = (i + Math.imul(seed, 0x9e3779b1)) | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

const unit = (i: number, seed: number): number => (mix(i, seed) + 0.5) / 2 ** 32

function normal(i: number): number {
  return Math.sqrt(-2 * Math.log(unit(i, 17))) * Math.cos(2 * Math.PI * unit(i, 29))
}

/** The role of an input, defined by the operators that take it. */
export type Role = 'data' | 'scale' | 'weight'

/** By what is drawn: at most 256 KB each, a few for each dtype. Making one takes longer than most comparisons. */
const tables = new Map<string, Uint32Array>()

/** Table of 65,536 codes to draw from: computing a normal for each of 10^8 elements would take seconds. */
function tableOf(dtype: DTypeName, role: Role, distribution: Distribution): Uint32Array {
  const key = `${dtype} ${role} ${distribution}`
  let table = tables.get(key)
  if (!table) {
    const value = valuesOf(dtype, role, distribution)
    table = Uint32Array.from({ length: TABLE }, (_, i) => encode(dtype, value(i)))
    tables.set(key, table)
  }
  return table
}

function valuesOf(dtype: DTypeName, role: Role, distribution: Distribution): (i: number) => number {
  const smallestNormal = dtype === 'float16' ? 2 ** -14 : 2 ** -126
  if (!DTYPES[dtype].floating) return (i) => (distribution === 'zeros' ? 0 : mix(i, 5) % 128)
  if (role === 'scale') return (i) => 0.02 + 0.06 * unit(i, 3)
  if (role === 'weight') return (i) => 1 + 0.25 * normal(i)
  switch (distribution) {
    case 'zeros':
      return () => 0
    case 'uniform':
      return (i) => 2 * unit(i, 7) - 1
    case 'normal':
      return normal
    case 'equal groups':
      return normal
    case 'subnormals':
      return (i) => (2 * unit(i, 13) - 1) * smallestNormal
    case 'non-finite':
      return (i) => (mix(i, 19) % 100 === 0 ? [Infinity, -Infinity, NaN][mix(i, 23) % 3]! : normal(i))
    case 'outliers':
      return (i) => normal(i) * (mix(i, 11) % 1024 === 0 ? 64 : 1)
  }
}

/** Storage of `byteLength` bytes with every element of the view set. */
export function makeInput(
  view: TensorView,
  byteLength: number,
  seed: number,
  role: Role,
  distribution: Distribution,
): Uint8Array {
  const table = tableOf(view.dtype, role, distribution)
  const bytes = new Uint8Array(byteLength)
  const codes = codesOf(view, bytes)
  const shift = distribution === 'equal groups' && role === 'data' ? 7 : 0
  const pick = (i: number): number => table[mix(i >>> shift, seed) >>> 16]!
  if (DTYPES[view.dtype].bytes === 8) eachElement(view, (i, at) => setLong(codes, at, pick(i)))
  else eachElement(view, (i, at) => (codes[at] = pick(i)))
  return bytes
}

/** `byteLength` bytes of a single value. */
export function fillBytes(dtype: DTypeName, value: number, byteLength: number): Uint8Array {
  const bytes = new Uint8Array(byteLength)
  const codes = codesOf({ dtype, shape: [], stride: [], offset: 0 }, bytes)
  if (DTYPES[dtype].bytes === 8) for (let i = 0; i < codes.length / 2; i++) setLong(codes, i, encode(dtype, value))
  else codes.fill(encode(dtype, value))
  return bytes
}
