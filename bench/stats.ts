/** The q-quantile of samples, by linear interpolation. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (sorted.length - 1) * q
  const low = Math.floor(at)
  return sorted[low]! + (sorted[Math.ceil(at)]! - sorted[low]!) * (at - low)
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

export const ms = (value: number): string => `${value.toFixed(1).padStart(7)} ms`
