/** The outcome of a case, in the shape of the recordings' `expected`: a pipeline run printed as data. */
import type { TorchVersion } from '../../base/torch_version'
import { printGraph, type SourceRef } from '../../fx'
import type { FileOutcome } from '../../python/types'
import type { PassRun } from '../pipeline/apply_pass'
import { nameOf } from '../pipeline/plan'
import type { PipelineRun } from '../pipeline/run'
import type { StageRun } from '../pipeline/context'
import type { StageEdit, StageOff } from '../pipeline/types'
import type { Violation } from '../protocol'
import type { PrintedDecision } from '../report/stub_decisions'
import { countPlaces, unshapedPlaces } from '../shapes/unshaped'
import type { SwitchedOff } from '../switches/types'
import type { SchemaChoice } from '../../trace/types'

export interface CaseAttempt {
  entry: number
  phase: 'initial' | 'specific'
  node: string
  ok: boolean
  reason: string | null
  nodes: readonly string[] | null
  /** The re-traced pattern, as PatternPrettyPrinter.run writes it; specific attempts only. */
  pattern?: string | null
}

export interface CasePass {
  pass: string
  /** Number of replaced matches; for code on the graph, of places that replace_pattern replaced, null for a loop. */
  count?: number | null
  apply_error?: string
  entries: { pattern: string | null; keys: readonly string[] }[]
  attempts: CaseAttempt[]
  /** Places where all nodes align and the graph lacks the shapes that decide; not part of `count`. */
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
  /** What a class that did not run lacks; a missing base class. */
  note?: string
  /** The definition of the code on the graph. */
  place?: SourceRef
}

export interface CaseOutput {
  id: string
  /** The PyTorch that the verdicts are of; absent: the newest. */
  torch?: TorchVersion
  register_error: string | null
  /** What to write instead, for the exception of `register_error`; absent if unknown. */
  advice?: string
  passes: CasePass[]
  /** Every stage of the pipeline, as `fusescope passes --json` lists them. */
  stages: CaseStage[]
  graph_after_dce: string | null
  /** What the files define, if they have no stage: `def f(x, y) at a.py:3`. */
  defines?: string[]
  /** What became of each Python file; absent if all ran and nothing registers late. */
  files?: FileOutcome[]
  /** What the environment turned off; absent if nothing. */
  off?: SwitchedOff[]
  /** Answers of stubs that decided a branch, a check or a registration; absent if none. */
  stubs?: PrintedDecision[]
  /** Versions of cataloged operators in use, where several are known; absent if none. */
  schemas?: SchemaChoice[]
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

/** Stages that ran, then those that did not; built-in passes only if listed. */
export function caseStages({ plan, stages, passes }: PipelineRun, listed: readonly string[] = []): CaseStage[] {
  let listedPasses = 0
  const acting = stages.map(({ stage, pass, did }, i): CaseStage => {
    const applied = pass === null ? null : passes[pass]!
    const at = pass === null && 'builtIn' in stage ? null : listedPasses++
    return {
      stage: nameOf(stage),
      at: i + 1,
      off: null,
      pass: at,
      count: applied?.count ?? did?.count ?? null,
      apply_error: applied?.toExplain.applyError ?? did?.error ?? null,
      notes: did?.notes ?? [],
      broken: did?.broken ?? [],
    }
  })
  const inactive = plan.inactive
    .filter(({ name, stage }) => listed.includes(name) || !(stage && 'builtIn' in stage))
    .map(({ name, why, stage }): CaseStage => {
      const nothing = { pass: null, count: null, apply_error: null, notes: [], broken: [] }
      const { note, why: lacks, place } = stage && 'defined' in stage ? stage.defined : {}
      const said = lacks ?? note
      return { stage: name, at: null, off: why, ...nothing, ...(said && { note: said }), ...(place && { place }) }
    })
  return [...acting, ...inactive]
}
