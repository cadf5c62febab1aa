/** Quantization with computed scales: one per token, or one for the whole tensor. */
import { encodeFn } from '../dtype'
import { tensorArg, type Dispatch, type Kernel, type KernelCall, type OutSpec, type ReferenceMemory } from '../kernel'
import { FP8_MAX, overMax, toInt32 } from '../expr/codes'
import { given, load } from '../expr/expr'
import { evaluate } from '../expr/to_js'
import { oneLaneFunction } from '../kernels/one_lane'
import { pointwise } from '../kernels/pointwise'
import { rowKernel } from '../kernels/row_kernel'
import type { Sink } from '../kernels/row_spec'
import { sinkValues } from '../kernels/row_values'
import { Shader, WORKGROUP, readsInEights, rowsOf, type Rows } from '../kernels/shader'
import { emitSource, plainSource } from '../kernels/source'
import { dynamicQuant, requireScaleUb, type Dynamic } from './dynamic'
import { fp8ByInverse } from './static_quant'
import { inNamespace, type Kernels } from '../operator'
import { literal } from '../kernels/strided'

const lastOf = (call: KernelCall, name: string): number => tensorArg(call, name).shape.at(-1) ?? 1
const oneARow = (shape: readonly number[]): number[] => [...shape.slice(0, -1), 1]

function perToken(name: string, kind: Dynamic['kind'], dtype: 'float8_e4m3fn' | 'int8', ub: boolean): Kernel {
  const symmetric = rowKernel({
    name,
    params: [
      { name: 'result', kind: 'out', aliases: ['out', 'output'], dtype },
      { name: 'input', kind: 'in', rows: true },
      { name: 'scale', kind: 'out', aliases: ['scales'] },
      ub
        ? { name: 'scale_ub', kind: 'in', optional: true, sample: 'scale' }
        : { name: 'azp', kind: 'out', optional: true, dtype: 'int32' },
    ],
    outputs(call) {
      requireScaleUb(call)
      const { shape } = tensorArg(call, 'input')
      const perRow = (dtype: 'float32' | 'int32'): OutSpec => ({ shape: oneARow(shape), dtype })
      return {
        result: { shape, dtype: null },
        scale: perRow('float32'),
        ...(call.attrs['azp'] === true && { azp: perRow('int32') }),
      }
    },
    rows(call) {
      const groupSize = Math.max(1, lastOf(call, 'input'))
      const quant = dynamicQuant(call, { out: 'result', scales: 'scale', groupSize, kind })
      return { source: plainSource(call, 'input'), out: 'result', quant }
    },
  })
  const asymmetric = (call: KernelCall): boolean => call.attrs['azp'] === true
  return {
    ...symmetric,
    reference: (call, memory) => (asymmetric(call) ? int8AzpValues : symmetric.reference)(call, memory),
    plan: (call, device) => (asymmetric(call) ? int8AzpPlan(call) : symmetric.plan(call, device)),
  }
}

/**
 * s = max(min(amax(row), scale_ub) / 448, 1 / (448 * 512)); result = f8(clamp(x / s)).
 * vLLM csrc/quantization/w8a8/fp8/common.cu, `dynamic_per_token_scaled_fp8_quant_kernel`.
 * Shapes: input [..., d], result [..., d], scale [..., 1] float32.
 */
export const dynamicPerTokenScaledFp8Quant = perToken(
  'dynamic_per_token_scaled_fp8_quant',
  'bounded',
  'float8_e4m3fn',
  true,
)

/**
 * s = amax(row) / 127; result = int8(round_half_even(x * (127 / amax))), zeros for a row of zeros. With `azp`, an int32
 * [..., 1] that is written, asymmetric.
 * vLLM csrc/quantization/w8a8/int8/scaled_quant.cu, `dynamic_scaled_int8_quant_kernel`.
 */
export const dynamicScaledInt8Quant = perToken('dynamic_scaled_int8_quant', 'plain int8', 'int8', false)

const scaleOf = overMax(FP8_MAX)

/** Codes of the input, while `scale` holds the input's largest magnitude. */
const codes = (call: KernelCall): Sink => fp8ByInverse(tensorArg(call, 'result').dtype, scaleOf(load('scale')))

/**
 * s = amax(input) / 448; result = f8(clamp(x * (1 / s))), one scale for the tensor.
 * vLLM csrc/quantization/w8a8/fp8/common.cu, `segmented_max_reduction` and `scaled_fp8_quant_kernel`.
 * Four dispatches: the largest magnitude needs every element before the first code.
 */
export const dynamicScaledFp8Quant: Kernel = {
  name: 'dynamic_scaled_fp8_quant',
  params: [
    { name: 'result', kind: 'out', aliases: ['out'], dtype: 'float8_e4m3fn' },
    { name: 'input', kind: 'in', rows: true },
    { name: 'scale', kind: 'out' },
  ],
  outputs: (call) => ({
    result: { shape: tensorArg(call, 'input').shape, dtype: null },
    scale: { shape: [1], dtype: 'float32' },
  }),
  reference(call, memory) {
    const x = memory.read('input')
    const peak = x.reduce((most, v) => Math.max(most, Math.abs(v)), 0)
    memory.write('result', sinkValues({ ...memory, read: () => Float32Array.of(peak) }, x, codes(call)))
    memory.write(
      'scale',
      evaluate(1, scaleOf(given('peak')), () => peak),
    )
  },
  plan(call) {
    const at = tensorArg(call, 'scale').offset
    const once = (label: string, code: string): Dispatch => {
      const shader = new Shader(false)
      oneLaneFunction(shader, 'scale_of', ['peak'], scaleOf(given('peak')))
      const s = shader.bind('scale', 'float32', 'read_write', false)
      return shader.print(
        label,
        `  if (group + lid == 0u) { b${s.index}[${at}] = ${code.replaceAll('$', `b${s.index}[${at}]`)}; }`,
        1,
      )
    }
    return [
      once('dynamic_scaled_fp8_quant: zero', '0u'),
      largest(call, at),
      ...pointwise('dynamic_scaled_fp8_quant', call, {
        source: plainSource(call, 'input'),
        out: 'result',
        sink: codes(call),
      }),
      once('dynamic_scaled_fp8_quant: scale', 'bitcast<u32>(scale_of(bitcast<f32>($)))'),
    ]
  },
}

/** The bits of the largest magnitude, by atomic maximum: magnitudes are ordered like their bits. */
function largest(call: KernelCall, at: number): Dispatch {
  const source = plainSource(call, 'input')
  const shader = new Shader(false)
  shader.helper(encodeFn('enc_peak', 'float32', false))
  const value = emitSource(shader, source)
  const s = shader.peak('scale')
  shader.helper(value)
  const n = source.rows * source.cols
  const each = 256
  const size = shader.param('n', n)
  const cols = shader.param('cols', source.cols)
  return shader.print(
    'dynamic_scaled_fp8_quant: amax',
    `  let first = (group * ${WORKGROUP}u + lid) * ${each}u;
  var m = 0u;
  for (var e = first; e < min(first + ${each}u, ${size}); e++) { m = max(m, bitcast<u32>(value(e / ${cols}, e % ${cols})) & 0x7fffffffu); }
  atomicMax(&b${s.index}[${at}], m);`,
    Math.ceil(n / each / WORKGROUP),
  )
}

export const KERNELS: Kernels = inNamespace('_C', [
  dynamicScaledFp8Quant,
  dynamicPerTokenScaledFp8Quant,
  dynamicScaledInt8Quant,
])

export const SCHEMAS = `# vLLM csrc/libtorch_stable/torch_bindings.cpp
2025-05..2026-08 _C::dynamic_scaled_fp8_quant(Tensor! result, Tensor input, Tensor! scale) -> ()
2025-05..2026-08 _C::dynamic_per_token_scaled_fp8_quant(Tensor! result, Tensor input, Tensor! scale, Tensor? scale_ub) -> ()
2025-05..2026-08 _C::dynamic_scaled_int8_quant(Tensor! result, Tensor input, Tensor! scale, Tensor!? azp) -> ()
# vLLM csrc/cpu/torch_bindings.cpp
2025-05..2026-08 _C::dynamic_scaled_int8_quant(Tensor! out, Tensor input, Tensor! scale, Tensor!? azp) -> ()`

const THREADS = 256
const f = Math.fround

const int8WithAzp = (x: number, inverse: number, azp: number): number =>
  Math.min(Math.max(toInt32(f(x * inverse)) + azp, -128), 127)

/**
 * s = (max(row) - min(row)) / 255; azp = round_half_even(-128 - min(row) / s); result = int8(clamp(round_half_even(x * (1 / s)) +
 * azp)). NaN is ignored, as CUDA's fminf and fmaxf do. vLLM csrc/quantization/w8a8/int8/scaled_quant.cu,
 * `dynamic_scaled_int8_azp_quant_kernel`.
 */
function int8AzpValues(call: KernelCall, memory: ReferenceMemory): void {
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

/** `quant` avoids float32: beyond 2^24, the sum with the zero point would lose its last digits. */
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
function int8AzpPlan(call: KernelCall): Dispatch[] {
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
