/** The verdict on the open workspace, derived from its run: the state, the cause in one line and the next actions. */
import { count } from '../../base/english'
import { capitalized, message, withoutNotes, type Message } from '../../base/message'
import type { Cause, PythonFailure, Report } from '../../engine/protocol'
import { conditionMessage, keptFrom } from '../../engine/pipeline/condition_text'
import type { PipelineStage } from '../../engine/pipeline/types'
import { failureText, fileFailures } from '../../engine/report/file_outcomes'
import { leadingGroup, leads, raisedText, sharedCause } from '../../engine/report/causes/headline'
import { hasPatternPass, replacedIn } from '../../engine/report/replaced'
import { headline, whyNot } from '../../engine/queries/why_not'
import { placesOf } from '../../engine/queries/why_not_places'
import { isExplaining, ownStages } from '../../engine/queries/report_index'
import { definesNothing, explanations, nothingRuns, totalEdits, unshapedPlaces } from '../../engine/queries/report_text'
import { isHeld, problemsOf, type RunState } from '../session/run_store'
import { isStale } from '../session/section'

export type VerdictState = 'matches' | 'misses' | 'would' | 'stale' | 'error' | 'off' | 'none'

/** What to do next; each is one command. */
export type NextStep = 'why' | 'after' | 'fusions' | 'pipeline' | 'graph' | 'traceback' | 'again'

export interface Verdict {
  state: VerdictState
  /** The state as a word; empty if the count says it. */
  word: string
  cause: Message
  next: readonly NextStep[]
  /** The exception to fix. */
  python?: PythonFailure
  /** The line to fix. */
  place?: { file: string; line: number }
  /** Code on the graph that is off: the next action runs it. */
  stage?: PipelineStage
}

export interface VerdictFacts {
  run: RunState
  /** The workspace's version. */
  version: number
  /** The run has lasted long enough to be shown. */
  running: boolean
  /** Causes wait for the first attempt at an exercise. */
  held: boolean
}

export function verdictOf(facts: VerdictFacts): Verdict {
  const { run, version, running } = facts
  const failed = failureOf(facts)
  if (failed) return failed
  const progress = running ? [run.running?.progress?.text ?? 'Running'] : []
  if (isHeld(run) || run.result.sent)
    return { state: 'off', word: 'not run here', cause: running ? progress : [seenBy(run)], next: ['why'] }
  if (!run.result.value) return { state: 'none', word: '', cause: progress, next: [] }
  if (isStale(run.result, version)) return { state: 'stale', word: 'older text', cause: progress, next: [] }
  return withFailedFiles(resultOf(run.result.value, facts.held), run.result.value)
}

const seenBy = ({ result: { sent } }: RunState): string =>
  sent?.recorded ? `As PyTorch ${sent.recorded} recorded it.` : 'As its sender saw it.'

/** Files that failed, beside matches or close causes of other files, become a note: the verdict stays about those results. */
function withFailedFiles(verdict: Verdict, { files }: Report): Verdict {
  const [first, ...more] = fileFailures(files)
  if (!first) return verdict
  const note = `${raisedText(more.length + 1)}.`
  return {
    ...verdict,
    cause: message`${verdict.cause}${verdict.cause.length > 0 ? ' ' : ''}${note}`,
    next: [...verdict.next, 'traceback'],
    place: first.frames.at(-1),
  }
}

/**
 * Errors of an older text are hidden once the next run has lasted a while; errors of the graph are known before the run
 * starts.
 */
function failureOf({ run, version, running }: VerdictFacts): Verdict | null {
  const { python: raised, early, failure } = run.outcome.value
  const problems = problemsOf(run)
  const report = run.result.value
  const partial = raised || (report && saysMore(report)) ? undefined : fileFailures(report?.files)[0]
  const python = running ? null : (raised ?? partial ?? null)
  const error = { state: 'error', word: 'Error' } as const
  if (python) {
    const causes = raised ? (early ?? report?.causes) : undefined
    const rest = python === partial ? `${/[.!?]$/.test(python.message) ? '' : '.'} The other files ran.` : ''
    const next: NextStep[] = causes?.length ? ['why', 'traceback'] : ['traceback']
    return { ...error, python, cause: [fitted(python, causes) + rest], next, place: python.frames.at(-1) }
  }
  if (failure !== null && !running) return { ...error, cause: [failure], next: ['again'] }
  const first = running && run.graphRead.version !== version ? undefined : problems[0]
  if (!first) return null
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : ''
  return { ...error, cause: [first.message + more], next: [], place: first }
}

/** True if matches or near misses are more informative than one file's exception. */
const saysMore = (report: Report): boolean =>
  replacedIn(report) > 0 ||
  (isExplaining(report) ? report.passes.some((p) => p.nearMisses.length > 0) : leads(leadingGroup(report)))

/** Number of characters in the cause's three lines. */
const FITS = 180
/** Maximum number of characters of an exception beside its advice. */
const LEAST = 40

/** The exception with its advice, which matters most: a long exception is cut after its beginning. */
function fitted(failure: PythonFailure, causes: readonly Cause[] | undefined): string {
  const text = failureText(failure, causes)
  const { advice = '' } = failure
  if (advice === '' || text.length <= FITS || !text.endsWith(advice)) return text
  return `${text.slice(0, Math.max(LEAST, FITS - advice.length)).trimEnd()}… ${advice}`
}

/** The verdict on a report of the current text. */
function resultOf(report: Report, held: boolean): Verdict {
  const matched = replacedIn(report) > 0 || (!hasPatternPass(report) && totalEdits(report) > 0)
  const state = matched ? 'matches' : unshapedPlaces(report) > 0 ? 'would' : 'misses'
  const verdict = { state, word: '' } as const
  // Nothing is wrong yet; something is still missing.
  if (report.graph.nodes.length === 0)
    return { state: 'none', word: '', cause: ['There is no graph to match.'], next: ['graph'] }
  if (report.passes.length === 0) return withoutPatterns(report)
  if (held) return { ...verdict, cause: ['The causes appear after your first attempt.'], next: [] }
  if (isExplaining(report)) return { ...verdict, cause: matched ? [] : ['Searching for causes…'], next: [] }
  const broken = report.passes.reduce((n, p) => n + (p.violations?.length ?? 0), 0)
  if (broken > 0)
    return { ...verdict, state: 'misses', cause: [`The rewrite has ${count(broken, 'violation')}.`], next: ['why'] }
  const fault = faultOf(ownStages(report).filter((s) => s.kind === 'call'))
  if (fault) return { ...fault, next: ['pipeline'] }
  const missed = !matched || whyNot(report).near.length > 0
  return { ...verdict, cause: capitalized(withoutNotes(causeOf(report, matched))), next: missed ? ['why'] : ['after'] }
}

/** The verdict on code on the graph alone, or on files without a pass. */
function withoutPatterns(report: Report): Verdict {
  const stages = ownStages(report)
  const nothing = nothingRuns(report)
  const next: NextStep[] = [stages.length > 0 ? 'pipeline' : 'fusions']
  const stage = stages.find((s) => s.off?.why === 'proposed')
  if (nothing !== null)
    return {
      state: definesNothing(report) ? 'none' : 'misses',
      word: '',
      cause: [nothing],
      next,
      ...(stage && { stage }),
    }
  const fault = faultOf(stages)
  if (fault) return { ...fault, next }
  const ran = stages.filter((s) => s.at !== null)
  const changes = ran.map((s) => `${s.name}: +${s.added} −${s.removed} nodes`).join(', ')
  const edited = totalEdits(report) > 0
  const [kept] = edited ? [] : ran.flatMap(keptFrom)
  if (kept) return { state: 'misses', word: '', cause: conditionMessage(kept), next: ['why', ...next] }
  return {
    state: edited ? 'matches' : 'misses',
    word: '',
    cause: [`${changes}.`],
    next: edited ? ['pipeline', 'after'] : next,
  }
}

/** What code on the graph raised or broke. */
function faultOf(stages: readonly PipelineStage[]): Pick<Verdict, 'state' | 'word' | 'cause'> | null {
  const ran = stages.filter((s) => s.at !== null)
  const failed = ran.find((s) => s.did?.error)
  if (failed) return { state: 'error', word: 'Error', cause: [`${failed.name} raised ${failed.did!.error!}`] }
  const broken = ran.flatMap((s) => s.did?.broken ?? [])
  return broken.length > 0 ? { state: 'misses', word: '', cause: [`Violation: ${broken[0]!}`] } : null
}

function causeOf(report: Report, matched: boolean): Message {
  const why = whyNot(report)
  const lead = why.near[0]?.lead.miss
  const said = headline(report, why)
  if (matched) {
    if (!lead) return [`${said.title} ${said.detail}`]
    const places = placesOf(report, lead).length
    return message`${count(places, 'near miss', 'near misses')}: ${lead.causes[0]!.parts}`
  }
  if (unshapedPlaces(report) > 0) return [said.detail]
  const group = why.general.length === 0 && lead ? leadingGroup(report) : undefined
  if (group) return sharedCause(group)
  const cause = why.general[0]?.cause ?? (lead ? lead.causes[0] : why.apart[0]?.cause)
  return cause?.parts ?? explanations(report)[0] ?? []
}
