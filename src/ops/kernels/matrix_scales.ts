/** Scales of a matrix: one for the whole, one per row or column, or one per block. */
import { type Expr, fn, load, type Operand, partOf } from '../expr/expr'
import { KernelRefusal, numel, type TensorView } from '../kernel'

export interface MatrixScales {
  /** The scale of element (i, j). */
  at(i: Expr, j: Expr): Expr
  /** True if the value varies along the summed dimension of a product. */
  readonly along: boolean
}

/** 2^(byte - 127), NaN for 255: MX's shared exponents, which are uint8 on Ascend. */
const fromExponent = fn(
  'from_exponent($0)',
  (byte) => (byte === 255 ? NaN : 2 ** (byte! - 127)),
  `fn from_exponent(x: F32) -> F32 {
  let b = U32(x);
  return bitcast<F32>(select(select(b << U32(23u), U32(0x400000u), b == U32(0u)), U32(0x7fc00000u), b == U32(255u)));
}`,
)

/**
 * Layout of the scales `t` of [rows, cols]: one value; one value per index of `lines`, with any additional dimensions
 * of size 1; or [row blocks, column blocks].
 * @param lines the dimension that a product keeps
 * @param turned `t` is laid out as [column blocks, row blocks]
 * @throws KernelRefusal
 */
export function matrixScales(
  name: string,
  t: TensorView,
  [rows, cols]: readonly [number, number],
  lines: 0 | 1,
  turned = false,
): MatrixScales {
  const matrix = turned && t.shape.length === 2
  const shape = matrix ? t.shape.toReversed() : t.shape
  const value = (...at: Operand[]): Expr => {
    const own = load(name, ...(matrix ? at.toReversed() : at))
    return t.dtype === 'uint8' ? fromExponent(own) : own
  }
  const count = lines === 0 ? rows : cols
  if (numel(shape) <= 1) return { at: () => value(...shape.map(() => 0)), along: false }
  const d = shape.findIndex((n) => n > 1)
  if (numel(shape) === count && shape[d] === count)
    return { at: (i, j) => value(...shape.map((_, k) => (k !== d ? 0 : lines === 0 ? i : j))), along: false }
  const block = shape.length === 2 ? [blockOf(rows, shape[0]!), blockOf(cols, shape[1]!)] : []
  const [down, across] = block
  if (down && across) return { at: (i, j) => value(partOf(i, down), partOf(j, across)), along: shape[1 - lines]! > 1 }
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
