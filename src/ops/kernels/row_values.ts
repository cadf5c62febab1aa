/** The definition of a row kernel: its expressions, on the CPU. */
import { type Expr, given } from '../expr/expr'
import { evaluate, type Given, type Laid } from '../expr/to_js'
import type { ReferenceMemory } from '../kernel'
import { normRows } from './norm_values'
import { storeAsIs, type RowSpec, type Sink } from './row_spec'
import { sourceValues } from './source'

export function rowValues(memory: ReferenceMemory, spec: RowSpec): void {
  const { source, norm } = spec
  let x = sourceValues(memory, source)
  if (spec.keep) memory.write(spec.keep, x)
  if (norm) {
    const { values, rstd } = normRows(memory, { source, norm }, x)
    if (spec.rstd) memory.write(spec.rstd, rstd)
    x = values
  }
  if (spec.normed) memory.write(spec.normed, x)
  if (spec.quant) quantValues(memory, spec, x)
  else memory.write(spec.out, sinkValues(memory, x, spec.sink))
}

/** Loads the only element of a tensor. */
export const only =
  (memory: ReferenceMemory) =>
  (tensor: string): Laid => ({ values: memory.read(tensor), stride: [] })

export function sinkValues(
  memory: ReferenceMemory,
  x: Float32Array,
  { of = [], value }: Sink = storeAsIs,
): Float32Array {
  const numbers = of.map((e) => evaluate(1, e, () => x, only(memory))[0]!)
  const own = value(given('x'), ...numbers.map((_, i) => given(String(i))))
  return evaluate(x.length, own, (name) => (name === 'x' ? x : numbers[Number(name)]!))
}

/** The largest magnitude of each group of a row (the last group may be shorter), and the bounds of group g. */
export function groupsOf(
  x: Float32Array,
  cols: number,
  size: number,
): { peaks: Float32Array; from(g: number): number; to(g: number): number } {
  const groups = Math.max(1, Math.ceil(cols / size))
  const peaks = new Float32Array(cols === 0 ? 0 : (x.length / cols) * groups)
  const from = (g: number): number => Math.floor(g / groups) * cols + (g % groups) * size
  const to = (g: number): number => Math.min(from(g) + size, Math.floor(g / groups + 1) * cols)
  for (let g = 0; g < peaks.length; g++) {
    let peak = 0
    for (let i = from(g), end = to(g); i < end; i++) peak = Math.max(peak, Math.abs(x[i]!))
    peaks[g] = peak
  }
  return { peaks, from, to }
}

/** Codes and scales of groups. */
function quantValues(memory: ReferenceMemory, { source, quant, out }: RowSpec, x: Float32Array): void {
  const { groupSize, scales, key, scale = (k) => k, by = (k) => [k], code } = quant!
  const { peaks, from, to } = groupsOf(x, source.cols, groupSize)
  const each = (value: Expr, of: Float32Array): Float32Array => evaluate(of.length, value, () => of, only(memory))
  const keys = each(key(given('peak')), peaks)
  const whole = source.cols % groupSize === 0
  const factors = by(given('key')).map((factor): Given => {
    const values = each(factor, keys)
    if (whole) return { values, cols: groupSize, begins: (group) => group, step: 0 }
    const all = new Float32Array(x.length)
    for (let g = 0; g < values.length; g++) all.fill(values[g]!, from(g), to(g))
    return all
  })
  const value = code(given('x'), ...factors.map((_, i) => given(String(i))))
  memory.write(
    out,
    evaluate(x.length, value, (name) => (name === 'x' ? x : factors[Number(name)]!)),
  )
  memory.write(scales, each(scale(given('key')), keys))
}
