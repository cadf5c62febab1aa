/**
 * A shader that quantises groups of consecutive elements, each by a scale from its largest magnitude, in one pass. It has
 * three forms: four neighbouring threads that hold a group in registers; a workgroup whose segments share a group; and, for odd sizes, a thread a word of four codes.
 */
import { DTYPES, encodeFn } from '../dtype'
import { KernelRefusal, tensorArg, type DeviceTraits, type Dispatch, type KernelCall } from '../kernel'
import { overMax, PEAK8, quantFn } from './quant_wgsl'
import { requireDense, rowsOf, Shader, WORKGROUP } from './shader'
import type { Source } from './source'

export interface GroupQuant {
  readonly groupSize: number
  readonly out: string
  readonly scales: string
  readonly min: number
  readonly max: number
  /** WGSL for the scale of a group whose largest magnitude is `a: f32`; `over_max(a)` is a / max. */
  scale(shader: Shader): string
}

/** Threads of a workgroup in which four neighbours share a group. */
const QUADS = 256
/** Largest group that the registers of four threads hold. */
const MOST_KEPT = 256

export function groupQuant(
  label: string,
  call: KernelCall,
  source: Source,
  spec: GroupQuant,
  device: DeviceTraits,
): Dispatch[] {
  const out = tensorArg(call, spec.out)
  requireDense(spec.out, out)
  const scales = rowsOf(spec.scales, tensorArg(call, spec.scales))
  if (scales.dtype !== 'float32') throw new KernelRefusal(`\`${spec.scales}\` must be float32, found ${scales.dtype}`)
  if (DTYPES[out.dtype].bytes !== 1)
    throw new KernelRefusal(`\`${spec.out}\` must be an 8-bit dtype, found ${out.dtype}`)
  const gs = spec.groupSize
  // A segment of threads, eight elements each, shares one group; its size must be a power of two that fits a workgroup.
  const threads = gs / 8
  const segments = Number.isInteger(Math.log2(threads)) && threads >= 1 && threads <= WORKGROUP
  const quads = device.quads && source.wide && gs % 32 === 0 && gs <= MOST_KEPT
  // Groups that four threads take one after the other; the exact scale of each is the work of one of them.
  const each = device.serial ? 4 : 1
  const shader = new Shader(source.wide && (quads || segments))
  shader.helper(encodeFn('enc_out', out.dtype, shader.wide))
  const value = source.emit(shader, quads)
  const q = shader.bind(spec.out, out.dtype, 'read_write')
  const s = shader.bind(spec.scales, 'float32', 'read_write', false)
  shader.helper(overMax(spec.max))
  shader.helper(`fn scale_of(a: f32) -> f32 {\n${spec.scale(shader)}\n}`)
  shader.helper(value)
  shader.helper(quantFn(spec.min, spec.max, out.dtype, shader.wide))
  const n = source.rows * source.cols
  const size = shader.param('n', n)
  const cols = shader.param('cols', source.cols)
  const base = shader.param('out_base', out.offset)
  const scaleAt = (row: string, g: string): string =>
    `b${s.index}[${shader.param('scale_base', scales.offset)} + (${row}) * ${shader.param('scale_row', scales.rowStride)} + (${g}) * ${shader.param('scale_col', scales.colStride)}]`

  if (shader.wide) shader.helper(PEAK8)
  if (quads) {
    const exact = source.emitExact?.(shader)
    if (exact) shader.helper(exact)
    const turns = Array.from({ length: gs / 32 }, (_, i) => i)
    const most = (of: (i: number) => string): string => turns.map(of).reduce((a, b) => `max(${a}, ${b})`)
    const inQuad = (name: string): string =>
      ['X', 'Y'].map((d) => `    ${name} = max(${name}, quadSwap${d}(${name}));\n`).join('')
    return [
      shader.print(
        label,
        `  let t = group * ${QUADS}u + lid;
  let lane = t & 3u;
  let start = (t >> 2u) * ${each * gs}u;
  var row = start / ${cols};
  var col = start - row * ${cols};
  // Each thread keeps what the scale of one of the groups comes from.
  var own_peak = 0;
  var own_row = 0u;
  var own_col = 0u;
  for (var g = 0u; g < ${each}u; g++) {
${turns.map((i) => `    let x${i} = value8(row, col + lane * 8u + ${32 * i}u);\n    let p${i} = peak8(x${i});`).join('\n')}
    var m = ${most((i) => `p${i}`)};
${inQuad('m')}    let s = scale_of(bitcast<f32>(m));
    if (start + g * ${gs}u < ${size}) {
      let to = ${base} + start + g * ${gs}u + lane * 8u;
${turns.map((i) => `      store8_${q.index}(to + ${32 * i}u, quant(x${i}.a, s), quant(x${i}.b, s));`).join('\n')}
    }
    var at = ${exact ? most((i) => `select(0, ${32 * i + 1} + i32(lane) * 8, p${i} == m)`) : '1'};
${exact ? inQuad('at') : ''}    if (lane == g) {
      own_peak = m;
      own_row = row;
      own_col = col + u32(at - 1);
    }
    col += ${gs}u;
    if (col >= ${cols}) {
      col = 0u;
      row++;
    }
  }
  if (lane >= ${each}u || start + lane * ${gs}u >= ${size}) { return; }
${exact ? '  own_peak = peak8(exact8(own_row, own_col));' : ''}
  ${scaleAt('own_row', `own_col / ${gs}u`)} = bitcast<u32>(scale_of(bitcast<f32>(own_peak)));`,
        Math.ceil((n / gs / each) * (4 / QUADS)),
        '',
        QUADS,
      ),
    ]
  }
  if (shader.wide) {
    const reduce: string[] = []
    for (let step = threads / 2; step >= 1; step /= 2)
      reduce.push(
        `  workgroupBarrier();\n  if (lid % ${threads}u < ${step}u) { peak[lid] = max(peak[lid], peak[lid + ${step}u]); }`,
      )
    return [
      shader.print(
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
  store8_${q.index}(${base} + e, quant(x.a, s), quant(x.b, s));`,
        Math.ceil(n / 8 / WORKGROUP),
        `var<workgroup> peak: array<i32, ${WORKGROUP}>;`,
      ),
    ]
  }
  return [
    shader.print(
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
  b${q.index}[${base} / 4u + t] = word;`,
      Math.ceil(n / 4 / WORKGROUP),
    ),
  ]
}
