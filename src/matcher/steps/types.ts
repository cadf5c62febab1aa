/** A match as a timeline: everything the matcher did for one anchor, in order. Plain data. */
import type { SourceRef } from '../../fx'

/**
 * Coarse steps are `candidate`, `entry`, `attempt`, `verdict`, `barrier`, `retrace`, `extra-check`, `insert`, `erase`
 * (the sums of the last two) and `done`; fine ones lie between them.
 */
export type StepKind =
  | 'candidate'
  | 'entry'
  | 'attempt'
  | 'expression'
  | 'argument'
  | 'binding'
  | 'comparison'
  | 'users'
  | 'revert'
  /** How an attempt ended; the same as the report's Attempt. */
  | 'verdict'
  | 'barrier'
  | 'retrace'
  | 'extra-check'
  | 'insert'
  | 'erase'
  | 'done'

export interface Step {
  index: number
  kind: StepKind
  level: 'coarse' | 'fine'
  /** Nesting: an expression's arguments lie one deeper than the expression. */
  depth: number
  entry: number | null
  phase: 'initial' | 'specific' | null
  /** Index into EntryReport.pattern.nodes. */
  patternNode: number | null
  graphNode: string | null
  /** The user's line. */
  source: SourceRef | null
  /** For a comparison, binding or check: what it came to. */
  ok: boolean | null
  expected: string | null
  found: string | null
  /** One plain sentence. */
  text: string
  /** For a verdict that failed: PyTorch's words, byte for byte. */
  reason?: string
  /** For a revert: index of the step whose bindings hold again. */
  restores?: number
  /** What a re-trace was made with, what a match captured: name and value. */
  details?: [string, string][]
}

export interface Timeline {
  pass: string
  node: string
  /** The one entry that was asked for; null: all that are tried at the node. */
  entry: number | null
  steps: Step[]
  /** True when there were more steps than are kept. */
  cut: boolean
}
