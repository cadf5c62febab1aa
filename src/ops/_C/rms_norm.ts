/** RMS normalisation, alone and fused with static quantisation of its result. */
import { DTYPES, encodeFn, roundTo } from '../dtype'
import {
  KernelRefusal,
  numberAttr,
  tensorArg,
  type Dispatch,
  type DeviceTraits,
  type Kernel,
  type KernelCall,
  type Param,
  type ReferenceMemory,
} from '../kernel'
import { literal } from './group_quant'
import { storeAsIs, type Sink } from './pointwise'
import { readsInEights, requireDense, roundFn, rowsOf, Shader, WORKGROUP, type Rows } from './shader'
import { fp8Sink, fp8Values, int8Sink, int8Values } from './static_quant'

const THREADS = 256
/** Registers a thread may hold its part of a row in; longer rows are read twice. */
const MAX_HELD = 8

/** Weight as rows: one value a column for shape [d], or anything that broadcasts against [rows, d]. */
function weightRows(call: KernelCall, input: Rows): Rows {
  const t = tensorArg(call, 'weight')
  const w = rowsOf('weight', t)
  if ((w.cols !== 1 && w.cols !== input.cols) || (w.rows !== 1 && w.rows !== input.rows))
    throw new KernelRefusal(
      `\`weight\` of shape [${t.shape.join(', ')}] does not broadcast against rows of ${input.cols}`,
    )
  return { ...w, rowStride: w.rows === 1 ? 0 : w.rowStride, colStride: w.cols === 1 ? 0 : w.colStride }
}

/** T(x * rsqrt(mean(x^2) + epsilon)) * weight, in T. */
function normValues(call: KernelCall, memory: ReferenceMemory): Float32Array {
  const t = tensorArg(call, 'input')
  const d = t.shape[t.shape.length - 1]!
  const x = memory.read('input')
  const w = memory.read('weight')
  const wt = weightRows(call, rowsOf('input', t))
  const eps = Math.fround(numberAttr(call, 'epsilon'))
  const out = new Float32Array(x.length)
  for (let from = 0, row = 0; from < x.length; from += d, row++) {
    let sum = 0
    for (let c = 0; c < d; c++) sum += x[from + c]! * x[from + c]!
    const inverse = Math.fround(1 / Math.sqrt(Math.fround(sum / d) + eps))
    for (let c = 0; c < d; c++) {
      const weight = w[(wt.rows === 1 ? 0 : row * wt.cols) + (wt.cols === 1 ? 0 : c)]!
      out[from + c] = roundTo(t.dtype, Math.fround(roundTo(t.dtype, Math.fround(x[from + c]! * inverse)) * weight))
    }
  }
  return out
}

/** One workgroup a row (or, where words of the output span rows, a word's worth of rows). */
function planNorm(label: string, call: KernelCall, sink: Sink, device: DeviceTraits): Dispatch[] {
  const input = rowsOf('input', tensorArg(call, 'input'))
  const weight = weightRows(call, input)
  const out = tensorArg(call, 'result')
  requireDense('result', out)
  const { perWord, bytes } = DTYPES[out.dtype]
  const wide = readsInEights(input) && weight.colStride === 1 && weight.rowStride % 8 === 0 && weight.offset % 8 === 0
  const shader = new Shader(wide)
  shader.helper(encodeFn('enc_out', out.dtype, wide))
  shader.helper(roundFn(input.dtype, wide))
  const x = shader.stream('input', input)
  const w = shader.stream('weight', weight)
  const q = shader.bind('result', out.dtype, 'read_write')
  shader.helper(sink.emit(shader))
  shader.helper(
    `fn norm(x: F32, inverse: f32, w: F32) -> U32 { return enc_out(finish(round_T(round_T(x * inverse) * w))); }`,
  )
  const cols = shader.param('cols', input.cols)
  const rows = shader.param('rows', input.rows)
  const base = shader.param('out_base', out.offset)
  const inverseOf = (sum: string): string =>
    `1.0 / sqrt(${sum} / f32(${cols}) + ${literal(numberAttr(call, 'epsilon'))})`
  const inverse = inverseOf('partial[0]')
  const reduce = `  for (var step = ${THREADS / 2}u; step >= 1u; step /= 2u) {
    workgroupBarrier();
    if (lid < step) { partial[lid] += partial[lid + step]; }
  }
  workgroupBarrier();`
  const shared = `var<workgroup> partial: array<f32, ${THREADS}>;`
  if (wide && device.serial)
    return [
      shader.print(
        label,
        `  let row = group * ${WORKGROUP}u + lid;
  if (row >= ${rows}) { return; }
  var sums = vec4<f32>();
  for (var c = 0u; c < ${cols}; c += 8u) {
    let v = load8_${x.buffer.index}(${x.at('row', 'c')});
    sums += v.a * v.a + v.b * v.b;
  }
  let inverse = ${inverseOf('(sums.x + sums.y + sums.z + sums.w)')};
  for (var c = 0u; c < ${cols}; c += 8u) {
    let v = load8_${x.buffer.index}(${x.at('row', 'c')});
    let w = load8_${w.buffer.index}(${w.at('row', 'c')});
    store8_${q.index}(${base} + row * ${cols} + c, norm(v.a, inverse, w.a), norm(v.b, inverse, w.b));
  }`,
        Math.ceil(input.rows / WORKGROUP),
      ),
    ]
  if (wide) {
    const held = Math.ceil(input.cols / 8 / THREADS)
    const keep = held <= MAX_HELD
    const load = `load8_${x.buffer.index}(${x.at('group', 'c')})`
    return [
      shader.print(
        label,
        `  if (group >= ${rows}) { return; }
  ${keep ? `var held: array<V8, ${held}>;` : ''}
  var sum = 0.0;
  for (var i = 0u; i < ${held}u; i++) {
    let c = (i * ${THREADS}u + lid) * 8u;
    if (c < ${cols}) {
      let v = ${load};
      ${keep ? 'held[i] = v;' : ''}
      sum += dot(v.a, v.a) + dot(v.b, v.b);
    }
  }
  partial[lid] = sum;
${reduce}
  let inverse = ${inverse};
  for (var i = 0u; i < ${held}u; i++) {
    let c = (i * ${THREADS}u + lid) * 8u;
    if (c < ${cols}) {
      let v = ${keep ? 'held[i]' : load};
      let w = load8_${w.buffer.index}(${w.at('group', 'c')});
      store8_${q.index}(${base} + group * ${cols} + c, norm(v.a, inverse, w.a), norm(v.b, inverse, w.b));
    }
  }`,
        input.rows,
        shared,
        THREADS,
      ),
    ]
  }
  return [
    shader.print(
      label,
      `  let first = group * ${perWord}u;
  for (var r = 0u; r < ${perWord}u; r++) {
    let row = first + r;
    var sum = 0.0;
    if (row < ${rows}) {
      for (var c = lid; c < ${cols}; c += ${THREADS}u) { let v = load_${x.buffer.index}(${x.at('row', 'c')}); sum += v * v; }
    }
    workgroupBarrier();
    partial[lid] = sum;
${reduce}
    if (lid == 0u) { scale[r] = ${inverse}; }
  }
  workgroupBarrier();
  let end = min(${perWord}u, ${rows} - min(first, ${rows})) * ${cols};
  for (var t = lid; t * ${perWord}u < end; t += ${THREADS}u) {
    var word = 0u;
    for (var k = 0u; k < ${perWord}u; k++) {
      let e = t * ${perWord}u + k;
      if (e < end) {
        let r = e / ${cols};
        let c = e % ${cols};
        let row = first + r;
        word |= norm(load_${x.buffer.index}(${x.at('row', 'c')}), scale[r], load_${w.buffer.index}(${w.at('row', 'c')})) << (k * ${bytes === 4 ? 0 : bytes * 8}u);
      }
    }
    b${q.index}[(${base} + first * ${cols}) / ${perWord}u + t] = word;
  }`,
      Math.ceil(input.rows / perWord),
      `${shared}\nvar<workgroup> scale: array<f32, ${perWord}>;`,
      THREADS,
    ),
  ]
}

const INPUT: Param = { name: 'input', kind: 'in', rows: true }
const WEIGHT: Param = { name: 'weight', kind: 'in', sample: 'weight' }
const RESULT: Param = { name: 'result', kind: 'out', aliases: ['out'] }

/**
 * result = T(x * rsqrt(mean(x^2) + epsilon)) * weight, the mean in float32 and the last product in T, the input's dtype.
 * vLLM csrc/layernorm_kernels.cu. Shapes: input [..., d], weight [d] (or broadcastable), result as input.
 */
export const rmsNorm: Kernel = {
  name: 'rms_norm',
  params: [RESULT, INPUT, WEIGHT, { name: 'epsilon', kind: 'attr', default: 1e-6, aliases: ['eps'] }],
  outputs: (call) => ({ result: { shape: tensorArg(call, 'input').shape, dtype: tensorArg(call, 'input').dtype } }),
  reference: (call, memory) => memory.write('result', normValues(call, memory)),
  plan: (call, device) => planNorm('rms_norm', call, storeAsIs, device),
}

/** rms_norm rounded to T, then static_scaled_fp8_quant. vLLM csrc/layernorm_quant_kernels.cu. */
export const rmsNormStaticFp8Quant: Kernel = {
  name: 'rms_norm_static_fp8_quant',
  params: [
    RESULT,
    INPUT,
    WEIGHT,
    { name: 'scale', kind: 'in', sample: 'scale' },
    { name: 'epsilon', kind: 'attr', default: 1e-6 },
  ],
  outputs: (call) => ({ result: { shape: tensorArg(call, 'input').shape, dtype: null } }),
  reference: (call, memory) => memory.write('result', fp8Values(normValues(call, memory), memory)),
  plan: (call, device) => planNorm('rms_norm_static_fp8_quant', call, fp8Sink(call), device),
}

/**
 * The article's int8 pair in one: rms_norm rounded to T, then static_scaled_int8_quant. `scale` comes back unchanged.
 * The article's own bodies are placeholders that write nothing; this is what their names promise.
 */
export const fusedRmsNormQuantStatic: Kernel = {
  name: 'fused_rms_norm_quant_static',
  params: [
    RESULT,
    INPUT,
    WEIGHT,
    { name: 'scale', kind: 'kept', sample: 'scale' },
    { name: 'azp', kind: 'in', optional: true },
    { name: 'epsilon', kind: 'attr', default: 1e-6 },
  ],
  outputs(call) {
    if (call.tensors['azp']) throw new KernelRefusal('asymmetric quantisation (`azp`) is not implemented')
    return { result: { shape: tensorArg(call, 'input').shape, dtype: null } }
  },
  reference: (call, memory) => memory.write('result', int8Values(normValues(call, memory), memory)),
  plan: (call, device) => planNorm('fused_rms_norm_quant_static', call, int8Sink(call), device),
}
