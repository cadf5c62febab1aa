/** The outcome of a case, in the shape of the recordings' `expected`: a pipeline run printed as data. */
import { printGraph } from '../../fx'
import type { FileOutcome } from '../../python/types'
import type { PassRun } from '../pipeline/apply_pass'
import { nameOf } from '../pipeline/plan'
import type { PipelineRun } from '../pipeline/run'
import type { StageOff } from '../pipeline/types'
import type { Violation } from '../protocol'
import type { PrintedDecision } from '../report/stub_decisions'
import { countPlaces, unshapedPlaces } from '../shapes/unshaped'
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
  count?: number
  apply_error?: string
  entries: { pattern: string | null; keys: readonly string[] }[]
  attempts: CaseAttempt[]
  /** Places where all nodes align and the graph lacks the shapes that decide; not part of `count`. */
  unshaped: number
  /** Violated invariants; absent if none. */
  violations?: Violation[]
  graph_after: string
}

export interface CaseStage {
  stage: string
  /** Position among the stages that ran, from 1; null if it did not run. */
  at: number | null
  /** The reason why it did not run. */
  off: StageOff['why'] | null
  /** Index into `passes`; null for a stage that is not a pattern pass. */
  pass: number | null
  /** Number of replaced matches, or of nodes that a built-in pass replaced or removed; null if unknown. */
  count: number | null
  apply_error: string | null
  notes: string[]
  /** Violated invariants of a stage that is not a pattern pass, or of user code around a pass. */
  broken: string[]
}

export interface CaseOutput {
  id: string
  register_error: string | null
  passes: CasePass[]
  /** Every stage of the pipeline, as `fusescope passes --json` lists them. */
  stages: CaseStage[]
  graph_after_dce: string | null
  /** What became of each Python file; absent if all ran and nothing registers late. */
  files?: FileOutcome[]
  /** Answers of stubs that decided a branch, a check or a registration; absent if none. */
  stubs?: PrintedDecision[]
  /** Versions of cataloged operators in use, where several are known; absent if none. */
  schemas?: SchemaChoice[]
  /**
   * `apply_ms`: applying all stages, without printing and dead-code elimination. `check_ms`: checking the invariants.
   */
  stats: { parse_ms: number; python_ms: number; apply_ms: number; check_ms: number }
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
  const acting = stages.map(({ stage, pass, did }, i): CaseStage => {
    const applied = pass === null ? null : passes[pass]!
    return {
      stage: nameOf(stage),
      at: i + 1,
      off: null,
      pass,
      count: applied?.count ?? did?.count ?? null,
      apply_error: applied?.toExplain.applyError ?? did?.error ?? null,
      notes: did?.notes ?? [],
      broken: did?.broken ?? [],
    }
  })
  const inactive = plan.inactive
    .filter(({ name, stage }) => listed.includes(name) || !(stage && 'builtIn' in stage))
    .map(({ name, why }): CaseStage => {
      const nothing = { pass: null, count: null, apply_error: null, notes: [], broken: [] }
      return { stage: name, at: null, off: why, ...nothing }
    })
  return [...acting, ...inactive]
}
