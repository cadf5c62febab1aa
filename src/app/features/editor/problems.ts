/**
 * Problems of the workspace's texts: the engine reports those of the graph and the Python, the GPU those of kernels.
 */
import { useMemo } from 'react'
import type { PythonTest } from '../../../engine/protocol'
import { failedAt, testFailed } from '../../../engine/cases/unit_tests'
import { fileFailures } from '../../../engine/report/file_outcomes'
import { useGpu } from '../run/store'
import { problemsOf, useRun } from '../../session/run_store'
import { problemOfFailure, type EditorProblem } from './editor_marks'

export function useProblems(): EditorProblem[] {
  const problems = useRun(problemsOf)
  const kernels = useGpu((s) => s.kernelProblems)
  const tests = useRun((s) => s.result.value?.tests)
  const files = useRun((s) => s.result.value?.files)
  return useMemo(
    () => [
      ...problems,
      ...kernels,
      ...fileFailures(files).flatMap((f) => problemOfFailure(f) ?? []),
      ...(tests ?? []).filter(testFailed).map(problemOf),
    ],
    [problems, kernels, tests, files],
  )
}

/** A failed test, at its line. */
function problemOf(test: PythonTest): EditorProblem {
  const { file, line } = failedAt(test)
  return { file, line, column: 1, message: `${test.name}: ${test.message ?? 'failed'}` }
}
