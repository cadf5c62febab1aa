/**
 * A shader that takes a row at a time: values from a source, optionally normalised by their root mean square, then
 * stored or quantised by scales of their own groups, in one dispatch. It has three forms: a workgroup a row with eight
 * elements a load; the same element by element, for odd sizes and any strides; and, for adapters that are CPUs, a
 * thread a row.
 */
import { encodeFn, roundFn } from '../dtype'
import { KernelRefusal, tensorArg, type DeviceTraits, type Dispatch, type KernelCall } from '../kernel'
import { literal, PEAK8 } from './quant_wgsl'
import type { Sink } from './pointwise'
import { readsInEights, rowsOf, Shader, WORKGROUP, type Buffer, type Rows } from './shader'
import type { Source } from './source'

const THREADS = 256
/** Eights of a row that a thread keeps in registers; longer rows are read again. */
const MAX_HELD = 16
/** Groups a row may have: their peaks take four bytes each of the 16 KiB a workgroup has. */
const MOST_GROUPS = 3584
/** Eights of one group that a thread keeps on a serial device. */
const MOST_KEPT = 64

export interface RowQuant {
  /** Elements that share a scale; the last group of a row may be shorter. */
  readonly groupSize: number
  /** Tensor [rows, groups]. */
  readonly scales: string
  /**
   * WGSL functions `scale_of(peak: f32) -> f32`, `scale_code(s: f32) -> u32` (what is stored) and
   * `quant(x: F32, s: f32) -> U32` (codes of `out`; `enc_out` encodes float32 bits).
   */
  emit(shader: Shader): string
}

export interface RowSpec {
  readonly source: Source
  /** Tensor that takes the source's values as they are: x + residual. */
  readonly keep?: string
  readonly norm?: { readonly weight: string; readonly rows: Rows; readonly epsilon: number }
  /** Tensor [rows] that takes 1 / rms. */
  readonly rstd?: string
  /** Tensor that takes the normalised values; for one that only stores, `sink` says how. */
  readonly out: string
  readonly sink?: Sink
  /** Tensor that takes the normalised values as they are, beside an `out` that takes what `sink` makes of them. */
  readonly normed?: string
  readonly quant?: RowQuant
}

/** Out as rows that can be written eight at a time. */
const writesInEights = (r: Rows): boolean => readsInEights(r) && r.colStride === 1

export function rowKernel(label: string, call: KernelCall, spec: RowSpec, device: DeviceTraits): Dispatch[] {
  const { source, norm, quant } = spec
  const out = rowsOf(spec.out, tensorArg(call, spec.out))
  const keep = spec.keep ? rowsOf(spec.keep, tensorArg(call, spec.keep)) : null
  const plainOut = spec.normed ? rowsOf(spec.normed, tensorArg(call, spec.normed)) : null
  const groups = quant ? Math.max(1, Math.ceil(source.cols / quant.groupSize)) : 0
  if (groups > MOST_GROUPS)
    throw new KernelRefusal(`a row has ${groups} groups of ${quant!.groupSize}; at most ${MOST_GROUPS} are handled`)
  const wide =
    source.wide &&
    source.cols % 8 === 0 &&
    writesInEights(out) &&
    (!keep || writesInEights(keep)) &&
    (!plainOut || writesInEights(plainOut)) &&
    (!norm || (norm.rows.colStride === 1 && norm.rows.rowStride % 8 === 0 && norm.rows.offset % 8 === 0)) &&
    (!quant || quant.groupSize % 8 === 0 || groups === 1)
  const shader = new Shader(wide)
  shader.helper(encodeFn('enc_out', out.dtype, wide))
  if (norm) shader.helper(roundFn(source.dtype, wide))
  const value = source.emit(shader)
  const weight = norm ? shader.stream(norm.weight, norm.rows) : null
  const bindOut = (name: string, r: Rows): Buffer =>
    wide ? shader.bind(name, r.dtype, 'read_write') : shader.scatter(name, r.dtype)
  const q = bindOut(spec.out, out)
  const k = keep ? bindOut(spec.keep!, keep) : null
  const n = plainOut ? bindOut(spec.normed!, plainOut) : null
  if (plainOut) shader.helper(encodeFn('enc_normed', plainOut.dtype, wide))
  if (keep) shader.helper(encodeFn('enc_keep', keep.dtype, wide))
  const scales = quant ? rowsOf(quant.scales, tensorArg(call, quant.scales)) : null
  const s = scales ? shader.scatter(quant!.scales, scales.dtype) : null
  const r = spec.rstd ? shader.scatter(spec.rstd, 'float32') : null
  if (quant) shader.helper(quant.emit(shader))
  if (spec.sink) shader.helper(spec.sink.emit(shader))
  shader.helper(value)
  shader.helper(wide ? PEAK8 : 'fn peak1(x: f32) -> i32 { return bitcast<i32>(x) & 0x7fffffff; }')
  if (norm)
    shader.helper('fn normed(x: F32, inverse: f32, w: F32) -> F32 { return round_T(round_T(x * inverse) * w); }')

  const cols = shader.param('cols', source.cols)
  const rows = shader.param('rows', source.rows)
  const place = (name: string, t: Rows) => {
    const base = shader.param(`${name}_base`, t.offset)
    const row = shader.param(`${name}_row`, t.rowStride)
    const col = shader.param(`${name}_col`, t.colStride)
    return (c: string): string => `${base} + row * ${row} + (${c}) * ${col}`
  }
  const outAt = place('out', out)
  const keepAt = keep ? place('keep', keep) : null
  const normedAt = plainOut ? place('normed', plainOut) : null
  const scaleAt = scales ? place('scale', scales) : null
  const gs = quant ? (groups === 1 ? Math.max(1, source.cols) : quant.groupSize) : 0

  const step = wide ? 8 : 1
  const load = wide ? 'value8(row, c)' : 'value(row, c)'
  const square = wide ? 'dot(v.a, v.a) + dot(v.b, v.b)' : 'v * v'
  const storeKeep = !k
    ? ''
    : wide
      ? `store8_${k.index}(${keepAt!('c')}, enc_keep(bitcast<vec4<u32>>(v.a)), enc_keep(bitcast<vec4<u32>>(v.b)));`
      : `put_${k.index}(${keepAt!('c')}, enc_keep(bitcast<u32>(v)));`
  /** WGSL statements that make `x`, the normalised value, of the source's value `v` at column c. */
  const finish = !norm
    ? 'let x = v;'
    : wide
      ? `let w = load8_${weight!.buffer.index}(${weight!.at('row', 'c')}); let x = V8(normed(v.a, inverse, w.a), normed(v.b, inverse, w.b));`
      : `let x = normed(v, inverse, load_${weight!.buffer.index}(${weight!.at('row', 'c')}));`
  const peak = wide ? 'peak8(x)' : 'peak1(x)'
  const codes = (lane: string): string => (quant ? `quant(x${lane}, s)` : `enc_out(finish(x${lane}))`)
  const storeNormed = !n
    ? ''
    : wide
      ? `store8_${n.index}(${normedAt!('c')}, enc_normed(bitcast<vec4<u32>>(x.a)), enc_normed(bitcast<vec4<u32>>(x.b)));`
      : `put_${n.index}(${normedAt!('c')}, enc_normed(bitcast<u32>(x)));`
  const storeOut = wide
    ? `store8_${q.index}(${outAt('c')}, ${codes('.a')}, ${codes('.b')});`
    : `put_${q.index}(${outAt('c')}, ${codes('')});`
  const store = `${storeNormed} ${storeOut}`
  const inverseOf = (sum: string): string => `1.0 / sqrt(${sum} / f32(${cols}) + ${literal(norm?.epsilon ?? 0)})`
  const storeRstd = r
    ? `put_${r.index}(${shader.param('rstd_base', tensorArg(call, spec.rstd!).offset)} + row, bitcast<u32>(inverse));`
    : ''

  if (wide && device.serial) {
    const held = gs > 0 && gs / 8 <= MOST_KEPT
    const first = norm
      ? `  var sums = vec4<f32>();
  for (var c = 0u; c < ${cols}; c += 8u) { let v = ${load}; ${storeKeep} sums += v.a * v.a + v.b * v.b; }
  let inverse = ${inverseOf('((sums.x + sums.y) + (sums.z + sums.w))')};
  ${storeRstd}`
      : ''
    const each = norm ? '' : storeKeep
    const second = !quant
      ? `  for (var c = 0u; c < ${cols}; c += 8u) { let v = ${load}; ${each} ${finish} ${store} }`
      : `  for (var g = 0u; g < ${groups}u; g++) {
    let end = min((g + 1u) * ${gs}u, ${cols});
    var m = 0;
    ${held ? `var kept: array<V8, ${gs / 8}>;` : ''}
    for (var c = g * ${gs}u; c < end; c += 8u) { let v = ${load}; ${each} ${finish} m = max(m, ${peak}); ${held ? `kept[(c - g * ${gs}u) / 8u] = x;` : ''} }
    let s = scale_of(bitcast<f32>(m));
    put_${s!.index}(${scaleAt!('g')}, scale_code(s));
    for (var c = g * ${gs}u; c < end; c += 8u) { ${held ? `let x = kept[(c - g * ${gs}u) / 8u];` : `let v = ${load}; ${finish}`} ${store} }
  }`
    return [
      shader.print(
        label,
        `  let row = group * ${WORKGROUP}u + lid;\n  if (row >= ${rows}) { return; }\n${first}\n${second}`,
        Math.ceil(source.rows / WORKGROUP),
      ),
    ]
  }

  const turns = Math.ceil(source.cols / step / THREADS)
  const held = wide && turns <= MAX_HELD
  const loop = (body: string): string =>
    `  for (var i = 0u; i < ${turns}u; i++) {\n    let c = (i * ${THREADS}u + lid) * ${step}u;\n    if (c < ${cols}) { ${body} }\n  }`
  const shared: string[] = []
  const parts = [`  let row = group;\n  if (row >= ${rows}) { return; }`]
  if (held && (norm || quant)) parts.push(`  var held: array<V8, ${turns}>;`)
  const hold = (name: string): string => (held && (norm || quant) ? `held[i] = ${name};` : '')
  if (norm) {
    shared.push(`var<workgroup> partial: array<f32, ${THREADS}>;`)
    parts.push(
      '  var sum = 0.0;',
      loop(`let v = ${load}; ${storeKeep} ${hold('v')} sum += ${square};`),
      `  partial[lid] = sum;
  for (var half = ${THREADS / 2}u; half >= 1u; half /= 2u) {
    workgroupBarrier();
    if (lid < half) { partial[lid] += partial[lid + half]; }
  }
  workgroupBarrier();
  let inverse = ${inverseOf('partial[0]')};`,
      storeRstd ? `  if (lid == 0u) { ${storeRstd} }` : '',
    )
  }
  const again = norm && held ? 'let v = held[i];' : `let v = ${load};`
  const each = norm ? '' : storeKeep
  if (quant) {
    shared.push(`var<workgroup> peaks: array<atomic<i32>, ${groups}>;`)
    parts.push(
      `  for (var g = lid; g < ${groups}u; g += ${THREADS}u) { atomicStore(&peaks[g], 0); }\n  workgroupBarrier();`,
      loop(`${again} ${each} ${finish} ${hold('x')} atomicMax(&peaks[c / ${gs}u], ${peak});`),
      `  workgroupBarrier();
  for (var g = lid; g < ${groups}u; g += ${THREADS}u) {
    let s = scale_of(bitcast<f32>(atomicLoad(&peaks[g])));
    put_${s!.index}(${scaleAt!('g')}, scale_code(s));
    atomicStore(&peaks[g], bitcast<i32>(s));
  }
  workgroupBarrier();`,
      loop(
        `${held ? 'let x = held[i];' : `let v = ${load}; ${finish}`} let s = bitcast<f32>(atomicLoad(&peaks[c / ${gs}u])); ${store}`,
      ),
    )
  } else parts.push(loop(`${again} ${each} ${finish} ${store}`))
  return [shader.print(label, parts.filter(Boolean).join('\n'), source.rows, shared.join('\n'), THREADS)]
}
