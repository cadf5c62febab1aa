/** Prints the expressions of a row kernel as functions of its shader. */
import { encodeFn, type DTypeName } from '../dtype'
import { given } from '../expr/expr'
import { functionOf } from '../expr/to_wgsl'
import { tensorArg, type KernelCall } from '../kernel'
import { oneLaneFunction } from './one_lane'
import { storeAsIs, type RowQuant, type Sink } from './row_spec'
import type { Shader } from './shader'

/** Loads the only element of a tensor. */
export const onlyElement =
  (shader: Shader, call: KernelCall) =>
  (tensor: string): string => {
    const t = tensorArg(call, tensor)
    return `load_${shader.bind(tensor, t.dtype, 'read', false).index}(${t.offset}u)`
  }

/** `fn finish(x: F32) -> U32`: the bits of the float32 to encode. */
export function emitSink(shader: Shader, call: KernelCall, { of = [], value }: Sink = storeAsIs): void {
  const only = onlyElement(shader, call)
  const numbers = of.map((e, i) => {
    oneLaneFunction(shader, `number_${i}_of`, [], e, only)
    shader.once(`number_${i}`, `number_${i}_of()`)
    return given(`F32(number_${i})`)
  })
  shader.helper(functionOf(shader, 'sunk', ['x'], value(given('x'), ...numbers)))
  shader.helper('fn finish(x: F32) -> U32 { return bitcast<U32>(sunk(x)); }')
}

/**
 * `fn scale_of(peak: f32) -> f32`, a group's key; `fn scale_code(key: f32) -> u32`, its stored scale; and `fn quant(x: F32, key:
 * f32) -> U32`, the codes made by `enc_out`.
 */
export function emitQuant(shader: Shader, call: KernelCall, quant: RowQuant, scales: DTypeName): void {
  const { key, scale = (k) => k, by = (k) => [k], code } = quant
  oneLaneFunction(shader, 'scale_of', ['peak'], key(given('peak')), onlyElement(shader, call))
  oneLaneFunction(shader, 'stored_scale', ['key'], scale(given('key')))
  const factors = by(given('key')).map((factor, i) => {
    oneLaneFunction(shader, `factor_${i}`, ['key'], factor)
    return `by_${i}`
  })
  shader.helper(encodeFn('enc_scale', scales, false))
  shader.helper(functionOf(shader, 'code_of', ['x', ...factors], code(given('x'), ...factors.map((f) => given(f)))))
  shader.helper(`fn scale_code(key: f32) -> u32 { return enc_scale(bitcast<u32>(stored_scale(key))); }
fn quant(x: F32, key: f32) -> U32 { return enc_out(bitcast<U32>(code_of(x, ${factors.map((_, i) => `F32(factor_${i}(key))`).join(', ')}))); }`)
}
