/** torch_npu's SwiGLU. */
import { siluAndMul } from '../_C/silu_and_mul'
import { type Kernel, KernelRefusal, tensorArg } from '../kernel'
import { inNamespace, type Kernels } from '../operator'

/** silu of the first half of the last dimension, times the second; rounded as `_C.silu_and_mul`. */
const npuSwiglu: Kernel = {
  ...siluAndMul,
  name: 'npu_swiglu',
  functional: true,
  params: [
    { name: 'input', kind: 'in', rows: true, aliases: ['self', 'x'] },
    { name: 'dim', kind: 'attr', default: -1 },
    { name: 'result', kind: 'out' },
  ],
  outputs(call) {
    const dim = Number(call.attrs['dim'])
    if (dim !== -1 && dim !== tensorArg(call, 'input').shape.length - 1)
      throw new KernelRefusal(`only halves of the last dimension are handled, found dim ${dim}`)
    return siluAndMul.outputs(call)
  },
}

export const KERNELS: Kernels = inNamespace('npu', [npuSwiglu])

export const SCHEMAS = `# torch_npu op_plugin/config/op_plugin_functions.yaml
2025-05..2026-08 npu::npu_swiglu(Tensor self, int dim=-1) -> Tensor`
