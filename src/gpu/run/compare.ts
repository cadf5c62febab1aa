/** Compares two outputs element by element. */
import { codeDistance, decode, decodeTable, DTYPES, type DTypeName } from '../../ops/dtype'
import type { Comparison, Difference } from '../types'

/** Upper bound of each bin's distances; a last bin takes the rest. For dtypes of 8 and 16 bits. */
const BINS: readonly number[] = [1, 2, 4, 8, 16, 32]
/** For float32, where a single code is negligible. */
const WIDE_BINS: readonly number[] = [1, 15, 255, 4095, 65535]

function binOf(bins: readonly number[], steps: number): number {
  let i = 0
  while (i < bins.length && steps > bins[i]!) i++
  return i
}

/** @param counts one more than `bins` */
function histogramOf(
  bins: readonly number[],
  counts: readonly number[],
  equal: number,
  nanMismatches: number,
): { label: string; count: number }[] {
  const from = (i: number): number => (i === 0 ? 1 : bins[i - 1]! + 1)
  const text = (n: number): string => n.toLocaleString('en-US')
  const rows = counts.map((count, i) => ({
    label:
      i === bins.length
        ? `${text(from(i))} or more`
        : bins[i] === from(i)
          ? text(bins[i]!)
          : `${text(from(i))} to ${text(bins[i]!)}`,
    count,
  }))
  // Omits the empty tail.
  while (rows.length > 1 && rows.at(-1)!.count === 0) rows.pop()
  return [
    { label: 'equal', count: equal },
    ...rows,
    ...(nanMismatches > 0 ? [{ label: 'number against NaN', count: nanMismatches }] : []),
  ]
}

const SHOWN = 10
/** Values below it are float32 subnormals. */
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
  const errors = new ErrorTotals(size >= 4 ? WIDE_BINS : BINS)
  /** Sum of x² over the finite elements. */
  let squares = 0
  for (let i = 0; i < elements; i++) {
    const x = value(a[i]!)
    if (Number.isFinite(x)) squares += x * x
    if (a[i] === b[i]) continue
    const y = value(b[i]!)
    const steps = codeDistance(dtype, a[i]!, b[i]!)
    if (steps === 0) continue
    errors.add(x, y, steps)
    if (first.length < SHOWN)
      first.push({
        index: unravel(i, shape),
        a: x,
        b: y,
        reference: reference && i < reference.length ? value(reference[i]!) : null,
      })
  }
  return { ...errors.summary(elements, squares), first }
}

/** Differences of two outputs, summed over their elements. */
class ErrorTotals {
  private differing = 0
  private maxAbs = 0
  private maxRel = 0
  private maxSteps = 0
  private nanMismatches = 0
  private flushed = 0
  private errorSquares = 0
  private readonly counts: number[]

  constructor(private readonly bins: readonly number[]) {
    this.counts = new Array<number>(bins.length + 1).fill(0)
  }

  /** @param steps number of codes between the two values; null if one of them is NaN */
  add(x: number, y: number, steps: number | null): void {
    this.differing++
    if (steps === null) {
      this.nanMismatches++
      return
    }
    const error = Math.abs(x - y)
    if (Number.isFinite(error)) this.errorSquares += error * error
    this.counts[binOf(this.bins, steps)]!++
    // For opposite infinities, or a single one, the error is infinite, not NaN.
    this.maxAbs = Math.max(this.maxAbs, Number.isNaN(error) ? Infinity : error)
    if (x !== 0) this.maxRel = Math.max(this.maxRel, error / Math.abs(x))
    this.maxSteps = Math.max(this.maxSteps, steps)
    if ((x === 0 || y === 0) && error < SMALLEST_NORMAL) this.flushed++
  }

  summary(elements: number, squares: number): Omit<Comparison, 'first'> {
    const { differing, maxAbs, maxRel, maxSteps, flushed, nanMismatches, errorSquares } = this
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
      histogram: histogramOf(this.bins, this.counts, elements - differing, nanMismatches),
    }
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
