/** Operators of SGLang that a run can execute; sgl_kernel.silu_and_mul is vLLM's (src/ops/_C). */
import type { Kernel } from '../kernel'
import { sglScaledMms } from '../_C/scaled_mms'
import { unifiedAttentionWithOutput } from '../attention/vllm'
import { fusedExperts } from '../moe/fused_experts'
import { combine, groupedMm } from '../moe/grouped'
import { topkSoftmax } from '../moe/topk_softmax'
import { inplaceAllReduce, outplaceAllReduce } from './all_reduce'
import { allReduceRmsNorm, allReduceRmsNormQuant } from './all_reduce_norm'
import { fusedSwiglu } from './fused_swiglu'
import { fusedAddRmsnorm, rmsnorm, sglPerTensorQuantFp8, sglPerTokenGroupQuantFp8 } from './sgl_kernel'

export const SGLANG_KERNELS: readonly Kernel[] = [
  fusedSwiglu,
  rmsnorm,
  fusedAddRmsnorm,
  sglPerTensorQuantFp8,
  sglPerTokenGroupQuantFp8,
  ...sglScaledMms,
  topkSoftmax,
  groupedMm,
  combine,
  fusedExperts,
  outplaceAllReduce,
  inplaceAllReduce,
  allReduceRmsNorm,
  allReduceRmsNormQuant,
  { ...unifiedAttentionWithOutput, name: 'attention_with_output' },
]
