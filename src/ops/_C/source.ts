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

const SILU = `fn silu(x: f32) -> f32 {
  let b = bitcast<u32>(x);
  if ((b & 0x7fffffffu) >= 0x7f800000u) { return bitcast<f32>(select(b, 0x7fc00000u, b == 0xff800000u)); }
  // exp(-x) overflows to infinity from here on, and x / infinity is -0.
  if (x < -88.72283) { return bitcast<f32>(0x80000000u); }
  return x / (1.0 + exp(-x));
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
