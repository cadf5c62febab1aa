/** Compares the verdict of PyTorch in a process with Fusescope's: in one line, and where they differ. */
import { count } from '../../../base/english'
import type { Report } from '../../../engine/protocol'
import { ownStages } from '../../../engine/queries/report_index'
import { countsByPass } from '../../../engine/pipeline/pass_counts'
import { fileFailures } from '../../../engine/report/file_outcomes'
import { type RunState } from '../../session/run_store'
import { isOf } from '../../session/section'
import type { ProcessState, ProcessVerdict } from './process'

/** Fusescope's side of the comparison. `raises`: a file or a pass raised an exception. */
export interface OurVerdict extends Pick<Report, 'passes'> {
  raises: boolean
}

/** Fusescope's verdict on a version of the workspace; null if it is not known yet. */
export function verdictOn(version: number, { result, outcome }: RunState): OurVerdict | null {
  if (outcome.value.python !== null && outcome.version === version) return { passes: [], raises: true }
  if (!isOf(result, version)) return null
  const report = result.value!
  return { passes: report.passes, raises: somethingRaises(report) }
}

const somethingRaises = (report: Report): boolean =>
  fileFailures(report.files).length > 0 ||
  report.passes.some((p) => p.applyError !== null) ||
  ownStages(report).some((s) => s.did?.error != null)

const ourPlaces = ({ passes }: OurVerdict): string[] => passes.flatMap((p) => p.matches.map((m) => m.node)).sort()

/** True if nothing matched in the process because a file or a pass raised. */
export const raises = ({ failed, counts }: ProcessVerdict): boolean =>
  failed.length > 0 && Object.values(counts).every((n) => !n)

/** Sentences about the differences; none if the verdicts agree. */
export function differences(report: OurVerdict, verdict: ProcessVerdict): string[] {
  const raised = verdict.failed.length > 0
  if (raised !== report.raises)
    return [raised ? 'PyTorch raises, Fusescope does not' : 'Fusescope raises, PyTorch does not']
  // A pass that raises counts no matches in the process.
  if (raises(verdict)) return []
  // The process adds up all applications of one pass, too.
  const ours = countsByPass(report.passes.map((p) => [p.name, p.count]))
  const names = new Set([...Object.keys(verdict.counts), ...ours.keys()])
  const found = [...names].flatMap((name) => {
    const [theirs, own] = [verdict.counts[name] ?? null, ours.get(name) ?? 0]
    if (theirs === null) return ours.has(name) ? [`${name}: not found in the process, Fusescope ${own}`] : []
    return theirs === own ? [] : [`${name}: PyTorch ${theirs}, Fusescope ${own}`]
  })
  if (found.length > 0) return found
  const own = ourPlaces(report)
  const only = (a: readonly string[], b: readonly string[]): string => a.filter((n) => !b.includes(n)).join(', ')
  if (own.join() === verdict.places.join()) return []
  return [
    `the places differ: PyTorch ${only(verdict.places, own) || 'none more'}, Fusescope ${only(own, verdict.places) || 'none more'}`,
  ]
}

/** `PyTorch 2.14.1, pid 4711` */
export const processName = ({ torch, pid }: ProcessState): string => `PyTorch ${torch.split('+')[0]}, pid ${pid}`

/** `2 matches, 41 ms`; no count if no pass was applied. */
export function verdictText(verdict: ProcessVerdict): string {
  if (raises(verdict)) return 'Error'
  // The process applies the passes that Fusescope found.
  if (Object.keys(verdict.counts).length === 0) return 'no pass to apply'
  const sum = Object.values(verdict.counts).reduce((n: number, c) => n + (c ?? 0), 0)
  return `${count(sum, 'match', 'matches')}, ${Math.round(verdict.ms)} ms`
}

/** The comparison of values in one sentence. */
export function numbersText({ numbers, noNumbers }: ProcessVerdict): string | null {
  if (!numbers) return noNumbers ?? null
  const time = `${numbers.msBefore.toPrecision(3)} ms before, ${numbers.msAfter.toPrecision(3)} ms after, operator by operator on ${numbers.device}`
  if (numbers.differences.length === 0) return `The values of ${count(numbers.outputs, 'output')} hold; ${time}.`
  return `Values differ: ${numbers.first ?? numbers.differences[0]}; ${time}.`
}
