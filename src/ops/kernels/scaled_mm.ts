/** Products of quantized matrices with scaling: FP8 and int8; one scale per tensor, row or column, or block. */
import { dtypeInfo, type DTypeName } from '../dtype'
import { int8 } from '../expr/codes'
import { type Expr, load, number, whole, fn, type Operand, partOf } from '../expr/expr'
import { KernelRefusal, numel, tensorArg, type Kernel, type KernelCall, type Param, type TensorView } from '../kernel'
import { matmulKernel, type MatmulSpec } from './matmul'

/** An operator's arguments by their role in the product. Missing scales are 1. */
export interface ProductNames {
  readonly a: string
  readonly b: string
  readonly scaleA: string | null
  readonly scaleB: string | null
  readonly out: string
  /** The attribute that holds the output's dtype, and its default. */
  readonly dtype?: string
  readonly otherwise?: DTypeName
  /** True if `b` and its scales are laid out like weights, [n, k]. */
  readonly weights?: boolean
}

export interface Product {
  readonly name: string
  readonly params: readonly Param[]
  readonly functional: boolean
  names(call: KernelCall): ProductNames
}

interface Sizes {
  readonly m: number
  readonly n: number
  readonly a: MatrixScales | null
  readonly b: MatrixScales | null
}

function sizesOf(call: KernelCall, names: ProductNames): Sizes {
  const [a, b] = [tensorArg(call, names.a).shape, tensorArg(call, names.b).shape]
  const [k, n] = (names.weights ? b.toReversed() : b) as [number, number]
  if (a.length !== 2 || b.length !== 2 || a[1] !== k)
    throw new KernelRefusal(
      `\`${names.a}\` and \`${names.b}\` must be ${names.weights ? '[m, k] and [n, k]' : '[m, k] and [k, n]'}, found [${a.join(', ')}] and [${b.join(', ')}]`,
    )
  const m = a[0]!
  const scales = (name: string | null, shape: readonly [number, number], lines: 0 | 1): MatrixScales | null => {
    const t = name === null ? null : call.tensors[name]
    return t ? matrixScales(name!, t, shape, lines, lines === 1 && names.weights) : null
  }
  const bias = call.tensors['bias']
  if (bias && numel(bias.shape) !== n)
    throw new KernelRefusal(`\`bias\` must hold ${n} values, found shape [${bias.shape.join(', ')}]`)
  return { m, n, a: scales(names.scaleA, [m, k], 0), b: scales(names.scaleB, [k, n], 1) }
}

/** The scales and the bias in the product's epilogue, or scales along k applied to its operands. */
function productOf(call: KernelCall, by: ProductNames): MatmulSpec {
  const { a: sa, b: sb } = sizesOf(call, by)
  const apart = Boolean(sa?.along || sb?.along)
  const scale = (s: MatrixScales | null, i: Expr, j: Expr): Expr => s?.at(i, j) ?? number(1)
  const bias = call.tensors['bias']
  return {
    a: by.a,
    b: by.b,
    out: by.out,
    weights: by.weights === true,
    finish(p, _, { row, col }) {
      const scaled = apart ? p : scale(sa, row, whole(0)).times(scale(sb, whole(0), col).times(p).f32())
      const value = bias ? scaled.plus(load('bias', ...bias.shape.map((n) => (n > 1 ? col : 0)))) : scaled
      return tensorArg(call, by.out).dtype === 'int8' ? int8(value) : value
    },
    ...(apart && { scales: { a: (row, k) => scale(sa, row, k), b: (k, col) => scale(sb, k, col) } }),
  }
}

/**
 * out[i, j] = T(scale_a[i] * (scale_b[j] * sum over k of a[i, k] * b[k, j]) + bias[j]), all in float32 before T: vLLM
 * csrc/quantization/w8a8/cutlass (`ScaledEpilogue`, `ScaledEpilogueBias`). With a scale a block of k, the sum over k of
 * (scale_a[i, block of k] * a[i, k]) * (scale_b[block of k, block of j] * b[k, j]): vLLM
 * vllm/model_executor/layers/quantization/utils/fp8_utils.py, `_w8a8_triton_block_scaled_mm`.
 * Shapes: a [m, k], b [k, n] (weights [n, k]), out [m, n], bias [n]; scales as matrixScales takes them.
 */
export function scaledMm({ name, params, functional, names }: Product): Kernel {
  return matmulKernel({
    name,
    functional,
    params,
    outputs(call) {
      const { out, dtype, otherwise = null } = names(call)
      const { m, n } = sizesOf(call, names(call))
      const named = dtype === undefined ? null : call.attrs[dtype]
      return {
        [out]: { shape: [m, n], dtype: typeof named === 'string' ? (dtypeInfo(named)?.name ?? null) : otherwise },
      }
    },
    product: (call) => productOf(call, names(call)),
  })
}

/** Scales of a matrix: one for the whole matrix, one per row or column, or one per block. */
interface MatrixScales {
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
function matrixScales(
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
