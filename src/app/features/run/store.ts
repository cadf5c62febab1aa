/** State of GPU runs: subject, progress, results. */
import { NONE, type Section } from '../../session/section'
import { createSessionStore } from '../../session/session_store'
import type { EntryReport, Problem, Report } from '../../../engine/protocol'
import { passNamed } from '../../../engine/queries/report_index'
import type { Distribution, RunProgress, RunReport, Verdict } from '../../../gpu/types'
import type { CarriedRun } from '../../../workspace/carried'
import type { SweepPoint } from './run_sweep'

/**
 * The subject of a run: a match of the graph, a registration with input sizes that the user chooses, or the whole graph
 * before and after.
 */
export type Subject =
  | { kind: 'match'; pass: string; match: number }
  | { kind: 'variant'; pass: string; entry: number }
  | { kind: 'graph' }

export const subjectKey = (s: Subject): string =>
  s.kind === 'graph' ? 'graph' : `${s.kind}\u0000${s.pass}\u0000${s.kind === 'match' ? s.match : s.entry}`

/** The registration that a subject runs; undefined for the whole graph. */
export function entryOf(report: Report, s: Subject): EntryReport | undefined {
  if (s.kind === 'graph') return undefined
  const pass = passNamed(report, s.pass)
  return pass?.entries[s.kind === 'variant' ? s.entry : (pass.matches[s.match]?.entry ?? 0)]
}

export interface LeafVerdict {
  kind: Verdict['kind']
  headline: Verdict['headline']
  parts: Verdict['parts']
  sentence: string
  causes: Verdict['causes']
  /** Share of differing elements; the largest of all outputs. */
  share: number
}

export interface Sweep {
  of: string
  title: string
  device: string | null
  points: SweepPoint[]
}

export const useGpu = createSessionStore(
  () => ({
    /** The kind of subject that is chosen in the panel. */
    what: 'match' as Subject['kind'],
    running: null as 'one' | 'variants' | 'sweep' | null,
    progress: null as RunProgress | null,
    report: NONE as Section<RunReport>,
    /** The subject of the report or of the failure. */
    of: null as Subject | null,
    failure: null as string | null,
    /** The user canceled the last run. */
    cancelled: false,
    tokens: null as number | null,
    distribution: 'normal' as Distribution,
    seed: 1,
    /** Entered shapes, by subject key and argument; absent: the default. */
    shapes: {} as Readonly<Record<string, Readonly<Record<string, string>>>>,
    /** Verdicts by entryKey. */
    verdicts: NONE as Section<Readonly<Record<string, LeafVerdict>>>,
    sweep: NONE as Section<Sweep>,
    /** The result of a link's sender, until something has run here. */
    sent: null as CarriedRun | null,
    /** Problems of the workspace's `.wgsl` files. */
    kernelProblems: [] as Problem[],
  }),
  // Options outlive the workspace; results do not.
  ({ what, tokens, distribution, seed }) => ({ what, tokens, distribution, seed }),
)
