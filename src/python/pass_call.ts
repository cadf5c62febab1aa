/** The record of a stage's call. */
import type { Graph, Node, SourceRef } from '../fx'
import type { AppliedMatch } from '../matcher/observer'
import type { DropReason } from '../matcher/reasons/drop_reason'
import type { MetaRead, RefusingReturn, Registration } from '../matcher/types'

/**
 * The method or the attribute of torch.fx that made the edit; `move`: append or prepend; `graph`: another graph took the place of
 * this one, by `gm.graph = other` or because the pass returned it.
 */
export type EditCall =
  | 'create_node'
  | 'erase_node'
  | 'replace_all_uses_with'
  | 'replace_input_with'
  | 'target'
  | 'args'
  | 'kwargs'
  | 'move'
  | 'eliminate_dead_code'
  | 'graph'

export interface GraphEdit {
  call: EditCall
  node: Node
  /** The complete effect of the edit: `aten.relu.default → aten.sigmoid.default`. */
  text: string
  /** Other nodes that it changed: users whose inputs it replaced. */
  users: readonly Node[]
  /** The lines of user code that led to it, innermost first. */
  frames: readonly SourceRef[]
}

/** A match of one search, by names in the searched graph. */
export type SearchMatch = Omit<AppliedMatch, 'entry'> & {
  /** Why it was not replaced. */
  drop?: DropReason
  reads?: readonly MetaRead[]
  returned?: RefusingReturn
}

/** One search of SubgraphMatcher, as replace_pattern makes it. */
export interface Search {
  registration: Registration
  /** The pattern's graph. */
  pattern: Graph
  /** A copy of the searched graph, shared by the searches between two edits. */
  searched: Graph
  found: SearchMatch[]
}

/** The record of a stage, also if it raised. */
export interface RecordedCall {
  /** In order. */
  edits: readonly GraphEdit[]
  /** Number of further edits, which are not recorded one by one. */
  leftOut: number
  /** The searches of SubgraphMatcher, in order. */
  searches: readonly Search[]
  /** Number of further searches. */
  searchesLeftOut: number
}

/**
 * A condition that user code evaluated while it ran on the graph: one operand in the test of an `if` or a comprehension, as Python
 * sends it (conditions.py). A pair holds the values for true and for false.
 */
export interface AskedCondition {
  file: string
  line: number
  /** Name of the function. */
  function: string
  /** `node.target in self.targets` */
  text: string
  counts: readonly [yes: number, no: number]
  /** Names of the nodes that it was evaluated for, at most 100 each; none if it reads no node. */
  nodes: readonly [yes: readonly string[], no: readonly string[]]
  /** With the values of its first evaluation: `aten.relu.default == aten.mm.default`. */
  examples: readonly [yes: string | null, no: string | null]
  /** Targets that it reads beside the node's, in the form of Node.target. */
  wanted: readonly string[]
  /** Lines that never ran because its test always had the same outcome, and whether they edit the graph. */
  skipped: readonly [first: number, last: number, edits: boolean] | null
}

/** The effects of a stage's call. */
export interface PassCall extends RecordedCall {
  /** Number of places that replace_pattern replaced; null if the code did not call it. */
  replaced: number | null
  /** Functions that Fusescope lacks and that the code called with a graph: `module.name at file:line`. */
  missing: readonly string[]
  /** The conditions that the code evaluated, starting with those that kept it from an edit. Empty unless the caller wants them. */
  asked: readonly AskedCondition[]
}
