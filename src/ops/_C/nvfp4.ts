/** NVFP4: pairs of e2m1 values, an f8e4m3fn scale per block of 16, and one float32 scale for the tensor. */
import type { Dim } from '../../fx'
import { DTYPES, encode, encodeFn, roundTo } from '../dtype'
import { KernelRefusal, numel, tensorArg, type Dispatch, type Kernel, type KernelCall } from '../kernel'
import type { Param, ReferenceMemory } from '../kernel'
import { Shader, WORKGROUP } from '../kernels/shader'
import { halved } from './silu_and_mul'
import { emitSource, plainSource, siluMulSource, sourceValues, type Source } from '../kernels/source'
import { inNamespace, type Kernels, type Rules } from '../operator'
import { addDims, floorDiv, mulDims } from '../sym'

const BLOCK = 16
/** Largest e2m1 value. */
const FP4_MAX = 6

/** Code of |x| in e2m1 (0, 0.5, 1, 1.5, 2, 3, 4, 6), to nearest, ties to the even code; saturates. The sign is bit 3. */
export function encodeE2m1(x: number): number {
  const a = Math.abs(x)
  const steps = [0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5]
  // At a midpoint the even code wins, which is the lower one at every second step.
  const code = steps.reduce((c, mid, i) => (a > mid || (a === mid && i % 2 === 1) ? i + 1 : c), 0)
  return code | (x < 0 || Object.is(x, -0) ? 8 : 0)
}

const WGSL_E2M1 = `fn e2m1(x: f32) -> u32 {
  let a = abs(x);
  var c = u32(a > 0.25) + u32(a >= 0.75) + u32(a > 1.25) + u32(a >= 1.75) + u32(a > 2.5) + u32(a >= 3.5) + u32(a > 5.0);
  return c | ((bitcast<u32>(x) >> 31u) << 3u);
}`

/**
 * Byte of a block's scale: tiles of 128 rows by 4 blocks, 512 bytes each, row r at (r % 32) * 16 + (r % 128 / 32) * 4.
 * cuBLAS's block-scaling layout, as vLLM csrc/quantization/fp4/nvfp4_utils.cuh (`cvt_quant_to_fp4_get_sf_out_offset`).
 */
function swizzled(row: number, block: number, blocks: number): number {
  const tiles = Math.ceil(blocks / 4)
  const tile = Math.floor(row / 128) * tiles + Math.floor(block / 4)
  return tile * 512 + (row % 32) * 16 + Math.floor((row % 128) / 32) * 4 + (block % 4)
}

/** The code of NaN; its sign is irrelevant. A block that contains a NaN gets it as its scale, and codes of 0. */
const NAN_E4M3 = 0x7f

interface Names {
  readonly out: string
  readonly scales: string
  readonly global: string
}

function outputs(call: KernelCall, shape: readonly number[], names: Names): ReturnType<Kernel['outputs']> {
  const cols = shape.at(-1) ?? 0
  if (cols % BLOCK !== 0) throw new KernelRefusal(`the hidden size must be a multiple of 16, found ${cols}`)
  if (numel(tensorArg(call, names.global).shape) !== 1)
    throw new KernelRefusal(`\`${names.global}\` must hold one value`)
  const rows = Math.ceil(numel(shape.slice(0, -1)) / 128) * 128
  const blocks = Math.ceil(cols / BLOCK / 4) * 4
  // vLLM views the bytes of the scales as int32, four per element.
  const given = call.tensors[names.scales]
  const four = given === undefined || given === null || DTYPES[given.dtype].bytes === 4
  return {
    [names.out]: { shape: [...shape.slice(0, -1), cols / 2], dtype: 'uint8' },
    [names.scales]: four
      ? { shape: [rows, blocks / 4], dtype: 'int32' }
      : { shape: [rows, blocks], dtype: given.dtype },
  }
}

/** s = e4m3(global * amax(block) / 6); codes e2m1(x * (global / s)). */
function values(call: KernelCall, memory: ReferenceMemory, names: Names, x: Float32Array, cols: number): void {
  const f = Math.fround
  const global = memory.read(names.global)[0]!
  const out = memory.bytes(names.out)
  const scales = memory.bytes(names.scales)
  for (let from = 0; from < x.length; from += BLOCK) {
    let peak = 0
    for (let i = from; i < from + BLOCK; i++) peak = Math.max(peak, Math.abs(x[i]!))
    const wanted = f(global * f(peak / FP4_MAX))
    const s = roundTo('float8_e4m3fn', wanted)
    const nan = Number.isNaN(s)
    const by = s === 0 ? 0 : f(global / s)
    for (let i = from; i < from + BLOCK; i += 2)
      out[i / 2] = nan ? 0 : encodeE2m1(f(x[i]! * by)) | (encodeE2m1(f(x[i + 1]! * by)) << 4)
    const row = Math.floor(from / cols)
    scales[swizzled(row, (from % cols) / BLOCK, cols / BLOCK)] = nan ? NAN_E4M3 : encode('float8_e4m3fn', wanted)
  }
}

/** One thread per block: eight codes per word, one byte of scale. */
function plan(label: string, call: KernelCall, names: Names, source: Source): Dispatch[] {
  const shader = new Shader(false)
  shader.helper(encodeFn('enc_e4m3', 'float8_e4m3fn', false))
  shader.helper(WGSL_E2M1)
  shader.helper(
    'fn dec_e4m3(c: u32) -> f32 { let m = f32(c & 7u); let e = (c >> 3u) & 15u; return select((8.0 + m) * exp2(f32(e) - 10.0), m * 0.001953125, e == 0u); }',
  )
  const value = emitSource(shader, source)
  const global = shader.bind(names.global, tensorArg(call, names.global).dtype, 'read', false)
  const q = shader.bind(names.out, 'uint8', 'read_write', false)
  const s = shader.scatter(names.scales, 'uint8')
  shader.helper(value)
  const blocks = shader.param('blocks', (source.rows * source.cols) / BLOCK)
  const across = shader.param('across', source.cols / BLOCK)
  return [
    shader.print(
      label,
      `  let t = group * ${WORKGROUP}u + lid;
  if (t >= ${blocks}) { return; }
  let row = t / ${across};
  let block = t % ${across};
  var x: array<f32, ${BLOCK}>;
  var most = 0u;
  for (var i = 0u; i < ${BLOCK}u; i++) { x[i] = value(row, block * ${BLOCK}u + i); most = max(most, bitcast<u32>(x[i]) & 0x7fffffffu); }
  let g = load_${global.index}(${tensorArg(call, names.global).offset}u);
  // The bits of NaN are above those of infinity: a NaN makes the whole block NaN.
  let nan = most > 0x7f800000u;
  let code = select(enc_e4m3(bitcast<u32>(g * (bitcast<f32>(most) / 6.0))), ${NAN_E4M3}u, nan);
  let scale = dec_e4m3(code);
  let by = select(g / scale, 0.0, scale == 0.0);
  for (var w = 0u; w < 2u; w++) {
    var word = 0u;
    for (var i = 0u; i < 8u; i++) { word |= select(e2m1(x[w * 8u + i] * by), 0u, nan) << (4u * i); }
    b${q.index}[t * 2u + w] = word;
  }
  let tile = (row / 128u) * ((${across} + 3u) / 4u) + block / 4u;
  put_${s.index}(tile * 512u + (row % 32u) * 16u + ((row % 128u) / 32u) * 4u + block % 4u, code);`,
      Math.ceil((source.rows * source.cols) / BLOCK / WORKGROUP),
    ),
  ]
}

function nvfp4(name: string, params: readonly Param[], names: Names, fused: boolean): Kernel {
  const sourceOf = (call: KernelCall): Source =>
    fused ? siluMulSource(call, 'input', true) : plainSource(call, 'input')
  const shapeOf = (call: KernelCall): readonly number[] =>
    fused ? halved(call, 'input') : tensorArg(call, 'input').shape
  return {
    name,
    params,
    outputs: (call) => outputs(call, shapeOf(call), names),
    reference: (call, memory) =>
      values(call, memory, names, sourceValues(memory, sourceOf(call)), shapeOf(call).at(-1) ?? 1),
    plan: (call) => plan(name, call, names, sourceOf(call)),
  }
}

/**
 * Block scale s = e4m3(input_scale * amax(block of 16) / 6); output e2m1(x * (input_scale / s)), two codes a byte, the
 * first in the low bits; scales in the swizzled layout. vLLM csrc/quantization/fp4/nvfp4_quant_kernels.cu. The kernel
 * takes reciprocals by approximation, which this definition does not.
 */
export const scaledFp4Quant = nvfp4(
  'scaled_fp4_quant',
  [
    { name: 'output', kind: 'out', dtype: 'uint8' },
    { name: 'input', kind: 'in', rows: true },
    { name: 'output_scale', kind: 'out', dtype: 'int32' },
    { name: 'input_scale', kind: 'in', sample: 'scale' },
    { name: 'is_sf_swizzled_layout', kind: 'attr', default: true },
  ],
  { out: 'output', scales: 'output_scale', global: 'input_scale' },
  false,
)

/**
 * silu_and_mul rounded to T, then scaled_fp4_quant. vLLM csrc/quantization/fp4/activation_nvfp4_quant_fusion_kernels.cu
 * (`compute_silu_mul` rounds to T).
 */
export const siluAndMulNvfp4Quant = nvfp4(
  'silu_and_mul_nvfp4_quant',
  [
    { name: 'result', kind: 'out', dtype: 'uint8' },
    { name: 'result_block_scale', kind: 'out', dtype: 'int32' },
    { name: 'input', kind: 'in', rows: true },
    { name: 'input_global_scale', kind: 'in', sample: 'scale' },
  ],
  { out: 'result', scales: 'result_block_scale', global: 'input_global_scale' },
  true,
)

export const KERNELS: Kernels = inNamespace('_C', [scaledFp4Quant, siluAndMulNvfp4Quant])

/** The functional form: codes [rows, d / 2], and the scales, four to an int32 in the swizzled layout. */
export const rules = (): Rules => ({
  '_C.scaled_fp4_quant.default': {
    meta: (c) => {
      if (c.schema.returns.length === 0) return null
      const { shape, device } = c.tensor('input').meta
      const columns = shape.at(-1) ?? 1
      const rows = shape.slice(0, -1).reduce<Dim>(mulDims, 1)
      const upTo = (n: Dim, of: number): Dim => mulDims(floorDiv(addDims(n, of - 1), of), of)
      const blocks = floorDiv(columns, BLOCK)
      const scales = c.bool('is_sf_swizzled_layout')
        ? c.fresh('int32', [upTo(rows, 128), floorDiv(upTo(blocks, 4), 4)], device)
        : c.fresh('uint8', [rows, blocks], device)
      return { kind: 'tuple', items: [c.fresh('uint8', [rows, floorDiv(columns, 2)], device), scales] }
    },
  },
})

export const SCHEMAS = `# vLLM csrc/libtorch_stable/torch_bindings.cpp
2026-03..2026-08 _C::scaled_fp4_quant(Tensor input, Tensor input_scale, bool is_sf_swizzled_layout) -> (Tensor, Tensor)
2026-03..2026-08 _C::scaled_fp4_quant.out(Tensor input, Tensor input_scale, bool is_sf_swizzled_layout, *, Tensor! output, Tensor! output_scale) -> ()
# vLLM csrc/torch_bindings.cpp
2026-01..2026-03 _C::scaled_fp4_quant(Tensor! output, Tensor input, Tensor! output_scale, Tensor input_scale, bool is_sf_swizzled_layout) -> ()
2025-05..2026-01 _C::scaled_fp4_quant(Tensor! output, Tensor input, Tensor! output_scale, Tensor input_scale) -> ()
# vLLM csrc/libtorch_stable/torch_bindings.cpp
2025-08..2026-08 _C::silu_and_mul_nvfp4_quant(Tensor! result, Tensor! result_block_scale, Tensor input, Tensor input_global_scale) -> ()`
