/**
 * Problems of the workspace's texts: the engine reports those of the graph and the Python, the GPU those of kernels.
 */
import { useMemo } from 'react'
import type { Problem, PythonTest } from '../../../engine/protocol'
import { failedAt, testFailed } from '../../../engine/cases/unit_tests'
import { useGpu } from '../run/store'
import { useRun } from '../../session/run_store'

export function useProblems(): Problem[] {
  const problems = useRun((s) => s.problems)
  const kernels = useGpu((s) => s.kernelProblems)
  const tests = useRun((s) => s.report?.tests)
  return useMemo(
    () => [...problems, ...kernels, ...(tests ?? []).filter(testFailed).map(problemOf)],
    [problems, kernels, tests],
  )
}

/** A failed test, at its line. */
function problemOf(test: PythonTest): Problem {
  const { file, line } = failedAt(test)
  return { file, line, column: 1, message: `${test.name}: ${test.message ?? 'failed'}` }
}
