/**
 * A shader that quantizes groups of consecutive elements in one pass, each with a scale from its largest magnitude. It
 * has three forms: four adjacent threads hold a group in registers; segments of a workgroup share a group; and, for odd
 * sizes, one thread handles a word of four codes.
 */
import { DTYPES, encodeFn } from '../dtype'
import { KernelRefusal, tensorArg, type DeviceTraits, type Dispatch, type KernelCall } from '../kernel'
import { largestInQuad, PEAK8 } from './quant_wgsl'
import type { RowQuant, RowSpec } from './row_spec'
import { emitQuant } from './row_wgsl'
import { placed, requireDense, rowsOf, Shader, WORKGROUP } from './shader'
import { emitExact, emitSource, type Source } from './source'

/** Threads per workgroup if four adjacent threads share a group. */
const QUADS = 256
/** Largest group that fits in the registers of four threads. */
const MAX_KEPT = 256

export function groupQuant(
  label: string,
  call: KernelCall,
  spec: RowSpec,
  quant: RowQuant,
  device: DeviceTraits,
): Dispatch[] {
  const { source } = spec
  const out = tensorArg(call, spec.out)
  requireDense(spec.out, out)
  const scales = rowsOf(quant.scales, tensorArg(call, quant.scales))
  if (scales.dtype !== 'float32') throw new KernelRefusal(`\`${quant.scales}\` must be float32, found ${scales.dtype}`)
  if (DTYPES[out.dtype].bytes !== 1)
    throw new KernelRefusal(`\`${spec.out}\` must be an 8-bit dtype, found ${out.dtype}`)
  const gs = quant.groupSize
  // A segment of threads, eight elements each, shares one group; its size must be a power of two that fits a workgroup.
  const threads = gs / 8
  const segments = Number.isInteger(Math.log2(threads)) && threads >= 1 && threads <= WORKGROUP
  const quads = device.quads && source.wide && gs % 32 === 0 && gs <= MAX_KEPT
  const shader = new Shader(source.wide && (quads || segments))
  shader.helper(encodeFn('enc_out', out.dtype, shader.wide, true))
  const value = emitSource(shader, source, quads || source.rounds)
  const q = shader.bind(spec.out, out.dtype, 'read_write')
  const s = shader.bind(quant.scales, 'float32', 'read_write', false)
  shader.helper(value)
  emitQuant(shader, call, quant, 'float32')
  const n = source.rows * source.cols
  // Sizes are literals in the shader: reading one as a parameter costs a CPU adapter a fifth of its time.
  const size = `${n}u`
  const cols = `${source.cols}u`
  const base = `${out.offset}u`
  const scaleAt = (row: string, g: string): string => `b${s.index}[${placed(scales, row, g)}]`

  if (shader.wide) shader.helper(PEAK8)
  const text: GroupText = { label, shader, gs, n, size, cols, base, out: q.index, scaleAt }
  return [quads ? quadsPlan(text, source) : shader.wide ? segmentsPlan(text) : wordsPlan(text)]
}

/** A shader with its tensors bound, and WGSL for sizes and positions. */
interface GroupText {
  readonly label: string
  readonly shader: Shader
  /** Elements of a group. */
  readonly gs: number
  readonly n: number
  readonly size: string
  readonly cols: string
  readonly base: string
  /** Index of the codes' buffer. */
  readonly out: number
  readonly scaleAt: (row: string, group: string) => string
}

/** Four neighboring threads hold a group in registers. */
function quadsPlan({ label, shader, gs, n, size, cols, base, out, scaleAt }: GroupText, source: Source): Dispatch {
  const exact = emitExact(shader, source)
  if (exact) shader.helper(exact)
  const turns = Array.from({ length: gs / 32 }, (_, i) => i)
  const eachTurn = (text: (i: number) => string): string => turns.map(text).join('\n')
  const peaks = turns.map((i) =>
    exact
      ? `max(${withPlace(`x${i}.a`, 8 * i, gs)}, ${withPlace(`x${i}.b`, 8 * i + 4, gs)})`
      : `max(magnitudes(x${i}.a), magnitudes(x${i}.b))`,
  )
  return shader.print(
    label,
    `  let t = group * ${QUADS}u + lid;
  let lane = (t & 3u) * 8u;
  let start = (t >> 2u) * ${gs}u;
  let row = start / ${cols};
  let col = start - row * ${cols};
${eachTurn((i) => `  let x${i} = value8(row, col + lane + ${32 * i}u);`)}
  let own = largest(${peaks.reduce((all, p) => `max(${all}, ${p})`)});
  var m = own;
${largestInQuad('m')}
${exact ? `${findPeak(gs)}\n  let peak = abs(exact(row, col + u32(max(at, 0))));` : '  let peak = bitcast<f32>(m);'}
  let s = scale_of(peak);
  if (start >= ${size}) { return; }
${eachTurn((i) => `  store8_${out}(${base} + start + lane + ${32 * i}u, quant(x${i}.a, s), quant(x${i}.b, s));`)}
  if (lane == 0u) { ${scaleAt('row', divided('col', gs))} = bitcast<u32>(s); }`,
    Math.ceil(n / gs / (QUADS / 4)),
    '',
    QUADS,
  )
}

/** A segment of a workgroup's threads, eight elements each, shares a group. */
function segmentsPlan({ label, shader, gs, n, size, cols, base, out, scaleAt }: GroupText): Dispatch {
  const threads = gs / 8
  const reduce: string[] = []
  for (let step = threads / 2; step >= 1; step /= 2)
    reduce.push(
      `  workgroupBarrier();\n  if (lid % ${threads}u < ${step}u) { peak[lid] = max(peak[lid], peak[lid + ${step}u]); }`,
    )
  return shader.print(
    label,
    `  let e = (group * ${WORKGROUP}u + lid) * 8u;
  let live = e < ${size};
  let row = e / ${cols};
  let col = e % ${cols};
  var x: V8;
  var m = 0;
  if (live) {
    x = value8(row, col);
    m = peak8(x);
  }
  peak[lid] = m;
${reduce.join('\n')}
  workgroupBarrier();
  if (!live) { return; }
  let s = scale_of(bitcast<f32>(peak[lid - lid % ${threads}u]));
  if (lid % ${threads}u == 0u) { ${scaleAt('row', `col / ${gs}u`)} = bitcast<u32>(s); }
  store8_${out}(${base} + e, quant(x.a, s), quant(x.b, s));`,
    Math.ceil(n / 8 / WORKGROUP),
    `var<workgroup> peak: array<i32, ${WORKGROUP}>;`,
  )
}

/** One thread per word of four codes, for odd sizes. */
function wordsPlan({ label, shader, gs, n, size, cols, base, out, scaleAt }: GroupText): Dispatch {
  return shader.print(
    label,
    `  let t = group * ${WORKGROUP}u + lid;
  if (t * 4u >= ${size}) { return; }
  var word = 0u;
  var held = 0xffffffffu;
  var s = 0.0;
  for (var k = 0u; k < 4u; k++) {
    let e = t * 4u + k;
    if (e >= ${size}) { break; }
    let row = e / ${cols};
    let col = e % ${cols};
    let first = e - col % ${gs}u;
    if (first != held) {
      held = first;
      var m = 0u;
      for (var i = 0u; i < ${gs}u; i++) { m = max(m, bitcast<u32>(value(row, first - row * ${cols} + i)) & 0x7fffffffu); }
      s = scale_of(bitcast<f32>(m));
    }
    if (e == first) { ${scaleAt('row', `col / ${gs}u`)} = bitcast<u32>(s); }
    word |= quant(value(row, col), s) << (k * 8u);
  }
  b${out}[${base} / 4u + t] = word;`,
    Math.ceil(n / 4 / WORKGROUP),
  )
}

/** Multiplies or divides a whole number by a constant: a CPU divides lane by lane. */
const divided = (n: string, by: number): string =>
  Number.isInteger(Math.log2(by)) ? `${n} >> ${Math.log2(by)}u` : `${n} / ${by}u`

/** Number of positions of a thread's values in one group, as a power of two. */
const placesOf = (gs: number): number => 2 ** Math.ceil(Math.log2(gs / 4))

/**
 * Magnitudes whose lowest bits encode the position of the value within its thread, starting at \`place\`: their maximum
 * then identifies the peak. Codes and scales are computed from \`exact\` at that position.
 */
const withPlace = (x: string, place: number, gs: number): string =>
  `((bitcast<vec4<i32>>(${x}) & vec4<i32>(${0x80000000 - placesOf(gs)})) | vec4<i32>(${[0, 1, 2, 3].map((l) => place + l).join(', ')}))`

/**
 * \`at\`, the column of the peak in its group: codes tolerate approximate values, but scales are compared bit for bit.
 * The eights of one thread are 32 columns apart.
 */
function findPeak(gs: number): string {
  const place = `(m & ${placesOf(gs) - 1})`
  return `  var at = select(-1, i32(lane) + (${place} & 7) + (${place} & ${placesOf(gs) - 8}) * 4, m == own);
${largestInQuad('at')}`
}
