/**
 * Input of a quantizer or an activation: a tensor's elements, or silu(gate) * up of a tensor's two halves. A fused
 * kernel is the same sink on a different source.
 */
import { erf, WGSL_ERF, WGSL_GELU_TANH } from './math'
import { lanes, roundFn, roundTo, type DTypeName } from '../dtype'
import { KernelRefusal, tensorArg, type KernelCall, type ReferenceMemory } from '../kernel'
import { EXP, NEAR_SILU, SILU, silu } from './silu'
import { readsInEights, rowsOf, type Rows, type Shader, type Stream } from './shader'

export interface Source {
  readonly rows: number
  readonly cols: number
  readonly dtype: DTypeName
  /** True if eight elements can be read at a time. */
  readonly wide: boolean
  /**
   * Binds its streams and returns WGSL functions `value(row, col) -> f32` or `value8(row, col) -> V8`. `near`: four ulp
   * of error are acceptable, because the values are rounded to fewer digits.
   */
  emit(shader: Shader, near?: boolean): string
  /** `fn exact(row, col) -> f32` in addition to an approximate `value8`; absent if that is already exact. */
  emitExact?(shader: Shader): string
}

export function emitValue(shader: Shader, streams: Stream[], combine: (v: string[]) => string): string {
  if (!shader.wide)
    return `fn value(row: u32, col: u32) -> f32 { return ${combine(streams.map((s) => `load_${s.buffer.index}(${s.at('row', 'col')})`))}; }`
  const loads = streams.map((s, i) => `  let v${i} = load8_${s.buffer.index}(${s.at('row', 'col')});`)
  const half = (h: string): string => combine(streams.map((_, i) => `v${i}.${h}`))
  return `fn value8(row: u32, col: u32) -> V8 {
${loads.join('\n')}
  return V8(${half('a')}, ${half('b')});
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

/** The activation that an `..._and_mul` operator applies to its gate. */
export type Activation = 'silu' | 'gelu' | 'gelu_tanh'

interface WgslActivation {
  readonly helpers: readonly string[]
  /** `fn near_NAME` for eights, if it saves time. */
  readonly near?: string
  js(x: number): number
}

const ACTIVATIONS: Readonly<Record<Activation, WgslActivation>> = {
  silu: { helpers: [EXP, SILU], near: NEAR_SILU, js: silu },
  // vLLM csrc/activation_kernels.cu: gelu_kernel is x * 0.5 * (1 + erf(x / sqrt(2))), gelu_tanh_kernel its tanh form.
  gelu: {
    helpers: [WGSL_ERF, 'fn gelu(x: F32) -> F32 { return 0.5 * x * (1.0 + erf(x * 0.70710678)); }'],
    js: (x) => Math.fround(0.5 * x * (1 + erf(x * Math.SQRT1_2))),
  },
  gelu_tanh: {
    helpers: [WGSL_GELU_TANH],
    js: (x) => Math.fround(0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))),
  },
}

/**
 * silu(gate) * up (or another activation of gate), gate the first half of each row, up the second.
 * @param rounded vLLM's silu_and_mul computes silu in float, casts it to the input's dtype T and multiplies in T
 *   (csrc/activation_kernels.cu, `silu_kernel` and `compute`); its fused quantizers keep float32 all the way
 *   (csrc/quantization/fused_kernels/fused_silu_mul_block_quant.cu, csrc/quantization/activation_kernels.cu).
 */
export function siluMulSource(
  call: KernelCall,
  name: string,
  rounded: boolean,
  activation: Activation = 'silu',
): Source {
  const all = rowsOf(name, tensorArg(call, name))
  const cols = Math.floor(all.cols / 2)
  const { helpers, near } = ACTIVATIONS[activation]
  const gateAndUp = (shader: Shader): Stream[] => [shader.stream(name, all), shader.stream(name, all, cols)]
  return {
    rows: all.rows,
    cols,
    dtype: all.dtype,
    wide: readsInEights(all) && cols % 8 === 0,
    emit(shader, nearly = rounded && all.dtype === 'bfloat16') {
      const act = near && nearly && shader.wide ? `near_${activation}` : activation
      for (const h of act === activation ? helpers : [near!]) shader.helper(h)
      if (rounded) shader.helper(roundFn(all.dtype))
      return emitValue(shader, gateAndUp(shader), ([gate, up]) =>
        rounded ? `round_T(round_T(${act}(${gate})) * ${up})` : `${act}(${gate}) * ${up}`,
      )
    },
    ...(near &&
      !rounded && {
        emitExact(shader) {
          for (const h of helpers) shader.helper(lanes(h, false))
          const [gate, up] = gateAndUp(shader).map((s) => `${shader.one(s.buffer)}(${s.at('row', 'col')})`)
          return `fn exact(row: u32, col: u32) -> f32 { return ${activation}(${gate}) * ${up}; }`
        },
      }),
  }
}

/**
 * a + b, rounded to a's dtype T when `rounded`: the sum a residual norm normalizes. vLLM's fused_add_rms_norm adds in T
 * (csrc/layernorm_kernels.cu); its norms with dynamic quantization add in float32 (layernorm_utils.cuh).
 */
export function addSource(call: KernelCall, a: string, b: string, rounded: boolean): Source {
  const x = rowsOf(a, tensorArg(call, a))
  const y = rowsOf(b, tensorArg(call, b))
  if (x.rows !== y.rows || x.cols !== y.cols) throw new KernelRefusal(`\`${a}\` and \`${b}\` must have the same shape`)
  return {
    rows: x.rows,
    cols: x.cols,
    dtype: x.dtype,
    wide: readsInEights(x) && readsInEights(y),
    emit(shader) {
      if (rounded) shader.helper(roundFn(x.dtype))
      return emitValue(shader, [shader.stream(a, x), shader.stream(b, y)], ([p, q]) =>
        rounded ? `round_T(${p} + ${q})` : `(${p} + ${q})`,
      )
    },
  }
}

/** The values that addSource computes. */
export function addValues(
  call: KernelCall,
  memory: ReferenceMemory,
  a: string,
  b: string,
  rounded: boolean,
): Float32Array {
  const { dtype } = tensorArg(call, a)
  const y = memory.read(b)
  return memory.read(a).map((v, i) => (rounded ? roundTo(dtype, Math.fround(v + y[i]!)) : v + y[i]!))
}

/** The values that siluMulSource computes, [rows, cols]. */
export function siluMulValues(
  call: KernelCall,
  memory: ReferenceMemory,
  name: string,
  rounded: boolean,
  activation: Activation = 'silu',
): Float32Array {
  const act = ACTIVATIONS[activation].js
  const t = tensorArg(call, name)
  const width = t.shape[t.shape.length - 1]!
  const d = Math.floor(width / 2)
  const x = memory.read(name)
  const out = new Float32Array((x.length / width) * d)
  const round = (v: number): number => (rounded ? roundTo(t.dtype, v) : v)
  for (let row = 0, o = 0; o < out.length; row++)
    for (let c = 0; c < d; c++, o++) {
      const at = row * width + c
      out[o] = round(Math.fround(round(act(x[at]!)) * x[at + d]!))
    }
  return out
}
