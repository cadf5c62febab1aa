/** `match --json`, in the shape of the recordings' `expected`: a view of a report, with the full attempts and graphs of its run. */
import { printGraph, type SourceRef } from '../../fx'
import type { PassRun } from '../pipeline/apply_pass'
import { nameOf } from '../pipeline/plan'
import type { PipelineRun } from '../pipeline/run'
import type { StageRun } from '../pipeline/context'
import { stagesOf } from '../pipeline/pipeline_report'
import { keptFrom } from '../pipeline/condition_text'
import type { PipelineStage, StageCondition, StageEdit, StageOff } from '../pipeline/types'
import type { Attempt, PassReport, Report, Violation } from '../protocol'
import type { PrintedFacts } from '../report/run_facts'
import { countPlaces, unshapedPlaces } from '../shapes/unshaped'

export type CaseAttempt = Pick<Attempt, 'entry' | 'phase' | 'node' | 'ok' | 'reason' | 'nodes' | 'pattern'>

export interface CasePass {
  pass: string
  /** Number of replaced matches. For code on the graph: number of matches that replace_pattern replaced, null for a loop. */
  count?: number | null
  apply_error?: string
  entries: { pattern: string | null; keys: readonly string[] }[]
  attempts: CaseAttempt[]
  /** Number of places where all nodes align but the graph lacks the deciding shapes; not part of `count`. */
  unshaped: number
  /** Violated invariants; absent if none. */
  violations?: Violation[]
  /** For code on the graph: its edits, each with the line that made it. */
  edits?: StageEdit[]
  /** Number of further edits. */
  edits_left_out?: number
  graph_after: string
}

export interface CaseStage {
  stage: string
  /** Position among the stages that ran, from 1; null if it did not run. */
  at: number | null
  /** The reason why it did not run. */
  off: StageOff['why'] | null
  /** Index into `passes`; null for a stage that did not run, and for one of Inductor's own. */
  pass: number | null
  /** Number of replaced matches, or of nodes that a built-in pass replaced or removed; null if unknown. */
  count: number | null
  apply_error: string | null
  notes: string[]
  /** Violated invariants of a stage that is not a pattern pass, or of user code around a pass. */
  broken: string[]
  /** The condition that kept code on the graph from an edit; absent if none did. */
  conditions?: StageCondition[]
  /** The missing part of a class that did not run, such as a base class. */
  note?: string
  /** The definition of the code on the graph. */
  place?: SourceRef
}

export interface CaseOutput extends PrintedFacts, Pick<Report, 'torch' | 'files' | 'off'> {
  id: string
  register_error: string | null
  /** Advice for the exception in `register_error`; absent if unknown. */
  advice?: string
  passes: CasePass[]
  /** Every stage of the pipeline, as `fusescope passes --json` lists them. */
  stages: CaseStage[]
  graph_after_dce: string | null
  /** The definitions in the files, if they have no stage: `def f(x, y) at a.py:3`. */
  defines?: string[]
  /**
   * `apply_ms`: applying all stages, without printing and dead-code elimination. `check_ms`: checking the invariants.
   */
  stats: { parse_ms: number; python_ms: number; apply_ms: number; check_ms: number }
}

/** The stages that ran and that user code defines, in order: patterns, and code on the graph. */
export const casePasses = ({ stages, passes }: PipelineRun): CasePass[] =>
  stages.flatMap((run) => {
    if (run.pass !== null) return [casePass(passes[run.pass]!)]
    return 'builtIn' in run.stage ? [] : [caseCall(run, passes)]
  })

function caseCall({ stage, did, after, searches = [] }: StageRun, passes: readonly PassRun[]): CasePass {
  const { count, error, edits, editsLeftOut } = did!
  const searched = searches.flatMap((i) => passes[i]!.toExplain.entries)
  return {
    pass: nameOf(stage),
    entries: searched.map(({ registration, keys }) => ({ pattern: registration.title, keys })),
    ...(error === null ? { count } : { apply_error: error }),
    attempts: [],
    unshaped: 0,
    edits: edits ?? [],
    ...(editsLeftOut !== undefined && { edits_left_out: editsLeftOut }),
    graph_after: printGraph(after),
  }
}

export function casePass(run: PassRun): CasePass {
  const { toExplain, count, violations, after } = run
  const { name, entries, attempts, applyError } = toExplain
  return {
    pass: name,
    entries: entries.map((e) => ({ pattern: e.printable ? e.text : null, keys: e.keys })),
    ...(applyError === null ? { count } : { apply_error: applyError }),
    attempts: attempts.map(({ entry, phase, node, ok, reason, nodes, pattern }) => ({
      entry,
      phase,
      node,
      ok,
      reason,
      nodes,
      ...(pattern === undefined ? {} : { pattern }),
    })),
    unshaped: countPlaces(unshapedPlaces(run, new Map())),
    ...(violations.length > 0 && { violations }),
    graph_after: printGraph(after),
  }
}

/** The stages of a run and the passes that they refer to, for `caseStages`. */
export function ranStages(pipeline: PipelineRun): Staged {
  const { acting, inactive } = stagesOf(pipeline)
  const passes = pipeline.passes.map(({ count, toExplain: { applyError } }) => ({ count, applyError }))
  return { stages: [...acting, ...inactive], passes }
}

/** Fields of both a run and its report. */
interface Staged {
  stages: readonly PipelineStage[]
  passes: readonly Pick<PassReport, 'count' | 'applyError'>[]
}

/** A report's stages without dead-code elimination; built-in passes that did not run only if listed. */
export function caseStages({ stages, passes }: Staged, listed: readonly string[] = []): CaseStage[] {
  const shown = stages.filter(
    ({ kind, at, name }) => kind !== 'dead-code' && (kind !== 'built-in' || at !== null || listed.includes(name)),
  )
  let ofUser = 0
  return shown.map(({ kind, name, at, off, pass, did, note, place }): CaseStage => {
    const applied = pass === null ? null : passes[pass]!
    const kept = keptFrom({ did })
    return {
      stage: name,
      at,
      // A pass without patterns still runs, and replaces nothing.
      off: at === null ? off!.why : null,
      pass: at === null || kind === 'built-in' ? null : ofUser++,
      count: applied?.count ?? did?.count ?? null,
      apply_error: applied?.applyError ?? did?.error ?? null,
      notes: did?.notes ?? [],
      broken: did?.broken ?? [],
      ...(kept.length > 0 && { conditions: kept }),
      ...(at === null && note !== undefined && { note }),
      ...(at === null && place && { place }),
    }
  })
}
