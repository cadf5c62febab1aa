/** The operators that SGLang's GroupCoordinator.all_reduce leaves in a graph (sglang/srt/distributed/parallel_state.py). */
import type { Kernel } from '../kernel'
import { rowKernel } from '../kernels/row_kernel'
import { inNamespace, type Kernels } from '../operator'
import { allReduce } from '../vllm/all_reduce'
import { PEERS, rankSumSource, requireRanks } from '../vllm/rank_sum'

/** The sum over the ranks as a new tensor; by which of its communicators, no result shows. */
export const outplaceAllReduce = allReduce('outplace_all_reduce', [
  { name: 'outplace_all_reduce_method', kind: 'attr', default: null },
])

/** tensor = its sum over the ranks. Shapes: see rank_sum.ts. */
export const inplaceAllReduce: Kernel = rowKernel({
  name: 'inplace_all_reduce',
  params: [
    { name: 'tensor', kind: 'inout', rows: true },
    { name: 'group_name', kind: 'attr', default: null },
    { name: 'world_size', kind: 'attr', default: null },
    PEERS,
  ],
  outputs(call) {
    requireRanks(call, 'tensor')
    return {}
  },
  rows: (call) => ({ source: rankSumSource(call, 'tensor', null), out: 'tensor_out' }),
})

export const KERNELS: Kernels = inNamespace('sglang', [outplaceAllReduce, inplaceAllReduce])

export const SCHEMAS = `# SGLang python/sglang/srt/distributed/parallel_state.py
2025-05..2025-12 sglang::inplace_all_reduce(Tensor! tensor, str group_name) -> ()
2025-07..2026-06 sglang::outplace_all_reduce(Tensor tensor, str group_name, str outplace_all_reduce_method) -> Tensor
2025-05..2025-07 sglang::outplace_all_reduce(Tensor tensor, str group_name) -> Tensor`
