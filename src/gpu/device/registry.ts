/** Finds the kernel that runs a target. */
import type { Kernel } from '../../ops/kernel'
import { KERNELS } from '../../ops/tables/kernels'

/** Namespaces in which other projects define one of our operators. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  _C: ['_C', 'vllm', 'sgl_kernel'],
  npu: ['npu', '_C_ascend'],
  vllm: ['vllm', '_C'],
  sglang: ['sglang', 'sgl', 'sgl_kernel', '_moe_C'],
}

/** PyTorch's own namespaces: there an equal name means something else. */
const TORCH = new Set(['aten', 'prims', 'higher_order', 'operator', 'inductor', '_c10d_functional', 'c10d'])

/** `aten` and `prims` share names: `add`, `div.Tensor_mode`. */
const ofTorch = new Map<string, Kernel>()
const ofCollectives = new Map<string, Kernel>()
const ofLibraries = new Map<string, { kernel: Kernel; home: string }>()
for (const [target, kernel] of KERNELS.flatMap(Object.entries<Kernel>)) {
  const dot = target.indexOf('.')
  const [ns, name] = [target.slice(0, dot), target.slice(dot + 1)]
  if (ns === 'aten' || ns === 'prims') ofTorch.set(name, kernel)
  else if (ns === '_c10d_functional') ofCollectives.set(name, kernel)
  else ofLibraries.set(name, { kernel, home: ns })
}

/**
 * The kernel of `add`, and the overload `Tensor`. `out` variants have no kernel, and random numbers cannot be compared.
 */
function torchKernel(name: string, overload = 'default'): Kernel | undefined {
  if (/(?:^|_)out$/.test(overload)) return undefined
  return ofTorch.get(`${name}.${overload}`) ?? ofTorch.get(name)
}

export interface Found {
  kernel: Kernel
  /** Set if the kernel was chosen by the operator's name alone. */
  note: string | null
  /** The kernel belongs to another library's operator with the same name and possibly different parameters. */
  byName?: boolean
}

/** The user's kernels, by qualified name without overload; they take precedence over all others. */
let own: ReadonlyMap<string, { kernel: Kernel; file: string; defined: boolean }> = new Map()

/** Sets the user's kernels for `findKernel`. Only one run is active at a time, and each sets its own. */
export function setOwnKernels(kernels: ReadonlyMap<string, { kernel: Kernel; file: string; defined: boolean }>): void {
  own = kernels
}

/** The file and operator of a user's kernel; null for any other. */
export function ownerOf(kernel: Kernel): { op: string; file: string; defined: boolean } | null {
  for (const [op, mine] of own) if (mine.kernel === kernel) return { op, file: mine.file, defined: mine.defined }
  return null
}

/** @param target qualified name: `_C.silu_and_mul.default` */
export function findKernel(target: string): Found | null {
  const op = target.split('.').slice(0, 2).join('.')
  const mine = own.get(op)
  return mine ? { kernel: mine.kernel, note: `${op} runs with the kernel in ${mine.file}` } : builtInKernel(target)
}

/** True if the operator itself has a kernel: the user's, or one that was not chosen by name alone. */
export function hasOwnKernel(target: string): boolean {
  return own.has(target.split('.').slice(0, 2).join('.')) || builtInKernel(target)?.note === null
}

/** Like findKernel, without the user's kernels. */
export function builtInKernel(target: string): Found | null {
  const [ns, name, overload] = target.split('.')
  if (!ns || !name) return null
  if (ns === 'aten' || ns === 'prims') {
    const kernel = torchKernel(name, overload)
    return kernel ? { kernel, note: null } : null
  }
  if (overload !== undefined && overload !== 'default') return null
  if (ns === '_c10d_functional') {
    const kernel = ofCollectives.get(name)
    return kernel ? { kernel, note: null } : null
  }
  const known = TORCH.has(ns) ? undefined : ofLibraries.get(name)
  if (!known) return null
  if (SAME[known.home]!.includes(ns)) return { kernel: known.kernel, note: null }
  const note = `${target} runs with the definition of ${known.home}.${name}, which has the same name`
  return { kernel: known.kernel, note, byName: true }
}
