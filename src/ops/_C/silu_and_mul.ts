/** `_C.silu_and_mul(result, input)` and its siblings with other activations. */
import { DTYPES } from '../dtype'
import { KernelRefusal, tensorArg, type Kernel, type KernelCall } from '../kernel'
import { rowKernel } from '../kernels/row_kernel'
import { siluMulSource, type Activation } from '../kernels/source'
import { inNamespace, type Kernels } from '../operator'

/** Shape of silu(gate) * up: the last dimension halved. */
export function halved(call: KernelCall, name: string): number[] {
  const { shape, dtype } = tensorArg(call, name)
  const width = shape[shape.length - 1]
  if (shape.length === 0 || width! % 2 !== 0)
    throw new KernelRefusal(
      `\`${name}\` holds gate and up side by side, so its last dimension must be even, found [${shape.join(', ')}]`,
    )
  if (!DTYPES[dtype].floating || DTYPES[dtype].bytes === 1)
    throw new KernelRefusal(`\`${name}\` must be float32, float16 or bfloat16, found ${dtype}`)
  return [...shape.slice(0, -1), width! / 2]
}

/**
 * result = T(T(act(gate)) * up), T the input's dtype: act is computed in float32 and cast to T, then multiplied in T.
 * vLLM csrc/activation_kernels.cu (`silu_kernel`, `gelu_kernel`, `gelu_tanh_kernel`, `compute`).
 * Shapes: input [..., 2 d], result [..., d].
 */
const actAndMul = (name: string, activation: Activation): Kernel =>
  rowKernel({
    name,
    params: [
      { name: 'result', kind: 'out', aliases: ['out', 'output'] },
      { name: 'input', kind: 'in', rows: true, aliases: ['x'] },
    ],
    outputs: (call) => ({ result: { shape: halved(call, 'input'), dtype: tensorArg(call, 'input').dtype } }),
    rows: (call) => ({ source: siluMulSource(call, 'input', true, activation), out: 'result' }),
  })

export const siluAndMul = actAndMul('silu_and_mul', 'silu')
export const geluAndMul = actAndMul('gelu_and_mul', 'gelu')
export const geluTanhAndMul = actAndMul('gelu_tanh_and_mul', 'gelu_tanh')

export const KERNELS: Kernels = inNamespace('_C', [siluAndMul, geluAndMul, geluTanhAndMul])

export const SCHEMAS = `# vLLM csrc/libtorch_stable/torch_bindings.cpp
2025-05..2026-08 _C::silu_and_mul(Tensor! result, Tensor input) -> ()
# vLLM csrc/cpu/torch_bindings.cpp
2025-05..2026-08 _C::silu_and_mul(Tensor! out, Tensor input) -> ()
# vLLM csrc/libtorch_stable/torch_bindings.cpp
2025-05..2026-08 _C::gelu_and_mul(Tensor! out, Tensor input) -> ()
2025-05..2026-08 _C::gelu_tanh_and_mul(Tensor! out, Tensor input) -> ()
# SGLang sgl-kernel/csrc/common_extension.cc
2025-07..2026-06 sgl_kernel::silu_and_mul(Tensor! out, Tensor input) -> ()
2025-05..2025-07 sgl_kernel::silu_and_mul(Tensor! out, Tensor input, int cuda_stream) -> ()
2025-07..2026-06 sgl_kernel::gelu_and_mul(Tensor! out, Tensor input) -> ()
2025-05..2025-07 sgl_kernel::gelu_and_mul(Tensor! out, Tensor input, int cuda_stream) -> ()
2025-07..2026-06 sgl_kernel::gelu_tanh_and_mul(Tensor! out, Tensor input) -> ()
2025-05..2025-07 sgl_kernel::gelu_tanh_and_mul(Tensor! out, Tensor input, int cuda_stream) -> ()`
