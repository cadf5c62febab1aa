/**
 * Problems of the workspace's texts: the engine reports those of the graph and the Python, the GPU those of kernels.
 */
import { useMemo } from 'react'
import type { Problem, PythonFailure, PythonTest } from '../../../engine/protocol'
import { failedAt, testFailed } from '../../../engine/cases/unit_tests'
import { fileFailures } from '../../../engine/report/file_outcomes'
import { useGpu } from '../run/store'
import { useRun } from '../../session/run_store'

export function useProblems(): Problem[] {
  const problems = useRun((s) => s.problems)
  const kernels = useGpu((s) => s.kernelProblems)
  const tests = useRun((s) => s.report?.tests)
  const files = useRun((s) => s.report?.files)
  return useMemo(
    () => [
      ...problems,
      ...kernels,
      ...fileFailures(files).flatMap(fileProblem),
      ...(tests ?? []).filter(testFailed).map(problemOf),
    ],
    [problems, kernels, tests, files],
  )
}

/** The exception of a file that stopped only itself and its importers, at its innermost line. */
function fileProblem({ type, message, frames }: PythonFailure): Problem[] {
  const frame = frames.at(-1)
  return frame ? [{ file: frame.file, line: frame.line, column: 1, message: `${type}: ${message}` }] : []
}

/** A failed test, at its line. */
function problemOf(test: PythonTest): Problem {
  const { file, line } = failedAt(test)
  return { file, line, column: 1, message: `${test.name}: ${test.message ?? 'failed'}` }
}
