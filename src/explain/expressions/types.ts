/** A pattern explained expression by expression, as plain data: the tree in words, with counts in one graph. */
import type { Message } from '../../base/message'
import type { SourceRef } from '../../fx'

/** The stages that compare an expression. A hand-written pattern of register_graph_pattern has stage one only. */
export type ComparedIn = 'one' | 'two' | 'both'

/** Nodes left after one check of an expression, in PyTorch's order of checks. */
export interface CheckCount {
  /** `inputs`: the expressions in its arguments match too. */
  check: 'operator' | 'arity' | 'users' | 'structure' | 'constants' | 'inputs'
  count: number
  /** `64 nodes are aten.mul.Tensor`. */
  text: string
}

/** Values of one argument among the nodes that reach its comparison. */
export interface ValueCount {
  /** Nodes with the accepted value. */
  equal: number
  of: number
}

export interface ExplainedExpression {
  /** Position in the tree, in preorder. */
  index: number
  parent: number | null
  depth: number
  /** Class of the PatternExpr; `constant`, `list`, `tuple` or `dict` for an argument that is not a PatternExpr. */
  kind: string
  /** Place in the enclosing expression: `argument 0`, `eps`, `output 1`, `each item`; null for the root. */
  where: string | null
  /** The expression without its arguments: `CallFunction(aten.mul.Tensor)`, `KeywordArg('x')`, `0.5`. */
  label: string
  /** What it accepts, in one sentence. */
  parts: Message
  sentence: string
  comparedIn: ComparedIn
  /** What is compared in which stage. */
  stages: string
  /** Further facts of the comparison, one sentence each. */
  notes: readonly string[]
  /** Index into EntryReport.pattern.nodes: of the expression, or of the expression that has it as an argument. */
  patternNode: number | null
  /** Index into the stage's drawing or, for a traced pattern, into EntryReport.pattern.nodes; for an argument, likewise. */
  drawn: number | null
  /** The Python line from which it was traced. */
  source: SourceRef | null
  /** Index of the earlier expression that is the same object; its arguments are listed there. */
  same: number | null
  /** For an expression that compares nodes: nodes left after each check. */
  checks?: readonly CheckCount[]
  /** Nodes that pass without regard to expressions in the arguments; absent if it compares no nodes. */
  alone?: number
  /** Nodes that match with all expressions in the arguments; absent if a `_match` of the user decides. */
  whole?: number
  /** For a constant, or a wildcard in place of one. */
  values?: ValueCount
  /**
   * Names of the nodes that it accepts: nodes that match with their arguments, or else alone; for an argument, the nodes with the
   * accepted value, or the nodes bound to it. At most MAX_NODES.
   */
  nodes: readonly string[]
  /** Number of nodes left out of `nodes`; absent if none. */
  nodesLeftOut?: number
}

/** Why no node can pass an expression. */
export interface ExpressionFinding {
  expression: number
  /** The check that no node passes. */
  check: CheckCount['check']
  parts: Message
  sentence: string
}

/** The tree of one stage. */
export interface ExplainedStage {
  stage: ComparedIn
  /** `Stage one`, `Stage two at mul_3 and 31 more nodes`. */
  title: string
  /** Expressions that no node of the graph passes, the absent operators first. */
  findings: readonly ExpressionFinding[]
  expressions: readonly ExplainedExpression[]
  /** For a hand-written pattern; null for a traced one, whose EntryReport.pattern is drawn. */
  drawing: readonly DrawnExpression[] | null
}

/** A node of the drawing of a hand-written pattern. */
export interface DrawnExpression {
  label: string
  /** The second line: the class, or the argument's name. */
  detail: string
  kind: 'input' | 'call'
  inputs: readonly number[]
}

export interface ExplainedPattern {
  pass: string
  entry: number
  title: string
  /** `traced`: from a search function; `given`: a search_fn_pattern; `graph`: of register_graph_pattern. */
  kind: 'traced' | 'given' | 'graph'
  /** Nodes of the graph before the pass. */
  graphNodes: number
  stages: readonly ExplainedStage[]
  /** Duration, in ms; absent in the output of the command line. */
  ms?: number
}
