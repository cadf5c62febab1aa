/** NVFP4: pairs of e2m1 values, an f8e4m3fn scale per block of 16, and one float32 scale for the tensor. */
import type { Dim } from '../../fx'
import { DTYPES, encode, encodeFn } from '../dtype'
import { apply, type Expr, given, load, where } from '../expr/expr'
import { rounded } from '../expr/functions'
import { evaluate } from '../expr/to_js'
import { KernelRefusal, numel, tensorArg, type Dispatch, type Kernel, type KernelCall } from '../kernel'
import type { Param, ReferenceMemory } from '../kernel'
import { oneLaneFunction } from '../kernels/one_lane'
import { groupsOf, only } from '../kernels/row_values'
import { onlyElement } from '../kernels/row_wgsl'
import { Shader, WORKGROUP } from '../kernels/shader'
import { halved } from './silu_and_mul'
import { emitSource, plainSource, siluMulSource, sourceValues, type Source } from '../kernels/source'
import { inNamespace, type Kernels, type Rules } from '../operator'
import { addDims, floorDiv, mulDims } from '../sym'

const BLOCK = 16
/** Largest e2m1 value. */
const FP4_MAX = 6

/** Code of x in e2m1 (0, 0.5, 1, 1.5, 2, 3, 4, 6), to nearest, ties to the even code; saturates. The sign is bit 3. NaN gives 0. */
const e2m1 = (x: Expr): Expr => apply(E2M1, 'whole', x)
const E2M1 = {
  wgsl: 'e2m1($0)',
  js(x: number) {
    const a = Math.abs(x)
    // At a midpoint the even code wins, which is the lower one at every second step.
    const low = Number(a > 0.25) + Number(a >= 0.75) + Number(a > 1.25) + Number(a >= 1.75)
    const code = low + Number(a > 2.5) + Number(a >= 3.5) + Number(a > 5)
    return code | (x < 0 || Object.is(x, -0) ? 8 : 0)
  },
  helpers: [
    `fn e2m1(x: F32) -> I32 {
  let a = abs(x);
  let c = u32(a > 0.25) + u32(a >= 0.75) + u32(a > 1.25) + u32(a >= 1.75) + u32(a > 2.5) + u32(a >= 3.5) + u32(a > 5.0);
  let b = bitcast<u32>(x);
  return bitcast<i32>(select(c | ((b >> 31u) << 3u), 0u, (b & 0x7fffffffu) > 0x7f800000u));
}`,
  ],
}

/**
 * Byte of a block's scale: tiles of 128 rows by 4 blocks, 512 bytes each, row r at (r % 32) * 16 + (r % 128 / 32) * 4.
 * cuBLAS's block-scaling layout, as vLLM csrc/quantization/fp4/nvfp4_utils.cuh (`cvt_quant_to_fp4_get_sf_out_offset`).
 */
function swizzled(row: number, block: number, blocks: number): number {
  const tiles = Math.ceil(blocks / 4)
  const tile = Math.floor(row / 128) * tiles + Math.floor(block / 4)
  return tile * 512 + (row % 32) * 16 + Math.floor((row % 128) / 32) * 4 + (block % 4)
}

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

/** s = e4m3(global * amax(block) / 6), NaN if the block has one; codes e2m1(x * (global / s)). */
const FORMULAS = {
  scale: (global: Expr, peak: Expr): Expr => rounded('float8_e4m3fn', global.times(peak.over(FP4_MAX).f32()).f32()),
  by: (global: Expr, scale: Expr): Expr => where(scale.eq(0), 0, global.over(scale).f32()),
  code: (x: Expr, by: Expr): Expr => e2m1(x.times(by).f32()),
}

function values(memory: ReferenceMemory, names: Names, x: Float32Array, cols: number): void {
  const global = load(names.global)
  const { peaks } = groupsOf(x, cols, BLOCK)
  const wanted = evaluate(peaks.length, FORMULAS.scale(global, given('peak')), () => peaks, only(memory))
  const by = evaluate(peaks.length, FORMULAS.by(global, given('scale')), () => wanted, only(memory))
  const codes = evaluate(x.length, FORMULAS.code(given('x'), given('by')), (name) =>
    name === 'x' ? x : { values: by, cols: BLOCK, begins: (block) => block, step: 0 },
  )
  const [out, scales] = [memory.bytes(names.out), memory.bytes(names.scales)]
  for (let i = 0; i < codes.length; i += 2) out[i / 2] = codes[i]! | (codes[i + 1]! << 4)
  const across = cols / BLOCK
  for (const [block, s] of wanted.entries())
    scales[swizzled(Math.floor(block / across), block % across, across)] = encode('float8_e4m3fn', s)
}

/** One thread per block: eight codes per word, one byte of scale. */
function plan(label: string, call: KernelCall, names: Names, source: Source): Dispatch[] {
  const shader = new Shader(false)
  shader.helper(encodeFn('enc_e4m3', 'float8_e4m3fn', false))
  const global = load(names.global)
  const emit = (name: string, params: readonly string[], value: Expr): void =>
    oneLaneFunction(shader, name, params, value, onlyElement(shader, call))
  const value = emitSource(shader, source)
  emit('scale_of', ['peak'], FORMULAS.scale(global, given('peak')))
  emit('factor_of', ['scale'], FORMULAS.by(global, given('scale')))
  emit('code_of', ['x', 'by'], FORMULAS.code(given('x'), given('by')))
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
  // The bits of NaN are above those of infinity: a NaN makes the whole block NaN.
  let scale = scale_of(bitcast<f32>(most));
  let by = factor_of(scale);
  for (var w = 0u; w < 2u; w++) {
    var word = 0u;
    for (var i = 0u; i < 8u; i++) { word |= u32(code_of(x[w * 8u + i], by)) << (4u * i); }
    b${q.index}[t * 2u + w] = word;
  }
  let tile = (row / 128u) * ((${across} + 3u) / 4u) + block / 4u;
  put_${s.index}(tile * 512u + (row % 32u) * 16u + ((row % 128u) / 32u) * 4u + block % 4u, enc_e4m3(bitcast<u32>(scale)));`,
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
    reference: (call, memory) => values(memory, names, sourceValues(memory, sourceOf(call)), shapeOf(call).at(-1) ?? 1),
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
