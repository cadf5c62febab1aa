/** Asymmetric dynamic int8 quantization: one scale and one zero point per row, in one dispatch. */
import { encodeFn } from '../dtype'
import { tensorArg, type Dispatch, type KernelCall, type ReferenceMemory } from '../kernel'
import { overMax, toInt32 } from '../expr/codes'
import { given } from '../expr/expr'
import { oneLaneFunction } from '../kernels/one_lane'
import { readsInEights, rowsOf, Shader, type Rows } from '../kernels/shader'
import { emitSource, plainSource } from '../kernels/source'
import { literal } from '../kernels/strided'

const THREADS = 256
const f = Math.fround

const int8WithAzp = (x: number, inverse: number, azp: number): number =>
  Math.min(Math.max(toInt32(f(x * inverse)) + azp, -128), 127)

/**
 * s = (max(row) - min(row)) / 255; azp = round_half_even(-128 - min(row) / s);
 * result = int8(clamp(round_half_even(x * (1 / s)) + azp)). NaN is passed over, as CUDA's fminf and fmaxf do.
 * vLLM csrc/quantization/w8a8/int8/scaled_quant.cu, `dynamic_scaled_int8_azp_quant_kernel`.
 */
export function int8AzpValues(call: KernelCall, memory: ReferenceMemory): void {
  const cols = Math.max(1, tensorArg(call, 'input').shape.at(-1) ?? 1)
  const x = memory.read('input')
  const out = new Float32Array(x.length)
  const scales = new Float32Array(x.length / cols)
  const points = rowsOf('azp', tensorArg(call, 'azp'))
  // Written as int32, because a float32 cannot represent all values.
  const stored = memory.bytes('azp')
  const words = new Int32Array(stored.buffer, stored.byteOffset, stored.byteLength / 4)
  for (let row = 0, from = 0; row < scales.length; row++, from += cols) {
    const line = x.subarray(from, from + cols).filter((v) => !Number.isNaN(v))
    const [low, high] = line.reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [LARGEST, -LARGEST])
    const s = f(f(high - low) / 255)
    const azp = toInt32(f(-128 - f(low / s)))
    scales[row] = s
    words[points.offset + row * points.rowStride] = azp
    for (let i = from; i < from + cols; i++) out[i] = int8WithAzp(x[i]!, f(1 / s), azp)
  }
  memory.write('result', out)
  memory.write('scale', scales)
}

const LARGEST = f(3.4028234663852886e38)

/** `quant` does not go through float32: beyond 2^24 the sum with the zero point would lose its last digits. */
const QUANT = `fn quant(x: F32, inverse: f32, azp: i32) -> U32 {
  let sum = I32(clamp(round(x * inverse), F32(-1e9), F32(1e9))) + I32(clamp(azp, -1000000000, 1000000000));
  return bitcast<U32>(clamp(sum, I32(-128), I32(127))) & U32(0xffu);
}
fn is_nan(x: F32) -> U32 { return select(U32(0u), U32(1u), (bitcast<U32>(x) & U32(0x7fffffffu)) > U32(0x7f800000u)); }`

/** Statements that leave the row's smallest and largest value in lows[0] and highs[0]; `loop` runs a body at each `v`. */
function rowRange(wide: boolean, loop: (body: string) => string): string {
  const [none, most, least] = wide
    ? ['vec4<u32>(0u)', 'vec4<f32>(LARGEST)', 'vec4<f32>(-LARGEST)']
    : ['0u', 'LARGEST', '-LARGEST']
  const lanes = wide ? ['v.a', 'v.b'] : ['v']
  const widest = lanes
    .map(
      (v) =>
        `low = min(low, select(${most}, ${v}, is_nan(${v}) == ${none})); high = max(high, select(${least}, ${v}, is_nan(${v}) == ${none}));`,
    )
    .join(' ')
  const across = (fn: string, v: string): string => (wide ? `${fn}(${fn}(${v}.x, ${v}.y), ${fn}(${v}.z, ${v}.w))` : v)
  return `  var low = ${most};
  var high = ${least};
${loop(widest)}
  lows[lid] = ${across('min', 'low')};
  highs[lid] = ${across('max', 'high')};
  for (var half = ${THREADS / 2}u; half >= 1u; half /= 2u) {
    workgroupBarrier();
    if (lid < half) {
      lows[lid] = min(lows[lid], lows[lid + half]);
      highs[lid] = max(highs[lid], highs[lid + half]);
    }
  }
  workgroupBarrier();`
}

/** One workgroup per row; eight elements per load if rows and columns allow. */
export function int8AzpPlan(call: KernelCall): Dispatch[] {
  const source = plainSource(call, 'input')
  const out = rowsOf('result', tensorArg(call, 'result'))
  const wide = source.wide && readsInEights(out) && out.colStride === 1
  const shader = new Shader(wide)
  const value = emitSource(shader, source)
  const q = wide ? shader.bind('result', out.dtype, 'read_write') : shader.scatter('result', out.dtype)
  const place = (name: string, rows: Rows, col: string): string =>
    `${shader.param(`${name}_base`, rows.offset)} + row * ${shader.param(`${name}_row`, rows.rowStride)} + (${col}) * ${shader.param(`${name}_col`, rows.colStride)}`
  const scales = rowsOf('scale', tensorArg(call, 'scale'))
  const points = rowsOf('azp', tensorArg(call, 'azp'))
  const s = shader.scatter('scale', scales.dtype)
  const z = shader.scatter('azp', points.dtype)
  oneLaneFunction(shader, 'scale_of', ['span'], overMax(255)(given('span')))
  for (const helper of [value, encodeFn('enc_out', out.dtype, wide), QUANT]) shader.helper(helper)
  const cols = shader.param('cols', source.cols)
  const rows = shader.param('rows', source.rows)
  const step = wide ? 8 : 1
  const loop = (body: string): string =>
    `  for (var c = lid * ${step}u; c < ${cols}; c += ${THREADS * step}u) { let v = ${wide ? 'value8' : 'value'}(row, c); ${body} }`
  const outAt = place('out', out, 'c')
  return [
    shader.print(
      'dynamic_scaled_int8_quant',
      `  let row = group;
  if (row >= ${rows}) { return; }
${rowRange(wide, loop)}
  let span = highs[0] - lows[0];
  let s = scale_of(span);
  // In a row of equal values the quotient is infinite, and a shader may evaluate that to any value.
  let flat = span == 0.0;
  let point = select(i32(round(-128.0 - lows[0] / s)), select(select(0, 2147483647, lows[0] < 0.0), i32(-2147483647 - 1), lows[0] > 0.0), flat);
  let azp = select(point, select(0, -1, lows[0] != 0.0), flat);
  let inverse = select(1.0 / s, 0.0, flat);
  if (lid == 0u) {
    put_${s.index}(${place('scale', scales, '0u')}, bitcast<u32>(s));
    put_${z.index}(${place('azp', points, '0u')}, bitcast<u32>(point));
  }
${loop(
  wide
    ? `store8_${q.index}(${outAt}, quant(v.a, inverse, azp), quant(v.b, inverse, azp));`
    : `put_${q.index}(${outAt}, quant(v, inverse, azp));`,
)}`,
      source.rows,
      `const LARGEST = ${literal(LARGEST)};
var<workgroup> lows: array<f32, ${THREADS}>;
var<workgroup> highs: array<f32, ${THREADS}>;`,
      THREADS,
    ),
  ]
}
