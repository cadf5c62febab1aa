/** Scales of a matrix: one for the whole, one per row or column, or one per block. */
import { KernelRefusal, numel, type KernelCall, type TensorView } from '../kernel'
import type { Shader } from './shader'

/** Element (i, j) is scaled by the value at `offset + floor(i / block[0]) * stride[0] + floor(j / block[1]) * stride[1]`. */
export interface MatrixScales {
  readonly offset: number
  readonly stride: readonly [number, number]
  readonly block: readonly [number, number]
  /** True if the value varies along the summed dimension of a product. */
  readonly along: boolean
}

/** MX's shared exponents are uint8 on Ascend. */
const isExponents = (t: TensorView): boolean => t.dtype === 'uint8' || t.dtype === 'float8_e8m0fnu'

/**
 * Layout of the scales `t` of [rows, cols]: one value; one value per index of `lines`, with any additional dimensions
 * of size 1; or [row blocks, column blocks].
 * @param lines the dimension that a product keeps. Throws KernelRefusal.
 */
export function matrixScales(
  name: string,
  t: TensorView,
  [rows, cols]: readonly [number, number],
  lines: 0 | 1,
): MatrixScales {
  const { shape, stride, offset } = t
  const count = lines === 0 ? rows : cols
  if (numel(shape) <= 1) return { offset, stride: [0, 0], block: [1, 1], along: false }
  const d = shape.findIndex((n) => n > 1)
  if (numel(shape) === count && shape[d] === count)
    return { offset, stride: lines === 0 ? [stride[d]!, 0] : [0, stride[d]!], block: [1, 1], along: false }
  const block = shape.length === 2 ? [blockOf(rows, shape[0]!), blockOf(cols, shape[1]!)] : []
  const [down, across] = block
  if (down && across)
    return { offset, stride: [stride[0]!, stride[1]!], block: [down, across], along: shape[1 - lines]! > 1 }
  throw new KernelRefusal(
    `\`${name}\` must hold one value, ${count}, or one a block of [${rows}, ${cols}], found shape [${shape.join(', ')}]`,
  )
}

/** The block size if `blocks` cover `n`: a power of two if possible, otherwise equal parts; null if neither fits. */
function blockOf(n: number, blocks: number): number | null {
  if (blocks === 1) return Math.max(1, n)
  const power = 2 ** Math.ceil(Math.log2(n / blocks))
  if (Math.ceil(n / power) === blocks) return power
  return n % blocks === 0 ? n / blocks : null
}

/** WGSL for the scale of element (i, j). */
export function scaleExpr(
  shader: Shader,
  name: string,
  t: TensorView,
  s: MatrixScales,
  [i, j]: readonly [string, string],
): string {
  const { index } = shader.bind(name, isExponents(t) ? 'float8_e8m0fnu' : t.dtype, 'read', false)
  const term = (at: string, d: 0 | 1): string[] =>
    s.stride[d] === 0 ? [] : [`(${at}) / ${s.block[d]}u * ${s.stride[d]}u`]
  return `load_${index}(${[`${s.offset}u`, ...term(i, 0), ...term(j, 1)].join(' + ')})`
}

/** The scale of element (i, j), from the tensor's values in row-major order. */
export function scaleValues(
  t: TensorView,
  s: MatrixScales,
  values: ArrayLike<number>,
): (i: number, j: number) => number {
  const value = (at: number): number => (t.dtype === 'uint8' ? exponent(values[at]!) : values[at]!)
  if (s.stride[0] === 0 && s.stride[1] === 0) return () => value(0)
  if (!s.along && s.block[0] === 1 && s.block[1] === 1) return (i, j) => value(s.stride[0] === 0 ? j : i)
  const across = t.shape[1]!
  return (i, j) => value(Math.floor(i / s.block[0]) * across + Math.floor(j / s.block[1]))
}

const exponent = (byte: number): number => (byte === 255 ? NaN : 2 ** (byte - 127))

/** A matrix with its dimensions swapped; a tensor with fewer dimensions is unchanged. */
export const turned = (t: TensorView): TensorView =>
  t.shape.length === 2 ? { ...t, shape: [t.shape[1]!, t.shape[0]!], stride: [t.stride[1]!, t.stride[0]!] } : t

/** The call with some of its tensors transposed. */
export const withTurned = (call: KernelCall, names: readonly string[]): KernelCall => ({
  ...call,
  tensors: {
    ...call.tensors,
    ...Object.fromEntries(names.map((n) => [n, call.tensors[n] ? turned(call.tensors[n]!) : null])),
  },
})
