/** The passes of a workspace as one line of stages; plain data, part of the Report. */
import type { SourceRef } from '../fx'
import type { GraphView } from './protocol'

export interface Pipeline {
  /** In the order in which they act; a pass that is off stands where it is defined. */
  stages: PipelineStage[]
  /** Module-level passes in the order of their definition. */
  defined: string[]
  /** SHA-256 over the stages that act and the environment, as vLLM's PostGradPassManager.uuid is made of its passes'. */
  uuid: string
}

export interface PipelineStage {
  /** `dead-code`: what Fusescope does at the end, `graph.eliminate_dead_code()`. */
  kind: 'pass' | 'dead-code'
  /** The pass's variable; `eliminate_dead_code`. */
  name: string
  /** Position among the stages that act, from 1: "after stage k"; null when it does not act. */
  at: number | null
  /** Index into Report.passes; null for what is not applied and for what is built in. */
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

/** Why a pass does nothing. */
export interface StageOff {
  /**
   * `not-listed`: the workspace applies others; `not-defined`: the workspace lists it, the code has no such variable;
   * `no-patterns`: nothing is registered in it.
   */
  why: 'not-listed' | 'not-defined' | 'no-patterns'
  /** For `no-patterns` and `not-defined`: what the code asked in a condition before it registered nothing. */
  guards: StageGuard[]
}

export interface StageGuard {
  question: string
  answer: string
  source: SourceRef | null
}

/** What a compile cache would know a pass by: SHA-256 over the parts, as vLLM's InductorPass.uuid is over the source. */
export interface StageUuid {
  uuid: string
  parts: UuidPart[]
}

export interface UuidPart {
  kind: 'file' | 'patterns' | 'environment'
  /** The file's name; else what it is. */
  name: string
  hash: string
}

/** The graph after a stage, and what the stage did to it. */
export interface StageView {
  /** 0: the graph as it was given. */
  at: number
  graph: GraphView
  /** The graph after the stage before; null at 0. */
  before: GraphView | null
  /** Names of nodes that the stage put in, in `graph`. */
  added: string[]
  /** Names of nodes that the stage took out, in `before`. */
  removed: string[]
  /** For each node of `graph`: the stage that put it in; 0 where it was given. */
  from: number[]
  /** For each node of `graph`: the stage that takes it out; null where it is in the final graph. */
  until: (number | null)[]
}
