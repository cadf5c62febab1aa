/** `--call`: registration functions that a project calls outside its pass files. */
import type { FileOutcome } from '../engine/protocol'
import { uncalledIn } from '../engine/report/file_outcomes'
import { withCalls } from '../workspace'
import type { TextFile } from '../workspace/types'

/** The value of `--call` for every function that a run finds uncalled. */
export const ALL_CALLS = 'all'

/**
 * The files with one that makes the calls.
 * @param outcomes runs files; asked only if all uncalled functions are wanted
 */
export function filesWithCalls(
  files: readonly TextFile[],
  calls: readonly string[],
  outcomes: (files: readonly TextFile[]) => readonly FileOutcome[] | undefined,
): TextFile[] {
  const named = withCalls(
    files,
    calls.filter((c) => c !== ALL_CALLS),
  )
  return calls.includes(ALL_CALLS) ? withCalls(named, uncalledIn(outcomes(named))) : named
}
