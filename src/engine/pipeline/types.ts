/** The pipeline of a workspace as plain data, part of the Report. */
import type { SourceRef } from '../../fx'
import type { GraphView } from '../report/graph_view'

export interface Pipeline {
  /** In the order in which they act; what is off stands where a compilation would come to it. */
  stages: PipelineStage[]
  /** What is applied where the workspace lists nothing, in order. */
  defined: string[]
  /** SHA-256 over the stages that act and the environment, as vLLM's PostGradPassManager.uuid is made of its passes'. */
  uuid: string
}

export interface PipelineStage {
  /**
   * `pass`: patterns; `call`: an object or a function that is called with the graph; `built-in`: one of Inductor's own;
   * `dead-code`: what Fusescope does at the end, `graph.eliminate_dead_code()`.
   */
  kind: 'pass' | 'call' | 'built-in' | 'dead-code'
  /** The pass's variable; `inductor:remove_noop_ops`; `eliminate_dead_code`. */
  name: string
  /** The effect of a built-in pass, in one sentence. */
  what?: string
  /** Hook of torch._inductor.config that calls it; absent where nothing was hung there. */
  hook?: string
  /** Class of the object that holds it, and the variable of the pass manager that lists that. */
  of?: string
  manager?: string
  /** Effects of a stage that is no pattern pass; for a pattern pass, those of the user code around it. */
  did?: StageDid
  /** Position among the stages that act, from 1; null if it does not act. */
  at: number | null
  /** Index into Report.passes; null for a stage that is no pattern pass or does not act. */
  pass: number | null
  off: StageOff | null
  /** Patterns registered in it. */
  entries: number
  /** Nodes of the graph after it; null when it does not act. */
  nodes: number | null
  added: number
  removed: number
  uuid: StageUuid | null
}

/** Effects of a stage other than its pattern replacements. */
export interface StageDid {
  /** Nodes it removed or replaced; null if unknown. */
  count: number | null
  /** Its decisions, each in one sentence. */
  notes: string[]
  /** Violated invariants, one sentence each; absent if none. */
  broken?: string[]
  error: string | null
  ms: number
}

/** The reason why a stage does nothing. */
export interface StageOff {
  /**
   * `not-listed`: the workspace applies others; `not-defined`: the workspace lists it, the code has no such variable;
   * `no-patterns`: nothing is registered in it; `not-applicable`: it refuses the compile range; `other-path`: another
   * compiler's path is taken; `not-made`: its pass manager leaves it out, as configured; `not-run-here`: PyTorch's own, which
   * Fusescope only names.
   */
  why: 'not-listed' | 'not-defined' | 'no-patterns' | 'not-applicable' | 'other-path' | 'not-made' | 'not-run-here'
  /**
   * For `no-patterns`, `not-defined` and `not-made`: what the code asked in a condition before it did nothing; for
   * `not-applicable` and `other-path`: what decided.
   */
  guards: StageGuard[]
}

export interface StageGuard {
  question: string
  answer: string
  source: SourceRef | null
}

/** The compile-cache key of a pass: SHA-256 over the parts, as vLLM's InductorPass.uuid is over the source. */
export interface StageUuid {
  uuid: string
  parts: UuidPart[]
}

export interface UuidPart {
  /** `own`: the result of the pass's own uuid(). */
  kind: 'file' | 'patterns' | 'environment' | 'own'
  /** The file's name; else what it is. */
  name: string
  hash: string
}

/** The graph after a stage, with the stage's changes. */
export interface StageView {
  /** 0: the original graph. */
  at: number
  graph: GraphView
  /** The graph after the stage before; null at 0. */
  before: GraphView | null
  /** Names of nodes that the stage added, in `graph`. */
  added: string[]
  /** Names of nodes that the stage removed, in `before`. */
  removed: string[]
  /** For each node of `graph`: the stage that added it; 0 for a node of the original graph. */
  from: number[]
  /** For each node of `graph`: the stage that removes it; null if the final graph has it. */
  until: (number | null)[]
}
