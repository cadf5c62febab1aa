/** Operators of SGLang that a run can execute; sgl_kernel.silu_and_mul is vLLM's (src/ops/_C). */
import type { Kernel } from '../kernel'
import { fusedSwiglu } from './fused_swiglu'
import { fusedAddRmsnorm, rmsnorm, sglPerTensorQuantFp8 } from './sgl_kernel'

export const SGLANG_KERNELS: readonly Kernel[] = [fusedSwiglu, rmsnorm, fusedAddRmsnorm, sglPerTensorQuantFp8]
