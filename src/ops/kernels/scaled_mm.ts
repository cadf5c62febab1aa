/** Products of quantized matrices with scaling: FP8 and int8; one scale per tensor, row or column, or block. */
import { matmulPlan, matmulValues } from './matmul'
import { dtypeInfo, type DTypeName } from '../dtype'
import {
  KernelRefusal,
  numel,
  tensorArg,
  type Kernel,
  type KernelCall,
  type Param,
  type TensorView,
  type DeviceTraits,
  type Dispatch,
  type ReferenceMemory,
} from '../kernel'
import { roundHalfEven } from './math'
import { matrixScales, scaleExpr, scaleValues, turned, withTurned, type MatrixScales } from './matrix_scales'
import { WHOLE } from './quant_wgsl'
import type { Shader } from './shader'

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
  readonly k: number
  readonly a: MatrixScales | null
  readonly b: MatrixScales | null
}

/** Operands and scales in the product's form: `b` as [k, n]. */
const laidOut = (call: KernelCall, { b, scaleB, weights }: ProductNames): KernelCall =>
  weights ? withTurned(call, scaleB === null ? [b] : [b, scaleB]) : call

function sizesOf(call: KernelCall, names: ProductNames): Sizes {
  const [a, b] = [tensorArg(call, names.a), tensorArg(laidOut(call, names), names.b)]
  if (a.shape.length !== 2 || b.shape.length !== 2 || a.shape[1] !== b.shape[0])
    throw new KernelRefusal(
      `\`${names.a}\` and \`${names.b}\` must be ${names.weights ? '[m, k] and [n, k]' : '[m, k] and [k, n]'}, found [${a.shape.join(', ')}] and [${tensorArg(call, names.b).shape.join(', ')}]`,
    )
  const [m, k, n] = [a.shape[0]!, a.shape[1]!, b.shape[1]!]
  const scales = (name: string | null, shape: readonly [number, number], lines: 0 | 1): MatrixScales | null => {
    const t = name === null ? null : laidOut(call, names).tensors[name]
    return t ? matrixScales(name!, t, shape, lines) : null
  }
  const bias = call.tensors['bias']
  if (bias && numel(bias.shape) !== n)
    throw new KernelRefusal(`\`bias\` must hold ${n} values, found shape [${bias.shape.join(', ')}]`)
  return { m, n, k, a: scales(names.scaleA, [m, k], 0), b: scales(names.scaleB, [k, n], 1) }
}

/** Scales that vary within the sum apply to its terms, all others after it. */
const within = ({ a, b }: Sizes): boolean => Boolean(a?.along || b?.along)

/** The definition, summed in float64. */
function scaledMmReference(call: KernelCall, memory: ReferenceMemory, by: ProductNames): void {
  const sizes = sizesOf(call, by)
  const { m, n, k } = sizes
  const scale = (
    tensor: string | null,
    s: MatrixScales | null,
    weights = false,
  ): ((i: number, j: number) => number) => {
    if (tensor === null || !s) return () => 1
    const t = tensorArg(call, tensor)
    const values = memory.read(tensor)
    return scaleValues(weights ? turned(t) : t, s, weights ? transposed(values, t) : values)
  }
  const [sa, sb] = [scale(by.scaleA, sizes.a), scale(by.scaleB, sizes.b, by.weights)]
  const a = Float64Array.from(memory.read(by.a))
  const b = Float64Array.from(by.weights ? transposed(memory.read(by.b), tensorArg(call, by.b)) : memory.read(by.b))
  if (within(sizes)) {
    for (let e = 0; e < a.length; e++) a[e]! *= sa(Math.floor(e / k), e % k)
    for (let e = 0; e < b.length; e++) b[e]! *= sb(Math.floor(e / n), e % n)
  }
  const bias = call.tensors['bias'] ? memory.read('bias') : null
  const whole = tensorArg(call, by.out).dtype === 'int8'
  const values = Float32Array.from(matmulValues(a, b, { batch: 1, m, k, n }), (v, e) => {
    const [i, j] = [Math.floor(e / n), e % n]
    const scaled = (within(sizes) ? v : sa(i, 0) * Math.fround(sb(0, j) * v)) + (bias ? bias[j]! : 0)
    return whole ? Math.min(Math.max(roundHalfEven(scaled), -128), 127) || 0 : scaled
  })
  memory.write(by.out, values)
}

/** A matmul with the scales and the bias in its epilogue, or with scales along k applied to its operands. */
function scaledMmPlan(name: string, call: KernelCall, by: ProductNames, device: DeviceTraits): Dispatch[] {
  const sizes = sizesOf(call, by)
  const laid = laidOut(call, by)
  const scaleAt = (shader: Shader, side: 'a' | 'b', i: string, j: string): string => {
    const tensor = side === 'a' ? by.scaleA : by.scaleB
    const s = sizes[side]
    return tensor !== null && s ? scaleExpr(shader, tensor, tensorArg(laid, tensor), s, [i, j]) : '1.0'
  }
  return matmulPlan(
    name,
    laid,
    {
      a: by.a,
      b: by.b,
      out: by.out,
      halves: 1,
      emit(shader) {
        const bias = call.tensors['bias'] ? ` + ${elementOf(shader, 'bias', call.tensors['bias'], 'col')}` : ''
        const product = within(sizes)
          ? 'p'
          : `${scaleAt(shader, 'a', 'row', '0u')} * (${scaleAt(shader, 'b', '0u', 'col')} * p)`
        const whole = tensorArg(call, by.out).dtype === 'int8'
        if (whole) shader.helper(WHOLE)
        const value = `${product}${bias}`
        return `fn finish(p: f32, p1: f32, row: u32, col: u32, z: u32) -> u32 {
  return bitcast<u32>(${whole ? `clamp(whole(${value}), -128.0, 127.0)` : value});
}`
      },
      ...(within(sizes) && {
        scales: (shader: Shader) => `fn scale_a(row: u32, k: u32) -> f32 { return ${scaleAt(shader, 'a', 'row', 'k')}; }
fn scale_b(k: u32, col: u32) -> f32 { return ${scaleAt(shader, 'b', 'k', 'col')}; }`,
      }),
    },
    device,
  )
}

/**
 * out[i, j] = T(scale_a[i] * (scale_b[j] * sum over k of a[i, k] * b[k, j]) + bias[j]), all in float32 before T: vLLM
 * csrc/quantization/w8a8/cutlass (`ScaledEpilogue`, `ScaledEpilogueBias`). With a scale a block of k, the sum over k of
 * (scale_a[i, block of k] * a[i, k]) * (scale_b[block of k, block of j] * b[k, j]): vLLM
 * vllm/model_executor/layers/quantization/utils/fp8_utils.py, `_w8a8_triton_block_scaled_mm`.
 * Shapes: a [m, k], b [k, n] (weights [n, k]), out [m, n], bias [n]; scales as matrixScales takes them.
 */
export function scaledMm({ name, params, functional, names }: Product): Kernel {
  return {
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
    reference: (call, memory) => scaledMmReference(call, memory, names(call)),
    plan: (call, device) => scaledMmPlan(name, call, names(call), device),
  }
}

/** WGSL for element `i` of a tensor with a single dimension larger than 1. */
function elementOf(shader: Shader, name: string, t: TensorView, i: string): string {
  const d = t.shape.findIndex((n) => n > 1)
  return `load_${shader.bind(name, t.dtype, 'read', false).index}(${t.offset}u + ${i} * ${d < 0 ? 0 : t.stride[d]!}u)`
}

/** A matrix's values in row-major order of its transpose; a tensor with fewer dimensions is unchanged. */
function transposed(values: Float32Array, { shape }: TensorView): Float32Array {
  if (shape.length !== 2) return values
  const [rows, cols] = shape as [number, number]
  return values.map((_, e) => values[(e % rows) * cols + Math.floor(e / rows)]!)
}
