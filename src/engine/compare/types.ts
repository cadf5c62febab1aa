/** The comparison of two graphs of a workspace as plain data. */
import type { ChangeKind } from '../../explain/compare/types'
import type { GraphView } from '../report/graph_view'

/** A class of equal changes at several places. Node names refer to the graph of their side. */
export interface ComparedChange {
  kind: ChangeKind
  /** `aten.clone.default is inserted before aten.relu.default.` */
  sentence: string
  places: { old: string[]; now: string[] }[]
}

export interface ComparedPlace {
  /** Anchor of the match. */
  node: string
  /** The match's nodes, in the graph that has it. */
  nodes: string[]
  /** Their counterparts in the other graph. */
  others: string[]
}

/** Matches of one pattern that only one graph has, for one reason. */
export interface ComparedMatch {
  pass: string
  entry: number
  title: string
  places: ComparedPlace[]
  /** Indices of changes at the match's nodes or at their neighbors. */
  changes: number[]
  /** Indices of the changes that decide. */
  decided: number[]
  /**
   * `undone`: undoing these changes alone brings the match back; `cause`: only the cause of the near miss in the other graph is
   * known; `pattern`: in two captures, the pattern or its functions decide; `unknown`: none of these.
   */
  how: 'undone' | 'cause' | 'pattern' | 'unknown'
  sentence: string
}

export interface CompareReport {
  /** For two captures: the patterns that differ, one sentence each. */
  patterns?: string[]
  old: { name: string; graph: GraphView }
  now: { name: string; graph: GraphView }
  /** Number of nodes that both graphs have. */
  paired: number
  /** For each node of the old graph, the index of its counterpart in the new graph; -1 if there is none. */
  pairs: number[]
  changes: ComparedChange[]
  /** Matches of the old graph that the new one lacks. */
  lost: ComparedMatch[]
  /** Matches that only the new graph has. */
  won: ComparedMatch[]
  /** By pass, the number of matches that both graphs have. */
  kept: { pass: string; count: number }[]
  ms: number
}
