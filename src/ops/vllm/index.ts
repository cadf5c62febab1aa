/** Operators that vLLM registers from Python: attention and what tensor-parallel ranks do together. */
import { unifiedAttention, unifiedAttentionWithOutput } from '../attention/vllm'
import type { Kernel } from '../kernel'
import { functionalAllReduce, vllmAllReduce } from './all_reduce'
import { fusedAllReduceNorm } from './flashinfer'
import { vllmAllGather, vllmReduceScatter } from './gather'

export const VLLM_KERNELS: readonly Kernel[] = [
  unifiedAttention,
  unifiedAttentionWithOutput,
  vllmAllReduce,
  vllmAllGather,
  vllmReduceScatter,
  fusedAllReduceNorm,
]

/** PyTorch's functional collectives: `_c10d_functional`. */
export const COLLECTIVES: readonly Kernel[] = [functionalAllReduce]
