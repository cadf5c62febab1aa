/**
 * Where a quantiser or an activation reads its values: a tensor as it is, or silu(gate) * up of a tensor's two halves.
 * A fused kernel is the same sink on another source.
 */
import { roundTo, type DTypeName } from '../dtype'
import { tensorArg, type KernelCall, type ReferenceMemory } from '../kernel'
import { readsInEights, roundFn, rowsOf, type Rows, type Shader, type Stream } from './shader'

export interface Source {
  readonly rows: number
  readonly cols: number
  readonly dtype: DTypeName
  /** Whether eight elements can be read at a time. */
  readonly wide: boolean
  /** Binds its streams and returns WGSL functions `value(row, col) -> f32` or `value8(row, col) -> array<f32, 8>`. */
  emit(shader: Shader): string
}

function emitValue(shader: Shader, streams: Stream[], combine: (v: string[]) => string): string {
  if (!shader.wide)
    return `fn value(row: u32, col: u32) -> f32 { return ${combine(streams.map((s) => `load_${s.buffer.index}(${s.at('row', 'col')})`))}; }`
  const loads = streams.map((s, i) => `  let v${i} = load8_${s.buffer.index}(${s.at('row', 'col')});`)
  const lanes = Array.from({ length: 8 }, (_, k) => combine(streams.map((_, i) => `v${i}[${k}]`)))
  return `fn value8(row: u32, col: u32) -> array<f32, 8> {
${loads.join('\n')}
  return array<f32, 8>(${lanes.join(', ')});
}`
}

export function plainSource(call: KernelCall, name: string): Source {
  const rows: Rows = rowsOf(name, tensorArg(call, name))
  return {
    rows: rows.rows,
    cols: rows.cols,
    dtype: rows.dtype,
    wide: readsInEights(rows),
    emit: (shader) => emitValue(shader, [shader.stream(name, rows)], ([x]) => x!),
  }
}

/**
 * exp within a hundredth of a unit in the last place: a group's scale is a float32 of its largest silu * up, and with
 * WGSL's own exp, a few units off, one scale in thirty would differ from the definition. exp(x) = 2^k * exp(r) with
 * r = x - k ln 2; the head of the series, 1 + r + r^2 / 2, is summed in two floats each, r^2 by Dekker's split.
 * For |x| <= 88.72283; results below float32's normal range are 0.
 */
const EXP = `fn exact_exp(x: f32) -> f32 {
  let k = round(x * 1.44269504);
  // ln 2 in three parts; k times the first two is exact, they hold few bits.
  let r0 = (x - k * 0.693359375) + k * 0.00021219253540039062;
  let rl = k * 1.9046543e-9;
  let r = r0 + rl;
  let rest = (r0 - r) + rl;
  let a = bitcast<f32>(bitcast<u32>(r) & 0xfffff000u);
  let b = r - a;
  let square = 0.5 * a * a;
  let tail = b * (a + 0.5 * b) + rest * (1.0 + r)
    + r * r * r * (0.16666667 + r * (0.041666667 + r * (0.0083333333 + r * (0.0013888889 + r * 0.00019841270))));
  let h = 1.0 + r;
  let hl = (1.0 - h) + r;
  let s = h + square;
  let sl = (h - s) + square;
  let m = s + ((hl + sl) + tail);
  let e = i32(k);
  if (e < -125) { return 0.0; }
  // 2^128 is no float32, though m * 2^128 may be.
  return m * bitcast<f32>(u32(min(e, 127) + 127) << 23u) * select(1.0, 2.0, e > 127);
}`

const SILU = `${EXP}
fn silu(x: f32) -> f32 {
  let b = bitcast<u32>(x);
  if ((b & 0x7fffffffu) >= 0x7f800000u) { return bitcast<f32>(select(b, 0x7fc00000u, b == 0xff800000u)); }
  // exp(-x) overflows to infinity from here on, and x / infinity is -0; above, it no longer shows beside 1.
  if (x < -88.72283) { return bitcast<f32>(0x80000000u); }
  return x / (1.0 + exact_exp(-min(x, 80.0)));
}`

/**
 * silu(gate) * up, gate the first half of each row, up the second.
 * @param rounded vLLM's silu_and_mul computes silu in float, casts it to the input's dtype T and multiplies in T
 *   (csrc/activation_kernels.cu, `silu_kernel` and `compute`); its fused quantisers keep float32 all the way
 *   (csrc/quantization/fused_kernels/fused_silu_mul_block_quant.cu, csrc/quantization/activation_kernels.cu).
 */
export function siluMulSource(call: KernelCall, name: string, rounded: boolean): Source {
  const all = rowsOf(name, tensorArg(call, name))
  const cols = Math.floor(all.cols / 2)
  return {
    rows: all.rows,
    cols,
    dtype: all.dtype,
    wide: readsInEights(all) && cols % 8 === 0,
    emit(shader) {
      shader.helper(SILU)
      if (rounded) shader.helper(roundFn(all.dtype))
      return emitValue(shader, [shader.stream(name, all), shader.stream(name, all, cols)], ([gate, up]) =>
        rounded ? `round_T(round_T(silu(${gate})) * ${up})` : `silu(${gate}) * ${up}`,
      )
    },
  }
}

/** silu in float32 steps. */
export function silu(x: number): number {
  return Math.fround(x / Math.fround(1 + Math.fround(Math.exp(-x))))
}

/** The values siluMulSource stands for, [rows, cols]. */
export function siluMulValues(call: KernelCall, memory: ReferenceMemory, name: string, rounded: boolean): Float32Array {
  const t = tensorArg(call, name)
  const width = t.shape[t.shape.length - 1]!
  const d = Math.floor(width / 2)
  const x = memory.read(name)
  const out = new Float32Array((x.length / width) * d)
  const round = (v: number): number => (rounded ? roundTo(t.dtype, v) : v)
  for (let row = 0, o = 0; o < out.length; row++)
    for (let c = 0; c < d; c++, o++) {
      const at = row * width + c
      out[o] = round(Math.fround(round(silu(x[at]!)) * x[at + d]!))
    }
  return out
}
