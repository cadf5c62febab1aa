/**
 * Quantization with one given scale: `static_scaled_fp8_quant`, `static_scaled_int8_quant`, and silu_and_mul fused with
 * the former.
 */
import { type DTypeName } from '../dtype'
import { int8, int8WithAzp, saturated } from '../expr/codes'
import { type Expr, load, number } from '../expr/expr'
import { KernelRefusal, numel, tensorArg, type Kernel, type KernelCall } from '../kernel'
import { rowKernel } from '../kernels/row_kernel'
import type { Sink } from '../kernels/row_spec'
import { halved } from './silu_and_mul'
import { plainSource, siluMulSource } from '../kernels/source'
import { inNamespace, type Kernels } from '../operator'

/** Only a single scale for the whole tensor is supported. */
export function requireOneScale(call: KernelCall, name = 'scale'): void {
  const { shape, dtype } = tensorArg(call, name)
  if (numel(shape) !== 1) throw new KernelRefusal(`\`${name}\` must hold one value, found shape [${shape.join(', ')}]`)
  if (dtype !== 'float32') throw new KernelRefusal(`\`${name}\` must be float32, found ${dtype}`)
}

/** A zero point is a single int32 for the whole tensor. */
export function requireOneAzp(call: KernelCall): void {
  const azp = call.tensors['azp']
  if (azp && (numel(azp.shape) !== 1 || azp.dtype !== 'int32'))
    throw new KernelRefusal(`\`azp\` must hold one int32, found ${azp.dtype}[${azp.shape.join(', ')}]`)
}

/** q = f8(clamp(x * (1 / scale), -448, 448)); vLLM's scaled_fp8_conversion with the inverted scale. */
export const fp8Sink = (call: KernelCall, scale = 'scale', out = 'result'): Sink =>
  fp8ByInverse(tensorArg(call, out).dtype, load(scale))

export const fp8ByInverse = (dtype: DTypeName, scale: Expr): Sink => ({
  of: [number(1).over(scale).f32()],
  value: (x, inverse) => saturated(dtype, x.times(inverse!).f32()),
})

/**
 * q = int8(clamp(round_half_even(x / scale), -128, 127)); with a zero point, int8(clamp(round_half_even(x * (1 / scale)) +
 * azp)). vLLM csrc/quantization/w8a8/int8/scaled_quant.cu.
 */
export const int8Sink = (call: KernelCall): Sink =>
  call.tensors['azp']
    ? {
        of: [number(1).over(load('scale')).f32(), load('azp')],
        value: (x, inverse, azp) => int8WithAzp(x.times(inverse!).f32(), azp!),
      }
    : { of: [load('scale')], value: (x, scale) => int8(x.over(scale!).f32()) }

const fp8Out = (shape: readonly number[]): { shape: readonly number[]; dtype: null } => ({ shape, dtype: null })

/**
 * result = f8(clamp(input * (1 / scale), -448, 448)). vLLM csrc/quantization/w8a8/fp8/common.cu, one scale per tensor.
 */
export const staticScaledFp8Quant: Kernel = rowKernel({
  name: 'static_scaled_fp8_quant',
  params: [
    { name: 'result', kind: 'out', aliases: ['out'], dtype: 'float8_e4m3fn' },
    { name: 'input', kind: 'in', rows: true },
    { name: 'scale', kind: 'in', sample: 'scale' },
    { name: 'group_shape', kind: 'attr', optional: true },
  ],
  outputs(call) {
    requireOneScale(call)
    return { result: fp8Out(tensorArg(call, 'input').shape) }
  },
  rows: (call) => ({ source: plainSource(call, 'input'), out: 'result', sink: fp8Sink(call) }),
})

/**
 * result = f8(clamp(silu(gate) * up * (1 / scale))), the product kept in float32.
 * vLLM csrc/quantization/activation_kernels.cu.
 */
export const siluAndMulQuant: Kernel = rowKernel({
  name: 'silu_and_mul_quant',
  params: [
    { name: 'result', kind: 'out', aliases: ['out'], dtype: 'float8_e4m3fn' },
    { name: 'input', kind: 'in', rows: true },
    { name: 'scale', kind: 'in', sample: 'scale' },
  ],
  outputs(call) {
    requireOneScale(call)
    return { result: fp8Out(halved(call, 'input')) }
  },
  rows: (call) => ({
    source: siluMulSource(call, 'input', call.attrs['as_unfused_round'] === true),
    out: 'result',
    sink: fp8Sink(call),
  }),
  counterfactuals(call) {
    const dtype: DTypeName = tensorArg(call, 'input').dtype
    if (dtype === 'float32') return []
    return [
      {
        id: 'round',
        text: `does not round silu(gate) and the product to ${dtype} before quantizing`,
        attrs: { as_unfused_round: true },
      },
    ]
  },
})

/**
 * result = int8(clamp(round_half_even(input / scale), -128, 127)). vLLM csrc/quantization/w8a8/int8/scaled_quant.cu.
 * Some schemas declare `scale` as mutated; it is unchanged.
 */
export const staticScaledInt8Quant: Kernel = rowKernel({
  name: 'static_scaled_int8_quant',
  params: [
    { name: 'result', kind: 'out', aliases: ['out'], dtype: 'int8' },
    { name: 'input', kind: 'in', rows: true },
    { name: 'scale', kind: 'kept', sample: 'scale' },
    { name: 'azp', kind: 'in', optional: true },
  ],
  outputs(call) {
    requireOneScale(call)
    requireOneAzp(call)
    return { result: { shape: tensorArg(call, 'input').shape, dtype: null } }
  },
  rows: (call) => ({ source: plainSource(call, 'input'), out: 'result', sink: int8Sink(call) }),
})

export const KERNELS: Kernels = inNamespace('_C', [staticScaledFp8Quant, siluAndMulQuant, staticScaledInt8Quant])

export const SCHEMAS = `# vLLM csrc/libtorch_stable/torch_bindings.cpp
2025-05..2026-08 _C::silu_and_mul_quant(Tensor! result, Tensor input, Tensor scale) -> ()
2026-05..2026-08 _C::static_scaled_fp8_quant(Tensor! result, Tensor input, Tensor scale, int[]? group_shape=None) -> ()
# vLLM csrc/torch_bindings.cpp
2026-01..2026-05 _C::static_scaled_fp8_quant(Tensor! result, Tensor input, Tensor scale, (int, int)? group_shape=None) -> ()
2025-05..2025-12 _C::static_scaled_fp8_quant(Tensor! result, Tensor input, Tensor scale) -> ()
# vLLM csrc/libtorch_stable/torch_bindings.cpp
2025-05..2026-08 _C::static_scaled_int8_quant(Tensor! result, Tensor input, Tensor scale, Tensor? azp) -> ()
# vLLM csrc/cpu/torch_bindings.cpp
2025-05..2026-08 _C::static_scaled_int8_quant(Tensor! out, Tensor input, Tensor scale, Tensor? azp) -> ()`
