/** The pipeline of a workspace as plain data, part of the Report. */
import type { Message } from '../../base/message'
import type { Instead } from '../../explain/fixes/code_on_graph/types'
import type { Fix } from '../../explain/fixes/types'
import type { SourceRef } from '../../fx'
import type { EditCall } from '../../python/pass_call'
import type { EnvironmentAnswer } from '../../python/types'
import type { GraphView } from '../report/graph_view'

export interface Pipeline {
  /** In execution order; an inactive stage is at its position in a compilation. */
  stages: PipelineStage[]
  /** The default stages, in order, for a workspace without a list. */
  defined: string[]
  /**
   * SHA-256 over the active stages and the environment, as vLLM's PostGradPassManager.uuid combines its passes' uuids. Null after a
   * change of the text until a run has computed it.
   */
  uuid: string | null
  /** The definitions in the files, if they have no stage: `def f(x, y) at a.py:3`. Absent in old reports. */
  defines?: string[]
}

export interface PipelineStage {
  /**
   * `pass`: patterns; `call`: an object or a function that is called with the graph; `built-in`: one of Inductor's own;
   * `dead-code`: `graph.eliminate_dead_code()`, which Fusescope runs last.
   */
  kind: 'pass' | 'call' | 'built-in' | 'dead-code'
  /** The pass's variable; `inductor:remove_noop_ops`; `eliminate_dead_code`. */
  name: string
  /** The effect of a built-in pass, in one sentence. */
  what?: string
  /** Hook of torch._inductor.config that calls it; absent if no hook does. */
  hook?: string
  /** Class of the object that contains it, and the variable of the pass manager that lists the object. */
  of?: string
  manager?: string
  /** One or two sentences: a missing base class, or what a class needs before it can be created. */
  note?: string
  /** The definition of the code that is called. */
  place?: SourceRef
  /** Effects of a stage that is not a pattern pass; for a pattern pass, effects of the user code around it. */
  did?: StageEffects
  /** Position among the active stages, from 1; null if inactive. */
  at: number | null
  /** Index into Report.passes; null for a stage that is inactive or not a pattern pass. */
  pass: number | null
  /** Indices into Report.passes: the searches of SubgraphMatcher that its code made. Absent if none. */
  searches?: readonly number[]
  /** Indices into Report.passes: applications of passes that its code made itself. Absent if none. */
  applied?: readonly number[]
  off: StageOff | null
  /** Number of registered patterns. */
  entries: number
  /** Number of nodes in the graph after it; null if inactive. */
  nodes: number | null
  added: number
  removed: number
  uuid: StageUuid | null
}

/** Effects of a stage other than its pattern replacements. */
export interface StageEffects {
  /** Number of removed or replaced nodes; null if unknown. */
  count: number | null
  /** Its decisions, one sentence each. */
  notes: string[]
  /** Violated invariants, one sentence each; absent if none. */
  broken?: string[]
  error: string | null
  ms: number
  /** Edits that user code made through the methods of torch.fx, in order; absent if none. */
  edits?: StageEdit[]
  /** Number of further edits. */
  editsLeftOut?: number
  /**
   * The conditions that user code evaluated while it ran, starting with those that kept it from an edit. Absent if there are none,
   * or if it raised.
   */
  conditions?: StageCondition[]
}

/** One operand in the test of an `if` or a comprehension that user code evaluated while it ran on the graph. Pairs: yes, no. */
export interface StageCondition {
  source: SourceRef
  /** `node.target in self.targets` */
  text: string
  /** How many times it was true and false. */
  counts: readonly [yes: number, no: number]
  /** Names of the nodes that it was evaluated for, at most 100 each. */
  nodes: readonly [yes: readonly string[], no: readonly string[]]
  /** With the values of its first evaluation: `aten.relu.default == aten.mm.default`. */
  examples: readonly [yes: string | null, no: string | null]
  /** Lines that never ran because its test always had the same outcome, and whether they edit the graph. Absent if there are none. */
  skipped?: { file: string; line: number; endLine: number; edits: boolean }
  /** The graph's similar calls for a target that the condition reads and no node calls. Absent if a node calls one. */
  near?: Message
  /** For every target that the condition asks for, the text of `near` as the graph prints it; absent without `near`. */
  instead?: readonly Instead[]
  /** Changes with which the code edits the graph and the values are preserved; set once the search for fixes has found them. */
  fixes?: readonly Fix[]
  /** Changes with which the code edits the graph but the values change. */
  tried?: readonly Fix[]
}

/** One edit of the graph by user code, with the line that made it. */
export interface StageEdit {
  /** The method or the attribute of torch.fx. */
  call: EditCall
  /** Name of the node. */
  node: string
  /** The graph that shows it: after the stage, before it, or none, if the stage made and erased it. */
  in: 'after' | 'before' | null
  /** The effect of the edit: `aten.relu.default → aten.sigmoid.default`. */
  text: string
  /** Other nodes that it changed. */
  users?: string[]
  /** The line of user code; null if none of its lines is known. */
  source: SourceRef | null
  /** Its callers, innermost first. */
  callers?: SourceRef[]
}

/** The reason why a stage is inactive. */
export interface StageOff {
  /**
   * `not-listed`: not in the workspace's list; `not-defined`: listed, but the code has no such variable; `no-patterns`:
   * it has no registered patterns; `not-applicable`: it rejects the compile range; `other-path`: the environment
   * selects another compile path; `not-made`: its pass manager does not create it in this configuration, or it lacks what
   * `PipelineStage.note` says; `not-run-here`: a PyTorch pass that Fusescope only shows; `proposed`: it works on a graph, but nothing
   * names it a pass.
   */
  why:
    | 'not-listed'
    | 'not-defined'
    | 'no-patterns'
    | 'not-applicable'
    | 'other-path'
    | 'not-made'
    | 'not-run-here'
    | 'proposed'
  /**
   * For `no-patterns`, `not-defined` and `not-made`: the environment queries in the guarding condition; for
   * `not-applicable` and `other-path`: the deciding query.
   */
  guards: StageGuard[]
}

export type StageGuard = Pick<EnvironmentAnswer, 'question' | 'answer' | 'source' | 'settings'>

/** The compile-cache key of a pass: SHA-256 over the parts, as vLLM's InductorPass.uuid is over the source. */
export interface StageUuid {
  uuid: string
  parts: UuidPart[]
}

export interface UuidPart {
  /** `own`: the result of the pass's own uuid(). */
  kind: 'file' | 'patterns' | 'environment' | 'own'
  /** The file's name, or a description of the part. */
  name: string
  hash: string
}

/** The graph after a stage, with the stage's changes. */
export interface StageView {
  /** 0: the original graph. */
  at: number
  graph: GraphView
  /** The graph after the previous stage; null at 0. */
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
