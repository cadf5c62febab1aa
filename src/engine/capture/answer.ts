/** PyTorch's answer to edited files: what a process recorded while it applied their passes to a copy of the graph. */
import type { PassRun } from '../pipeline/apply_pass'
import { readCapture } from './read'
import { captureReport, verdictsOnEdited } from './report'
import type { PyTorchAnswer } from './report_types'

/** @param passes of the same files and graph here. @returns null if the recording cannot be read */
export function answerOf(recording: string, passes: readonly PassRun[]): PyTorchAnswer | null {
  const read = readCapture(recording, 'live')
  const run = read.ok ? read.value.applications[0]?.run : undefined
  if (!read.ok || run === undefined) return null
  const verdicts = verdictsOnEdited(read.value, run, passes)
  return { capture: { ...captureReport(read.value, run, verdicts, { edited: true }), now: true }, verdicts }
}
