/** Checks the user's kernels while they are edited: first their headers, then with the compiler. */
import type { Problem } from '../../fx'
import type { KernelFile } from './kernel_header'
import { openGpu } from '../device/open_gpu'
import { draftOf, ownKernels } from './user_kernel'

/** Without WebGPU, only the headers are checked. */
export async function checkKernels(files: readonly KernelFile[]): Promise<Problem[]> {
  const { problems } = ownKernels(files)
  const { gpu } = await openGpu()
  if (!gpu) return problems
  for (const file of files) {
    const draft = draftOf(file)
    if (draft !== null) problems.push(...(await gpu.problems(file.name, draft, file.text.split('\n').length)))
  }
  return problems
}
