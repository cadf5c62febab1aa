/** Operators that vLLM registers from Python: attention and what tensor-parallel ranks do together. */
import { unifiedAttention, unifiedAttentionWithOutput } from '../attention/vllm'
import type { Kernel } from '../kernel'

export const VLLM_KERNELS: readonly Kernel[] = [unifiedAttention, unifiedAttentionWithOutput]
