/**
 * Quantization with one given scale: `static_scaled_fp8_quant`, `static_scaled_int8_quant`, and silu_and_mul fused with
 * the former.
 */
import { type DTypeName } from '../dtype'
import { KernelRefusal, numel, tensorArg, type Kernel, type KernelCall, type ReferenceMemory } from '../kernel'
import { roundHalfEven } from '../kernels/math'
import { FP8_MAX } from './block_quant'
import { pointwise, type Sink } from '../kernels/pointwise'
import { WHOLE } from '../kernels/quant_wgsl'
import type { Shader } from '../kernels/shader'
import { int8WithAzp } from './int8_azp'
import { halved } from './silu_and_mul'
import { plainSource, siluMulSource, sourceValues } from '../kernels/source'
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

const scaleExpr = (call: KernelCall, shader: Shader, scale = 'scale'): string =>
  `load_${shader.bind(scale, 'float32', 'read', false).index}(${tensorArg(call, scale).offset}u)`

/** clamp(x * inverse_scale, -448, 448), and NaN if the product is NaN: a tensor of zeros gives 0 * (1 / 0). */
export const FP8_FINISH = `fn finish(x: F32) -> U32 {
  let y = x * inverse_scale;
  let q = clamp(y, F32(-448.0), F32(448.0));
  return select(bitcast<U32>(q), U32(0x7fc00000u), (bitcast<U32>(y) & U32(0x7fffffffu)) > U32(0x7f800000u));
}`

/**
 * q = f8(clamp(x * (1 / scale), -448, 448)); vLLM's scaled_fp8_conversion with the inverted scale. The e4m3 encoding
 * saturates by itself.
 */
export const fp8Sink = (call: KernelCall, scale = 'scale', out = 'result'): Sink => ({
  emit(shader) {
    shader.once('inverse_scale', `1.0 / ${scaleExpr(call, shader, scale)}`)
    if (call.tensors[out]?.dtype === 'float8_e4m3fn')
      return 'fn finish(x: F32) -> U32 { return bitcast<U32>(x * inverse_scale); }'
    return FP8_FINISH
  },
})

/**
 * q = int8(clamp(round_half_even(x / scale), -128, 127)); with a zero point, int8(clamp(round_half_even(x * (1 / scale)) +
 * azp)). vLLM csrc/quantization/w8a8/int8/scaled_quant.cu.
 */
export const int8Sink = (call: KernelCall): Sink => ({
  emit(shader) {
    const azp = call.tensors['azp']
    if (azp) shader.once('inverse_scale', `1.0 / ${scaleExpr(call, shader)}`)
    else shader.once('own_scale', scaleExpr(call, shader))
    const scaled = azp
      ? `whole(x * inverse_scale) + load_${shader.bind('azp', azp.dtype, 'read', false).index}(${azp.offset}u)`
      : 'whole(x / own_scale)'
    return `${WHOLE}\nfn finish(x: F32) -> U32 { return bitcast<U32>(clamp(${scaled}, F32(-128.0), F32(127.0))); }`
  },
})

export function fp8Values(x: Float32Array, memory: ReferenceMemory): Float32Array {
  return fp8ByInverse(x, Math.fround(1 / memory.read('scale')[0]!))
}

export const fp8ByInverse = (x: Float32Array, inverse: number): Float32Array =>
  x.map((v) => Math.min(Math.max(Math.fround(v * inverse), -FP8_MAX), FP8_MAX))

/** round_half_even(x) within int8; NaN becomes 0, as a cast of NaN to int does. */
export const clampInt8 = (x: number): number => Math.min(Math.max(roundHalfEven(x), -128), 127) || 0

export function int8Values(call: KernelCall, x: Float32Array, memory: ReferenceMemory): Float32Array {
  const scale = memory.read('scale')[0]!
  if (!call.tensors['azp']) return x.map((v) => clampInt8(Math.fround(v / scale)))
  const azp = memory.read('azp')[0]!
  const inverse = Math.fround(1 / scale)
  return x.map((v) => int8WithAzp(v, inverse, azp))
}

const fp8Out = (shape: readonly number[]): { shape: readonly number[]; dtype: null } => ({ shape, dtype: null })

/**
 * result = f8(clamp(input * (1 / scale), -448, 448)). vLLM csrc/quantization/w8a8/fp8/common.cu, one scale per tensor.
 */
export const staticScaledFp8Quant: Kernel = {
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
  reference: (call, memory) => memory.write('result', fp8Values(memory.read('input'), memory)),
  plan: (call) => pointwise('static_scaled_fp8_quant', call, plainSource(call, 'input'), 'result', fp8Sink(call)),
}

/**
 * result = f8(clamp(silu(gate) * up * (1 / scale))), the product kept in float32.
 * vLLM csrc/quantization/activation_kernels.cu.
 */
export const siluAndMulQuant: Kernel = {
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
  reference: (call, memory) =>
    memory.write(
      'result',
      fp8Values(sourceValues(memory, siluMulSource(call, 'input', call.attrs['as_unfused_round'] === true)), memory),
    ),
  plan: (call) => pointwise('silu_and_mul_quant', call, siluMulSource(call, 'input', false), 'result', fp8Sink(call)),
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
}

/**
 * result = int8(clamp(round_half_even(input / scale), -128, 127)). vLLM csrc/quantization/w8a8/int8/scaled_quant.cu.
 * Some schemas declare `scale` as mutated; it is unchanged.
 */
export const staticScaledInt8Quant: Kernel = {
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
  reference: (call, memory) => memory.write('result', int8Values(call, memory.read('input'), memory)),
  plan: (call) => pointwise('static_scaled_int8_quant', call, plainSource(call, 'input'), 'result', int8Sink(call)),
}

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
