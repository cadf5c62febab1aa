/** all_reduce over ranks that are buffers on one device. */
import { type Kernel, KernelRefusal, type Param, tensorArg } from '../kernel'
import { rowKernel } from '../kernels/row_kernel'
import { inNamespace, type Kernels } from '../operator'
import { PEERS, rankSumSource, requireRanks } from './rank_sum'

/** result = the sum of the tensor over the ranks. Shapes: see rank_sum.ts. */
export function allReduce(name: string, params: readonly Param[]): Kernel {
  return rowKernel({
    name,
    functional: true,
    params: [
      { name: 'tensor', kind: 'in', rows: true, aliases: ['input', 'x'] },
      ...params,
      { name: 'group_name', kind: 'attr', default: null },
      { name: 'world_size', kind: 'attr', default: null },
      PEERS,
      { name: 'result', kind: 'out' },
    ],
    outputs(call) {
      const op = call.attrs['reduce_op']
      if (typeof op === 'string' && op !== 'sum')
        throw new KernelRefusal(`only a sum over the ranks is handled, found ${op}`)
      requireRanks(call, 'tensor')
      const { shape, dtype } = tensorArg(call, 'tensor')
      return { result: { shape, dtype } }
    },
    rows: (call) => ({ source: rankSumSource(call, 'tensor', null), out: 'result' }),
  })
}

/** vllm.all_reduce(tensor, group_name). */
export const vllmAllReduce = allReduce('all_reduce', [])
/** _c10d_functional.all_reduce(input, reduce_op, group_name). */
export const functionalAllReduce = allReduce('all_reduce', [{ name: 'reduce_op', kind: 'attr', default: 'sum' }])

export const KERNELS: Kernels = inNamespace('vllm', [vllmAllReduce])
