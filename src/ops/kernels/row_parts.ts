/** Statements shared by all forms of a row shader: see row_kernel.ts. */
import { encodeFn } from '../dtype'
import { given } from '../expr/expr'
import { functionOf } from '../expr/to_wgsl'
import { KernelRefusal, tensorArg, type KernelCall } from '../kernel'
import { PEAK8 } from './quant_wgsl'
import type { Buffer } from './accessors'
import type { RowSpec } from './row_spec'
import { inverseRms, normalized } from './norm_values'
import { oneLaneFunction } from './one_lane'
import { emitQuant, emitSink } from './row_wgsl'
import { emitSource } from './source'
import { placed, readsInEights, rowsOf, Shader, type Rows, type Stream } from './shader'

/** Maximum groups per row: their peaks take four bytes each of a workgroup's 16 KiB. */
const MAX_GROUPS = 3584

/**
 * A shader with its tensors bound, and WGSL statements over `row`, the column `c`, its value `v`, the normalized value
 * `x`, a row's `inverse` root mean square and a group's scale `s`.
 */
export interface RowParts {
  readonly shader: Shader
  /** Number of elements in `v` and `x`: 8 (as V8) or 1. */
  readonly step: 1 | 8
  readonly rows: string
  readonly cols: string
  /** Expression for `v`. */
  readonly load: string
  /** Expression for `v` after `keepValue` ran for this column: it loads the stored value once. */
  readonly loadKept: string
  /** Stores `v`; empty if the spec keeps no values. */
  readonly keepValue: string
  /** Computes `x` from `v`. */
  readonly finish: string
  /** Stores `x`. */
  readonly store: string
  /** Expression for the bits of the largest magnitude in `x`. */
  readonly peak: string
  /** Statement that stores a row's `inverse`; empty if the spec does not store it. */
  readonly storeInverse: string
  /** Expression for a row's `inverse` from its sum of squares. */
  inverseOf(sum: string): string
  /** Null if nothing is quantized with scales of its own. */
  readonly groups: RowGroups | null
}

export interface RowGroups {
  /** Number of groups in a row; the last may be shorter. */
  readonly count: number
  readonly size: number
  /** Statement that stores `s` as the scale of group `g`. */
  readonly storeScale: string
}

/** The output as rows that can be written eight elements at a time. */
const writesInEights = (r: Rows): boolean => readsInEights(r) && r.colStride === 1

/** A shader with the tensors of a spec bound to it. */
interface BoundTensors {
  readonly shader: Shader
  readonly wide: boolean
  readonly rows: string
  readonly weight: Stream | null
  readonly out: BoundOut
  readonly keep: BoundOut | null
  readonly normed: BoundOut | null
  readonly scales: BoundOut | null
  readonly inverse: Buffer | null
}

interface BoundOut {
  readonly buffer: Buffer
  readonly at: Rows
}

/** Groups of a row with a scale each; 0 when nothing is quantized by scales of its own. */
function groupCount({ source, quant }: RowSpec): number {
  const count = quant ? Math.max(1, Math.ceil(source.cols / quant.groupSize)) : 0
  if (count > MAX_GROUPS)
    throw new KernelRefusal(`a row has ${count} groups of ${quant!.groupSize}; at most ${MAX_GROUPS} are handled`)
  return count
}

function bindTensors(call: KernelCall, spec: RowSpec, groups: number): BoundTensors {
  const { source, norm, quant } = spec
  const rowsNamed = (name: string): Rows => rowsOf(name, tensorArg(call, name))
  const outs = {
    out: rowsNamed(spec.out),
    keep: spec.keep ? rowsNamed(spec.keep) : null,
    normed: spec.normed ? rowsNamed(spec.normed) : null,
  }
  const wide =
    source.wide &&
    source.cols % 8 === 0 &&
    Object.values(outs).every((r) => !r || writesInEights(r)) &&
    (!norm || (norm.rows.colStride === 1 && norm.rows.rowStride % 8 === 0 && norm.rows.offset % 8 === 0)) &&
    (!quant || quant.groupSize % 8 === 0 || groups === 1)
  const shader = new Shader(wide)
  shader.helper(encodeFn('enc_out', outs.out.dtype, wide, quant !== undefined))
  const value = emitSource(shader, source)
  const weight = norm ? shader.stream(norm.weight, norm.rows) : null
  const bindOut = (name: string, at: Rows): BoundOut => ({
    buffer: wide ? shader.bind(name, at.dtype, 'read_write') : shader.scatter(name, at.dtype),
    at,
  })
  const out = bindOut(spec.out, outs.out)
  const keep = outs.keep && bindOut(spec.keep!, outs.keep)
  const normed = outs.normed && bindOut(spec.normed!, outs.normed)
  if (outs.normed) shader.helper(encodeFn('enc_normed', outs.normed.dtype, wide))
  if (outs.keep) shader.helper(encodeFn('enc_keep', outs.keep.dtype, wide))
  const scales = quant ? rowsNamed(quant.scales) : null
  const scaleOut = scales && { buffer: shader.scatter(quant!.scales, scales.dtype), at: scales }
  const inverse = spec.rstd ? shader.scatter(spec.rstd, 'float32') : null
  if (quant) emitQuant(shader, call, quant, scales!.dtype)
  else emitSink(shader, call, spec.sink)
  shader.helper(value)
  shader.helper(wide ? PEAK8 : 'fn peak1(x: f32) -> i32 { return bitcast<i32>(x) & 0x7fffffff; }')
  if (norm) {
    const value = normalized(source.dtype, given('x'), given('inverse'), given('w'))
    shader.helper(functionOf(shader, 'normed', ['x', 'inverse', 'w'], value))
    oneLaneFunction(shader, 'inverse_of', ['sum'], inverseRms(given('sum'), source.cols, norm.epsilon))
  }
  return { shader, wide, rows: shader.param('rows', source.rows), weight, out, keep, normed, scales: scaleOut, inverse }
}

export function rowParts(call: KernelCall, spec: RowSpec): RowParts {
  const { source, norm, quant } = spec
  const count = groupCount(spec)
  const { shader, wide, rows, weight, out, keep, normed, scales, inverse } = bindTensors(call, spec, count)
  // Widths and strides are literals in the shader, like those of streams.
  const cols = `${source.cols}u`
  /** Stores `code(lane)` of each half, or of the single value, at column c. */
  const put = ({ buffer, at }: BoundOut, code: (lane: string) => string): string => {
    const e = placed(at, 'row', 'c')
    return wide
      ? `store8_${buffer.index}(${e}, ${code('.a')}, ${code('.b')});`
      : `put_${buffer.index}(${e}, ${code('')});`
  }
  const bits = (of: string): string => `bitcast<${wide ? 'vec4<u32>' : 'u32'}>(${of})`
  const load = wide ? 'value8(row, c)' : 'value(row, c)'

  return {
    shader,
    step: wide ? 8 : 1,
    rows,
    cols,
    load,
    loadKept:
      keep && wide && spec.keepsValues && keep.buffer.dtype === source.dtype
        ? `load8_${keep.buffer.index}(${placed(keep.at, 'row', 'c')})`
        : load,
    keepValue: keep ? put(keep, (l) => `enc_keep(${bits(`v${l}`)})`) : '',
    finish: !norm
      ? 'let x = v;'
      : wide
        ? `let w = load8_${weight!.buffer.index}(${weight!.at('row', 'c')}); let rms = vec4<f32>(inverse); let x = V8(normed(v.a, rms, w.a), normed(v.b, rms, w.b));`
        : `let x = normed(v, inverse, load_${weight!.buffer.index}(${weight!.at('row', 'c')}));`,
    store: [
      normed ? put(normed, (l) => `enc_normed(${bits(`x${l}`)})`) : '',
      put(out, (l) => (quant ? `quant(x${l}, s)` : `enc_out(finish(x${l}))`)),
    ].join(' '),
    peak: wide ? 'peak8(x)' : 'peak1(x)',
    storeInverse: inverse
      ? `put_${inverse.index}(${tensorArg(call, spec.rstd!).offset}u + row, bitcast<u32>(inverse));`
      : '',
    inverseOf: (sum) => `inverse_of(${sum})`,
    groups: quant
      ? {
          count,
          size: count === 1 ? Math.max(1, source.cols) : quant.groupSize,
          storeScale: `put_${scales!.buffer.index}(${placed(scales!.at, 'row', 'g')}, scale_code(s));`,
        }
      : null,
  }
}
