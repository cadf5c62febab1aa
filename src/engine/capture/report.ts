/** Builds a report's part about the capture, and the part about a live process's answer. */
import type { Capture, CapturedApplication } from './records'
import type { PassRun } from '../pipeline/apply_pass'
import { readCapture } from './read'
import type { CaptureReport, PyTorchAnswer, PyTorchVerdict } from './report_types'
import { entriesByText, verdictOf } from './verdict'

/** @param verdicts by pass; null for a pass that the capture lacks */
export function captureReport(
  capture: Capture,
  run: number,
  verdicts: readonly (PyTorchVerdict | null)[],
  {
    edited,
    calls = [],
    problems = [],
  }: { edited: boolean; calls?: readonly string[]; problems?: readonly { message: string }[] },
): CaptureReport {
  const left = Object.entries(capture.leftOut).map(([kind, n]) => `${n.toLocaleString('en-US')} ${kind}`)
  return {
    file: capture.name,
    torch: capture.header.torch.replace(/\+.*$/, ''),
    compile: capture.applications.find((a) => a.run === run)?.compile ?? null,
    replaced: capture.applications.reduce((n, a) => n + (a.run === run ? (a.count ?? 0) : 0), 0),
    edited,
    agrees:
      problems.length === 0 && verdicts.length > 0 && verdicts.every((v) => v !== null && v.differences.length === 0),
    notes: [
      ...calls.map(
        (call) => `${call}() is called after the files, because it registered the patterns in the recorded run.`,
      ),
      ...(left.length > 0 ? [`The size limit left out ${left.join(', ')}.`] : []),
      ...capture.notes.map((n) => `The recorder failed: ${n}`),
      ...[...problems, ...capture.problems].map((p) => p.message),
    ],
  }
}

/** PyTorch's verdicts on passes that Python registered, by pass; null for one that the capture lacks. */
export function verdictsOnEdited(capture: Capture, run: number, passes: readonly PassRun[]): (PyTorchVerdict | null)[] {
  const recorded = capture.applications.filter((a) => a.run === run)
  const used = new Set<CapturedApplication>()
  return passes.map((pass, i) => {
    const index = (a: CapturedApplication) => entriesByText(capture, a, pass)
    const found =
      recorded.find((a) => !used.has(a) && index(a).size > 0) ??
      (passes.length === recorded.length ? recorded[i] : undefined)
    if (!found) return null
    used.add(found)
    return verdictOf(capture, found, pass, index(found))
  })
}

/**
 * PyTorch's answer to edited files: the recording of a process that applied their passes to a copy of the graph.
 * @param passes from the same files and graph here
 * @returns null if the recording cannot be read
 */
export function answerOf(recording: string, passes: readonly PassRun[]): PyTorchAnswer | null {
  const read = readCapture(recording, 'live')
  const run = read.ok ? read.value.applications[0]?.run : undefined
  if (!read.ok || run === undefined) return null
  const verdicts = verdictsOnEdited(read.value, run, passes)
  return { capture: { ...captureReport(read.value, run, verdicts, { edited: true }), now: true }, verdicts }
}
