/** Histogram of the distance between the elements of two tensors, in codes (units in the last place). */

/** Largest distance in each bin; a last bin takes the rest. For dtypes of 8 and 16 bits. */
export const BINS: readonly number[] = [1, 2, 4, 8, 16, 32]
/** For float32, where one code is negligible. */
export const WIDE_BINS: readonly number[] = [1, 15, 255, 4095, 65535]

export function binOf(bins: readonly number[], steps: number): number {
  let i = 0
  while (i < bins.length && steps > bins[i]!) i++
  return i
}

/** @param counts one more than `bins` */
export function histogramOf(
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
