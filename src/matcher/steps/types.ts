/** A match as a timeline: the matcher's steps at one anchor, in order. Plain data. */
import type { SourceRef } from '../../fx'

/**
 * Coarse steps tell a match in sentences: expressions entered and matched, values bound, what fails, and the steps between
 * attempts (`insert` and `erase` summarize their fine steps). Fine steps are the single checks of an expression, and the
 * constants that agree in stage one.
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
  /** The result of an attempt; the same as the report's Attempt. */
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
  /** Nesting: an expression's arguments are one level deeper than the expression. */
  depth: number
  entry: number | null
  phase: 'initial' | 'specific' | null
  /** Index into EntryReport.pattern.nodes. */
  patternNode: number | null
  graphNode: string | null
  /** The source line. */
  source: SourceRef | null
  /** For a comparison, binding or check: its result. */
  ok: boolean | null
  expected: string | null
  found: string | null
  /** One plain sentence. */
  text: string
  /** A coarse step's text, where it differs: it includes the fine steps that follow. */
  sentence?: string
  /** For a failed verdict: PyTorch's text, byte for byte. */
  reason?: string
  /** For a revert: index of the step whose bindings apply again. */
  restores?: number
  /** The arguments of a re-trace or the captures of a match: name and value. */
  details?: [string, string][]
}

export interface Timeline {
  pass: string
  node: string
  /** The requested entry; null: all that are tried at the node. */
  entry: number | null
  steps: Step[]
  /** True if steps over the limit were dropped. */
  cut: boolean
}
