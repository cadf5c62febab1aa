/** Operators of torch_npu (Ascend) that a run can execute. */
import type { Kernel } from '../kernel'
import { npuAddRmsNorm, npuAddRmsNormDynamicMxQuant, npuDynamicMxQuant } from './mx'

export const NPU_KERNELS: readonly Kernel[] = [npuAddRmsNorm, npuDynamicMxQuant, npuAddRmsNormDynamicMxQuant]
