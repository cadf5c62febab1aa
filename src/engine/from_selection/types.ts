/** Types of a pattern made from a selection. */
import type { Node } from '../../fx'
import type { Beyond } from '../../ops/calls/computes'

/** Selected nodes, and the values they exchange with the rest of the graph. */
export interface SelectedNodes {
  /** In graph order. */
  nodes: readonly Node[]
  /** Unselected nodes that selected nodes read, in the order of their first use. */
  inputs: readonly SelectionInput[]
  /** Selected nodes that other nodes read (except the kept ones) or that nothing reads, in graph order. */
  outputs: readonly Node[]
  /**
   * Selected nodes from which an outside node computes an input, and the nodes that they read. The replacement cannot return them,
   * so they stay and it computes them again.
   */
  kept: readonly Node[]
  /** Set if a node's call may have side effects: such a call is not written as code. */
  uncalled?: Beyond
}

export interface SelectionInput {
  node: Node
  /** A Python identifier, unique among the inputs. */
  name: string
}

/** A number in the selection that the pattern can take as a parameter instead. */
export interface PatternConstant {
  /** The name of the parameter, from the operator's schema: `eps`. */
  name: string
  /** Its Python text: `1e-06`. */
  text: string
  value: number
  /** Names of the nodes that hold it. */
  nodes: readonly string[]
}

/**
 * `traced`: register_replacement with a search function; `expression`: a PatternExpr written out (CallFunction, …).
 */
export type PatternForm = 'traced' | 'expression'

/** A pattern that matches the selection. */
export interface MadePattern {
  name: string
  python: string
  form: PatternForm
  /** Number of matches that the pass replaces in the graph. */
  matches: number
  /** Nodes of each match, in the order of replacement. */
  places: readonly (readonly string[])[]
  constants: readonly PatternConstant[]
  /** Names of the constants that are parameters. */
  parameters: readonly string[]
  inputs: readonly { name: string; node: string }[]
  outputs: readonly string[]
  /** Facts that the file does not show, one sentence each. */
  notes: readonly string[]
}

export interface PatternOptions {
  /** Name of the replacement operator and of the pass; derived from the operators by default. */
  name?: string
  /** Default: the traced form; the expression form if tracing yields different nodes. */
  form?: PatternForm
  /** Names of constants to take as parameters. */
  parameters?: readonly string[]
}

/** Number of matches with a constant as a literal, and as a parameter; null if no pattern matches the selection. */
export interface ConstantChoice {
  name: string
  written: number | null
  parameter: number | null
}

/** The answer for a selection: a pattern with the alternatives for its constants, or one sentence. */
export type SelectionAnswer =
  | { made: MadePattern; choices: readonly ConstantChoice[]; refused: null }
  | { made: null; choices: readonly []; refused: string }
