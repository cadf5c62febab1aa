/** Tensors in CPU memory, stored like on the GPU: codes packed in little-endian words. */
import { decode, decodeTable, DTYPES, encode } from '../../ops/dtype'
import { isContiguous, numel, type TensorView } from '../../ops/kernel'

type Codes = Uint8Array | Uint16Array | Uint32Array

/** Storage codes of `bytes`, one array item per element (two for int64: the low word, then the high one). */
export function codesOf(view: TensorView, bytes: Uint8Array): Codes {
  const size = DTYPES[view.dtype].bytes
  const length = Math.floor(bytes.byteLength / Math.min(4, size))
  if (size === 1) return bytes
  return size === 2
    ? new Uint16Array(bytes.buffer, bytes.byteOffset, length)
    : new Uint32Array(bytes.buffer, bytes.byteOffset, length)
}

/** Calls `visit(logical index, storage index)` for each element in row-major order. */
export function eachElement(view: TensorView, visit: (logical: number, at: number) => void): void {
  const n = numel(view.shape)
  if (isContiguous(view)) {
    for (let i = 0; i < n; i++) visit(i, view.offset + i)
    return
  }
  const rank = view.shape.length
  const index = new Array<number>(rank).fill(0)
  let at = view.offset
  for (let i = 0; i < n; i++) {
    visit(i, at)
    for (let d = rank - 1; d >= 0; d--) {
      index[d]!++
      at += view.stride[d]!
      if (index[d]! < view.shape[d]!) break
      at -= index[d]! * view.stride[d]!
      index[d] = 0
    }
  }
}

/** The elements' codes in row-major order; the low words of int64. */
export function gather(view: TensorView, bytes: Uint8Array): Codes {
  const codes = codesOf(view, bytes)
  const n = numel(view.shape)
  if (DTYPES[view.dtype].bytes === 8) {
    const low = new Uint32Array(n)
    eachElement(view, (i, at) => (low[i] = codes[at * 2]!))
    return low
  }
  if (isContiguous(view)) return codes.subarray(view.offset, view.offset + n)
  const out = codes.slice(0, 0).constructor as Uint8ArrayConstructor | Uint16ArrayConstructor | Uint32ArrayConstructor
  const packed = new out(n)
  eachElement(view, (i, at) => (packed[i] = codes[at]!))
  return packed
}

/** Decoded values in row-major order. */
export function readValues(view: TensorView, bytes: Uint8Array): Float32Array {
  const codes = gather(view, bytes)
  const out = new Float32Array(codes.length)
  const size = DTYPES[view.dtype].bytes
  if (size >= 4) for (let i = 0; i < out.length; i++) out[i] = decode(view.dtype, codes[i]!)
  else {
    const table = decodeTable(view.dtype, size === 1 ? 256 : 65536)
    for (let i = 0; i < out.length; i++) out[i] = table[codes[i]!]!
  }
  return out
}

/** Rounds values, in row-major order, into storage. */
export function writeValues(view: TensorView, bytes: Uint8Array, values: Float32Array): void {
  const codes = codesOf(view, bytes)
  const { dtype } = view
  if (DTYPES[dtype].bytes === 8) {
    eachElement(view, (i, at) => setLong(codes, at, encode(dtype, values[i]!)))
    return
  }
  if (isContiguous(view)) for (let i = 0; i < values.length; i++) codes[view.offset + i] = encode(dtype, values[i]!)
  else eachElement(view, (i, at) => (codes[at] = encode(dtype, values[i]!)))
}

/** An int64 from its low word, sign extended. */
export function setLong(words: Codes, at: number, low: number): void {
  words[at * 2] = low
  words[at * 2 + 1] = (low | 0) < 0 ? 0xffffffff : 0
}

/** Number of bytes that a view's elements span, in whole 16-byte words. */
export function storageBytes(view: TensorView): number {
  const last = view.shape.reduce((sum, n, i) => sum + Math.max(0, n - 1) * view.stride[i]!, view.offset)
  const elements = numel(view.shape) === 0 ? 0 : last + 1
  return Math.max(16, Math.ceil((elements * DTYPES[view.dtype].bytes) / 16) * 16)
}
