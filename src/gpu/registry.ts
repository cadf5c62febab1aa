/** Which kernel runs a target. */
import { C_KERNELS } from '../ops/_C'
import type { Kernel } from '../ops/kernel'
import { convertElementType } from '../ops/prims/convert_element_type'

const BY_NAME = new Map(C_KERNELS.map((k) => [k.name, k]))
const PRIMS = new Map([['convert_element_type', convertElementType]])
/** Libraries whose operators are the ones defined in src/ops/_C. */
const VLLM_LIKE = new Set(['_C', 'vllm', 'sgl_kernel'])
/** PyTorch's own namespaces: an equal name there means something else. */
const TORCH = new Set(['aten', 'prims', 'higher_order', 'operator', 'inductor', '_c10d_functional', 'c10d'])

export interface Found {
  kernel: Kernel
  /** Set when the kernel was chosen by the operator's name alone. */
  note: string | null
}

/** @param target qualified name: `_C.silu_and_mul.default` */
export function findKernel(target: string): Found | null {
  const [ns, name, overload] = target.split('.')
  if (!ns || !name || (overload !== undefined && overload !== 'default')) return null
  if (ns === 'prims') return PRIMS.has(name) ? { kernel: PRIMS.get(name)!, note: null } : null
  const kernel = TORCH.has(ns) ? undefined : BY_NAME.get(name)
  if (!kernel) return null
  return {
    kernel,
    note: VLLM_LIKE.has(ns) ? null : `${target} runs by the definition of _C.${name}, which has the same name`,
  }
}
