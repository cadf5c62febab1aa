/** Two outputs, element by element. */
import { binOf, BINS, histogramOf, WIDE_BINS } from './histogram'
import { codeDistance, decode, decodeTable, DTYPES, type DTypeName } from '../../ops/dtype'
import type { Comparison, Difference } from '../types'

const SHOWN = 10
/** Below it float32 is subnormal. */
const SMALLEST_NORMAL = 2 ** -126

/** @param a,b,reference storage codes in row-major order; `reference` may hold fewer elements */
export function compareCodes(
  dtype: DTypeName,
  shape: readonly number[],
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  reference: ArrayLike<number> | null,
): Comparison {
  const size = DTYPES[dtype].bytes
  const table = size >= 4 ? null : decodeTable(dtype, size === 1 ? 256 : 65536)
  const value = (code: number): number => (table ? table[code]! : decode(dtype, code))
  const elements = Math.min(a.length, b.length)
  const first: Difference[] = []
  let differing = 0
  let maxAbs = 0
  let maxRel = 0
  let maxSteps = 0
  let nanMismatches = 0
  let flushed = 0
  let errorSquares = 0
  let squares = 0
  const bins = size >= 4 ? WIDE_BINS : BINS
  const counts = new Array<number>(bins.length + 1).fill(0)
  for (let i = 0; i < elements; i++) {
    const x = value(a[i]!)
    if (Number.isFinite(x)) squares += x * x
    if (a[i] === b[i]) continue
    const y = value(b[i]!)
    const steps = codeDistance(dtype, a[i]!, b[i]!)
    if (steps === 0) continue
    differing++
    if (steps === null) nanMismatches++
    else {
      const error = Math.abs(x - y)
      if (Number.isFinite(error)) errorSquares += error * error
      counts[binOf(bins, steps)]!++
      // Two infinities of opposite sign, or one: the error is infinite, not NaN.
      maxAbs = Math.max(maxAbs, Number.isNaN(error) ? Infinity : error)
      if (x !== 0) maxRel = Math.max(maxRel, error / Math.abs(x))
      maxSteps = Math.max(maxSteps, steps)
      if ((x === 0 || y === 0) && error < SMALLEST_NORMAL) flushed++
    }
    if (first.length < SHOWN)
      first.push({
        index: unravel(i, shape),
        a: x,
        b: y,
        reference: reference && i < reference.length ? value(reference[i]!) : null,
      })
  }
  return {
    elements,
    equal: differing === 0,
    differing,
    share: elements === 0 ? 0 : differing / elements,
    maxAbs,
    maxRel,
    maxSteps,
    flushed,
    nanMismatches,
    relNorm: squares > 0 ? Math.sqrt(errorSquares / squares) : errorSquares > 0 ? Infinity : 0,
    histogram: histogramOf(bins, counts, elements - differing, nanMismatches),
    first,
  }
}

function unravel(i: number, shape: readonly number[]): number[] {
  const index = new Array<number>(shape.length)
  for (let d = shape.length - 1; d >= 0; d--) {
    index[d] = i % shape[d]!
    i = Math.floor(i / shape[d]!)
  }
  return index
}
