/** `_C.silu_and_mul(result, input)`. */
import { DTYPES } from '../dtype'
import { KernelRefusal, tensorArg, type Kernel, type KernelCall } from '../kernel'
import { pointwise, storeAsIs } from './pointwise'
import { siluMulSource, siluMulValues } from './source'

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
 * result = T(T(silu(gate)) * up), T the input's dtype: silu is computed in float32 and cast to T, then multiplied in T.
 * vLLM csrc/activation_kernels.cu (`silu_kernel`, `compute`). Shapes: input [..., 2 d], result [..., d].
 */
export const siluAndMul: Kernel = {
  name: 'silu_and_mul',
  params: [
    { name: 'result', kind: 'out', aliases: ['out', 'output'] },
    { name: 'input', kind: 'in', rows: true, aliases: ['x'] },
  ],
  outputs: (call) => ({ result: { shape: halved(call, 'input'), dtype: tensorArg(call, 'input').dtype } }),
  reference(call, memory) {
    memory.write('result', siluMulValues(call, memory, 'input', true))
  },
  plan: (call) => pointwise('silu_and_mul', call, siluMulSource(call, 'input', true), 'result', storeAsIs),
}
