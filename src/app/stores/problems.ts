/** What is wrong with texts of the workspace: the engine's word on graph and Python, the GPU's on kernels. */
import { useMemo } from 'react'
import type { Problem } from '../../engine/protocol'
import { useGpu } from './gpu'
import { useRun } from './run'

export function useProblems(): Problem[] {
  const problems = useRun((s) => s.problems)
  const kernels = useGpu((s) => s.kernelProblems)
  return useMemo(() => (kernels.length === 0 ? problems : [...problems, ...kernels]), [problems, kernels])
}
