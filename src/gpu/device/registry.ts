/** Which kernel runs a target. */
import { C_KERNELS } from '../../ops/_C'
import type { Kernel } from '../../ops/kernel'
import { NPU_KERNELS } from '../../ops/npu'
import { torchKernel } from '../../ops/aten/kernels'
import { SGLANG_KERNELS } from '../../ops/sglang'
import { COLLECTIVES, VLLM_KERNELS } from '../../ops/vllm'

/** Kernels of a project, with the libraries that hold them under their own name. */
const LIBRARIES: { kernels: readonly Kernel[]; home: string; same: readonly string[] }[] = [
  { kernels: C_KERNELS, home: '_C', same: ['_C', 'vllm', 'sgl_kernel'] },
  { kernels: NPU_KERNELS, home: 'npu', same: ['npu', '_C_ascend'] },
  { kernels: VLLM_KERNELS, home: 'vllm', same: ['vllm', '_C'] },
  { kernels: SGLANG_KERNELS, home: 'sglang', same: ['sglang', 'sgl', 'sgl_kernel', '_moe_C'] },
]
const BY_NAME = new Map(LIBRARIES.flatMap((l) => l.kernels.map((kernel) => [kernel.name, { ...l, kernel }] as const)))
/** PyTorch's own namespaces: an equal name there means something else. */
const TORCH = new Set(['aten', 'prims', 'higher_order', 'operator', 'inductor', '_c10d_functional', 'c10d'])

export interface Found {
  kernel: Kernel
  /** Set when the kernel was chosen by the operator's name alone. */
  note: string | null
}

/** Kernels of the person's own, by qualified name without overload; they come before all others. */
let own: ReadonlyMap<string, { kernel: Kernel; file: string; defined: boolean }> = new Map()

/** What `findKernel` answers from now on. One run goes on at a time, and each begins with its own. */
export function setOwnKernels(kernels: ReadonlyMap<string, { kernel: Kernel; file: string; defined: boolean }>): void {
  own = kernels
}

/** The file and the operator of a kernel of the person's own; null for any other. */
export function ownerOf(kernel: Kernel): { op: string; file: string; defined: boolean } | null {
  for (const [op, mine] of own) if (mine.kernel === kernel) return { op, file: mine.file, defined: mine.defined }
  return null
}

/** @param target qualified name: `_C.silu_and_mul.default` */
export function findKernel(target: string): Found | null {
  const op = target.split('.').slice(0, 2).join('.')
  const mine = own.get(op)
  return mine ? { kernel: mine.kernel, note: `${op} runs by the kernel in ${mine.file}` } : builtInKernel(target)
}

/** As findKernel, without the person's own. */
export function builtInKernel(target: string): Found | null {
  const [ns, name, overload] = target.split('.')
  if (!ns || !name) return null
  if (ns === 'aten' || ns === 'prims') {
    const kernel = torchKernel(name, overload)
    return kernel ? { kernel, note: null } : null
  }
  if (overload !== undefined && overload !== 'default') return null
  if (ns === '_c10d_functional') {
    const kernel = COLLECTIVES.find((k) => k.name === name)
    return kernel ? { kernel, note: null } : null
  }
  const known = TORCH.has(ns) ? undefined : BY_NAME.get(name)
  if (!known) return null
  return {
    kernel: known.kernel,
    note: known.same.includes(ns)
      ? null
      : `${target} runs by the definition of ${known.home}.${name}, which has the same name`,
  }
}
