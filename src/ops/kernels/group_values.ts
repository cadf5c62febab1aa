/** Definition of quantization by the largest magnitude of each group. */

/** Scale and codes of each group, as the shader above; `scale` maps a group's largest magnitude to its scale. */
export function groupQuantValues(
  x: Float32Array,
  groupSize: number,
  min: number,
  max: number,
  scale: (peak: number) => number,
): { q: Float32Array; scales: Float32Array } {
  const q = new Float32Array(x.length)
  const scales = new Float32Array(x.length / groupSize)
  for (let g = 0; g < scales.length; g++) {
    const from = g * groupSize
    let peak = 0
    for (let i = from; i < from + groupSize; i++) peak = Math.max(peak, Math.abs(x[i]!))
    const s = scale(peak)
    scales[g] = s
    for (let i = from; i < from + groupSize; i++) q[i] = Math.min(Math.max(Math.fround(x[i]! / s), min), max)
  }
  return { q, scales }
}

export interface RowQuantOptions {
  readonly groupSize: number
  key(peak: number): number
  quant(x: number, key: number): number
  /** Default: the key itself. */
  scale?(key: number): number
}

/**
 * Groups of each row, of which the last may be shorter: `key` maps a group's largest magnitude to the value that
 * `scale` stores and `quant` divides by. A NaN makes its group's peak NaN.
 */
export function rowQuantValues(
  x: Float32Array,
  cols: number,
  { groupSize, key, quant, scale = (k) => k }: RowQuantOptions,
): { q: Float32Array; scales: Float32Array } {
  const groups = Math.max(1, Math.ceil(cols / groupSize))
  const rows = cols === 0 ? 0 : x.length / cols
  const q = new Float32Array(x.length)
  const scales = new Float32Array(rows * groups)
  for (let row = 0; row < rows; row++)
    for (let g = 0; g < groups; g++) {
      const from = row * cols + g * groupSize
      const to = Math.min(from + groupSize, (row + 1) * cols)
      let peak = 0
      for (let i = from; i < to; i++) peak = Math.max(peak, Math.abs(x[i]!))
      const k = key(peak)
      scales[row * groups + g] = scale(k)
      for (let i = from; i < to; i++) q[i] = quant(x[i]!, k)
    }
  return { q, scales }
}
