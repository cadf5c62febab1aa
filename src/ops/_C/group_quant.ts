/** A shader that quantises groups of consecutive elements, each by a scale from its largest magnitude, in one pass. */
import { DTYPES, encodeFiniteFn, encodeFn, type DTypeName } from '../dtype'
import { KernelRefusal, tensorArg, type DeviceTraits, type Dispatch, type KernelCall } from '../kernel'
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

/** Largest group that one thread holds. */
const MOST_HELD = 512

/** A literal that WGSL reads as the same float32. */
export const literal = (x: number): string => {
  const text = Math.fround(x).toString()
  return /[.e]/.test(text) ? `${text}f` : `${text}.0f`
}

/**
 * `fn over_max(a) = a / max`, correctly rounded for integers up to 255 times a power of two: WGSL's own division may be
 * 2.5 units off, and a scale one unit off shows as a difference in every comparison. The mantissa is divided by the odd
 * part in integers, in two steps of a long division.
 */
export function overMax(max: number): string {
  let odd = max
  let twos = 0
  while (Number.isInteger(odd) && odd > 0 && odd % 2 === 0) {
    odd /= 2
    twos++
  }
  if (!Number.isInteger(odd) || odd < 1 || odd > 255)
    return `fn over_max(a: f32) -> f32 { return a / ${literal(max)}; }`
  return `fn over_max(a: f32) -> f32 {
  let b = bitcast<u32>(a);
  let e = b >> 23u;
  if (e >= 0xffu || e < ${twos + 10}u) { return a / ${literal(max)}; }
  let m = ((b & 0x7fffffu) | 0x800000u) << 5u;
  let rest = (m % ${odd}u) << ${odd === 1 ? 0 : 4}u;
  let q = ((m / ${odd}u) << ${odd === 1 ? 0 : 4}u) | (rest / ${odd}u) | select(0u, 1u, rest % ${odd}u != 0u);
  let top = firstLeadingBit(q);
  return bitcast<f32>(((e + top - ${odd === 1 ? 28 + twos : 32 + twos}u) << 23u) + (rne(q, top - 23u) - 0x800000u));
}`
}

/** 2^ceil(log2(s)) for a positive s, on the bits: exact, where CUDA's log2f may round a value just above a power of two down. */
export const CEIL_POW2 = `fn ceil_pow2(s: f32) -> f32 {
  let b = bitcast<u32>(s);
  if (b >= 0x7f800000u || (b & 0x7fffffu) == 0u) { return s; }
  return bitcast<f32>(((b >> 23u) + 1u) << 23u);
}`

/** Magnitudes order like their bits, and NaN's lie above infinity's: a NaN makes the whole group NaN, as amax does. */
export const PEAK8 = `fn peak8(x: V8) -> u32 {
  let p = max(bitcast<vec4<u32>>(x.a) & vec4<u32>(0x7fffffffu), bitcast<vec4<u32>>(x.b) & vec4<u32>(0x7fffffffu));
  return max(max(p.x, p.y), max(p.z, p.w));
}`

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
  const serial = source.wide && gs % 8 === 0 && gs <= MOST_HELD && (device.serial || !segments)
  const shader = new Shader(source.wide && (segments || serial))
  shader.helper(encodeFn('enc_out', out.dtype, shader.wide))
  const value = source.emit(shader)
  const q = shader.bind(spec.out, out.dtype, 'read_write')
  const s = shader.bind(spec.scales, 'float32', 'read_write', false)
  shader.helper(overMax(spec.max))
  shader.helper(`fn scale_of(a: f32) -> f32 {\n${spec.scale(shader)}\n}`)
  shader.helper(value)
  shader.helper(quantFn(spec.min, spec.max, out.dtype, shader.wide))
  if (shader.wide) shader.helper(PEAK8)
  const n = source.rows * source.cols
  const size = shader.param('n', n)
  const cols = shader.param('cols', source.cols)
  const base = shader.param('out_base', out.offset)
  const scaleAt = (row: string, g: string): string =>
    `b${s.index}[${shader.param('scale_base', scales.offset)} + (${row}) * ${shader.param('scale_row', scales.rowStride)} + (${g}) * ${shader.param('scale_col', scales.colStride)}]`

  if (serial)
    return [
      shader.print(
        label,
        `  let first = (group * ${WORKGROUP}u + lid) * ${gs}u;
  if (first >= ${size}) { return; }
  let row = first / ${cols};
  let col = first % ${cols};
  var x: array<V8, ${gs / 8}>;
  var m = 0u;
  for (var i = 0u; i < ${gs / 8}u; i++) {
    x[i] = value8(row, col + i * 8u);
    m = max(m, peak8(x[i]));
  }
  let s = scale_of(bitcast<f32>(m));
  ${scaleAt('row', `col / ${gs}u`)} = bitcast<u32>(s);
  for (var i = 0u; i < ${gs / 8}u; i++) { store8_${q.index}(${base} + first + i * 8u, quant(x[i].a, s), quant(x[i].b, s)); }`,
        Math.ceil(n / gs / WORKGROUP),
      ),
    ]
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
  var m = 0u;
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
        `var<workgroup> peak: array<u32, ${WORKGROUP}>;`,
      ),
    ]
  }
  // Any group size and alignment: one thread a word of four codes, which finds the peak of each group the word touches.
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

/** `fn quant(x, s) -> u32`: the code of clamp(x / s, min, max); NaN stays NaN and infinite scales give zeros, by the bits. */
export function quantFn(min: number, max: number, dtype: DTypeName, wide: boolean): string {
  const clamped = `bitcast<U32>(clamp(x / s, F32(${literal(min)}), F32(${literal(max)})))`
  // A finite scale is that of a group without NaN and infinity.
  const finite = dtype === 'float8_e4m3fn' && min >= -448 && max <= 448
  return `${finite ? encodeFiniteFn('enc_finite', dtype, wide) : ''}fn quant(x: F32, s: f32) -> U32 {
  let q = ${clamped};
  let sm = bitcast<u32>(s) & 0x7fffffffu;
  ${finite ? 'if (sm < 0x7f800000u && bitcast<u32>(s) > 0u) { return enc_finite(q); }' : ''}
  let b = bitcast<U32>(x);
  let mag = b & U32(0x7fffffffu);
  let tamed = select(q, b & U32(0x80000000u), U32(sm) == U32(0x7f800000u));
  let nan = (max(mag, U32(sm)) > U32(0x7f800000u)) | ((mag & U32(sm)) == U32(0x7f800000u));
  return enc_out(select(tamed, U32(0x7fc00000u), nan));
}`
}

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

/**
 * Groups of each row, the last of a row possibly shorter: `key` maps a group's largest magnitude to what `scale` stores
 * and `quant` quantises by. A NaN makes its group's peak NaN.
 */
export function rowQuantValues(
  x: Float32Array,
  cols: number,
  groupSize: number,
  key: (peak: number) => number,
  quant: (x: number, key: number) => number,
  scale: (key: number) => number = (k) => k,
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
