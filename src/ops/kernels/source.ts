/**
 * Input of a quantizer or an activation: a tensor's elements, or silu(gate) * up of a tensor's two halves. A fused
 * kernel is the same sink on a different source.
 */
import type { DTypeName } from '../dtype'
import { type Expr, fn, given } from '../expr/expr'
import { gelu, geluTanh, rounded, silu } from '../expr/functions'
import { evaluate } from '../expr/to_js'
import { functionOf } from '../expr/to_wgsl'
import { KernelRefusal, tensorArg, type KernelCall, type ReferenceMemory } from '../kernel'
import { NEAR_SILU, silu as siluOf } from './silu'
import { oneLaneFunction } from './one_lane'
import { readsInEights, rowsOf, type Rows, type Shader, type Stream } from './shader'

/** Rows of a tensor, from column `from` on. */
interface Input {
  readonly tensor: string
  readonly rows: Rows
  readonly from?: number
  /** Where a row begins among the tensor's elements in row-major order; default: one row after the other. */
  begins?(row: number): number
}

export interface Source {
  readonly rows: number
  readonly cols: number
  readonly dtype: DTypeName
  /** True if eight elements can be read at a time. */
  readonly wide: boolean
  readonly inputs: readonly Input[]
  /** The value of an element, of its inputs. */
  value(...x: Expr[]): Expr
  /** `value` with an error of a few ulp, which is faster. */
  near?(...x: Expr[]): Expr
  /** True if the error of `near` disappears, because the values are rounded to fewer digits. */
  readonly rounds?: boolean
}

const names = (source: Source): string[] => source.inputs.map((_, i) => `x${i}`)

const streams = (shader: Shader, source: Source): Stream[] =>
  source.inputs.map(({ tensor, rows, from }) => shader.stream(tensor, rows, from))

/**
 * Binds a source and returns WGSL functions `value(row, col) -> f32` or `value8(row, col) -> V8`. `near`: four ulp of error
 * are acceptable.
 */
export function emitSource(shader: Shader, source: Source, near = source.rounds ?? false): string {
  const all = streams(shader, source)
  const value = near && shader.wide && source.near ? source.near : source.value
  shader.helper(functionOf(shader, 'combined', names(source), value(...names(source).map((n) => given(n)))))
  if (!shader.wide)
    return `fn value(row: u32, col: u32) -> f32 { return combined(${all.map((s) => `load_${s.buffer.index}(${s.at('row', 'col')})`).join(', ')}); }`
  const loads = all.map((s, i) => `  let v${i} = load8_${s.buffer.index}(${s.at('row', 'col')});`)
  const half = (h: string): string => `combined(${all.map((_, i) => `v${i}.${h}`).join(', ')})`
  return `fn value8(row: u32, col: u32) -> V8 {
${loads.join('\n')}
  return V8(${half('a')}, ${half('b')});
}`
}

/** `fn exact(row, col) -> f32` in addition to an approximate `value8`; null if that is already exact. */
export function emitExact(shader: Shader, source: Source): string | null {
  if (!source.near || source.rounds !== undefined) return null
  oneLaneFunction(shader, 'exactly', names(source), source.value(...names(source).map((n) => given(n))))
  const elements = streams(shader, source).map((s) => `${shader.one(s.buffer)}(${s.at('row', 'col')})`)
  return `fn exact(row: u32, col: u32) -> f32 { return exactly(${elements.join(', ')}); }`
}

/** The values of a source, [rows, cols]. */
export function sourceValues(memory: ReferenceMemory, source: Source): Float32Array {
  const { cols, inputs } = source
  const value = source.value(...names(source).map((n) => given(n)))
  return evaluate(source.rows * cols, value, (name) => {
    const { tensor, rows, from = 0, begins = (row) => row * rows.cols } = inputs[names(source).indexOf(name)]!
    return { values: memory.read(tensor), cols, begins: (row) => begins(row) + from, step: 1 }
  })
}

export function plainSource(call: KernelCall, name: string): Source {
  const rows: Rows = rowsOf(name, tensorArg(call, name))
  return {
    rows: rows.rows,
    cols: rows.cols,
    dtype: rows.dtype,
    wide: readsInEights(rows),
    inputs: [{ tensor: name, rows }],
    value: (x) => x,
  }
}

/** The activation that an `..._and_mul` operator applies to its gate. */
export type Activation = 'silu' | 'gelu' | 'gelu_tanh'

const nearSilu = fn('near_silu($0)', siluOf, NEAR_SILU)

// vLLM csrc/activation_kernels.cu: gelu_kernel is x * 0.5 * (1 + erf(x / sqrt(2))), gelu_tanh_kernel its tanh form.
const ACTIVATIONS: Readonly<Record<Activation, (x: Expr) => Expr>> = { silu, gelu, gelu_tanh: geluTanh }

/**
 * silu(gate) * up (or another activation of gate), gate the first half of each row, up the second.
 * @param rounds vLLM's silu_and_mul computes silu in float, casts it to the input's dtype T and multiplies in T
 *   (csrc/activation_kernels.cu, `silu_kernel` and `compute`); its fused quantizers keep float32 all the way
 *   (csrc/quantization/fused_kernels/fused_silu_mul_block_quant.cu, csrc/quantization/activation_kernels.cu).
 */
export function siluMulSource(
  call: KernelCall,
  name: string,
  rounds: boolean,
  activation: Activation = 'silu',
): Source {
  const all = rowsOf(name, tensorArg(call, name))
  const cols = Math.floor(all.cols / 2)
  const round = (x: Expr): Expr => (rounds ? rounded(all.dtype, x) : x.f32())
  const timesUp = (act: (x: Expr) => Expr) => (gate: Expr, up: Expr) => round(round(act(gate)).times(up))
  return {
    rows: all.rows,
    cols,
    dtype: all.dtype,
    wide: readsInEights(all) && cols % 8 === 0,
    inputs: [
      { tensor: name, rows: all },
      { tensor: name, rows: all, from: cols },
    ],
    value: timesUp(ACTIVATIONS[activation]),
    ...(activation === 'silu' && { near: timesUp(nearSilu) }),
    ...(rounds && { rounds: all.dtype === 'bfloat16' }),
  }
}

/**
 * a + b, rounded to a's dtype T when `rounds`: the sum a residual norm normalizes. vLLM's fused_add_rms_norm adds in T
 * (csrc/layernorm_kernels.cu); its norms with dynamic quantization add in float32 (layernorm_utils.cuh).
 */
export function addSource(call: KernelCall, a: string, b: string, rounds: boolean): Source {
  const x = rowsOf(a, tensorArg(call, a))
  const y = rowsOf(b, tensorArg(call, b))
  if (x.rows !== y.rows || x.cols !== y.cols) throw new KernelRefusal(`\`${a}\` and \`${b}\` must have the same shape`)
  return {
    rows: x.rows,
    cols: x.cols,
    dtype: x.dtype,
    wide: readsInEights(x) && readsInEights(y),
    inputs: [
      { tensor: a, rows: x },
      { tensor: b, rows: y },
    ],
    value: (p, q) => (rounds ? rounded(x.dtype, p.plus(q)) : p.plus(q)),
  }
}
