/** Outcomes of the user files in a report: files that failed or register late, and their text. */
import type { FileOutcome, PythonFailure, PythonRun } from '../../python/types'
import { count } from '../../base/english'

/** The outcomes, if one says more than that its file ran. */
export function notableFiles({ files }: Pick<PythonRun, 'files'>): FileOutcome[] | undefined {
  return files.some((f) => f.failure || f.stoppedBy !== null || f.uncalled.length > 0) ? files : undefined
}

/** The exceptions of files that stopped only themselves and what imports them. */
export const fileFailures = (files: readonly FileOutcome[] | undefined): PythonFailure[] =>
  (files ?? []).flatMap((f) => f.failure ?? [])

/** `2 patterns`, `stopped by a.py`, or `ValueError at line 3: no`. */
export function outcomeText({ registered, failure, stoppedBy }: FileOutcome): string {
  const line = failure?.frames.at(-1)?.line
  if (failure) return `${failure.type}${line === undefined ? '' : ` at line ${line}`}: ${failure.message}`
  return stoppedBy === null ? count(registered, 'pattern') : `not reached: imports ${stoppedBy}, which failed`
}

/** A file that calls the functions that register patterns and that the files themselves do not call. */
export function callsOf(calls: readonly { module: string; name: string }[]): string {
  const modules = [...new Set(calls.map((c) => c.module))]
  const lines = modules.map((m) => `import ${m}`)
  return `# Registration functions that the project calls elsewhere.\n${[...lines, ...calls.map((c) => `${c.module}.${c.name}()`)].join('\n')}\n`
}

/** The name of that file in a workspace. */
export const CALLS_FILE = 'registration_calls.py'
